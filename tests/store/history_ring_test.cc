#include "store/history_ring.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "store/table_fixture.h"

namespace palena::store {
namespace {

using Position = HistoryRing::Position;

TEST(HistoryRingTest, ReadsBackWhatWasAppended) {
  HistoryRing ring(4096);
  const auto version = Text("blue", {.revision = 7, .expires_ms = 99, .stamp_ms = 5});
  const Position position = ring.Append(HistoryRing::kNone, version);
  const auto record = ring.Read(position);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->version.value.bytes, "blue");
  EXPECT_EQ(record->version.revision, 7);
  EXPECT_EQ(record->version.expires_ms, 99);
  EXPECT_EQ(record->version.stamp, hlc::HybridTime::FromMs(5));
  EXPECT_EQ(record->previous, HistoryRing::kNone);
}

TEST(HistoryRingTest, IntegersStayIntegers) {
  HistoryRing ring(4096);
  const auto record = ring.Read(ring.Append(HistoryRing::kNone, Number(-3)));
  ASSERT_TRUE(record);
  EXPECT_TRUE(record->version.value.is_integer);
  EXPECT_EQ(record->version.value.integer, -3);
}

TEST(HistoryRingTest, DeletionMarksAreVersions) {
  HistoryRing ring(4096);
  const auto record = ring.Read(ring.Append(HistoryRing::kNone, DeletionMark({.revision = 2})));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->version.kind, model::VersionKind::kDeletion);
  EXPECT_EQ(record->version.revision, 2);
}

TEST(HistoryRingTest, ChainsTheVersionsOfAKey) {
  HistoryRing ring(4096);
  Position mine = HistoryRing::kNone;
  Position others = HistoryRing::kNone;
  for (int i = 0; i < 3; ++i) {
    mine = ring.Append(mine, Number(i));
    others = ring.Append(others, Number(100 + i));
  }
  for (int i = 2; i >= 0; --i) {
    const auto record = ring.Read(mine);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->version.value.integer, i);
    mine = record->previous;
  }
  EXPECT_EQ(mine, HistoryRing::kNone);
}

TEST(HistoryRingTest, OverwritesTheOldestFirst) {
  HistoryRing ring(1000);
  std::vector<Position> positions;
  for (int i = 0; i < 500; ++i) {
    positions.push_back(
        ring.Append(HistoryRing::kNone, Text(std::string(i % 90, 'x'), {.revision = i})));
  }
  bool was_readable = false;
  for (int i = 0; i < 500; ++i) {
    const auto record = ring.Read(positions[i]);
    ASSERT_FALSE(was_readable && !record) << i << " is newer than one that can be read";
    was_readable = record.has_value();
    if (!record) continue;
    EXPECT_EQ(record->version.revision, i);
    EXPECT_EQ(record->version.value.bytes, std::string(i % 90, 'x'));
  }
  EXPECT_TRUE(was_readable);
}

TEST(HistoryRingTest, KeepsAsMuchAsItsCapacityHolds) {
  HistoryRing ring(48 * 10);
  std::vector<Position> positions;
  for (int i = 0; i < 25; ++i) positions.push_back(ring.Append(HistoryRing::kNone, Number(i)));
  EXPECT_FALSE(ring.Read(positions[14]));
  EXPECT_TRUE(ring.Read(positions[15]));
  EXPECT_EQ(ring.bytes_in_use(), 480U);
}

TEST(HistoryRingTest, CutsTheChainAtAVersionLargerThanTheRing) {
  HistoryRing ring(256);
  const Position small = ring.Append(HistoryRing::kNone, Number(1));
  EXPECT_EQ(ring.Append(small, Text(std::string(300, 'x'))), HistoryRing::kCut);
  EXPECT_FALSE(ring.Read(HistoryRing::kCut));
  EXPECT_TRUE(ring.Read(small));
}

TEST(HistoryRingTest, WithoutCapacityKeepsNothing) {
  HistoryRing ring(0);
  EXPECT_EQ(ring.Append(HistoryRing::kNone, Number(1)), HistoryRing::kCut);
  EXPECT_FALSE(ring.Read(HistoryRing::kNone));
  EXPECT_EQ(ring.bytes_in_use(), 0U);
}

TEST(HistoryRingTest, UsesNoMemoryBeforeTheFirstVersion) {
  HistoryRing ring(std::size_t{64} << 20);
  EXPECT_EQ(ring.bytes_in_use(), 0U);
  ring.Append(HistoryRing::kNone, Number(1));
  EXPECT_EQ(ring.bytes_in_use(), 48U);
}

}  // namespace
}  // namespace palena::store
