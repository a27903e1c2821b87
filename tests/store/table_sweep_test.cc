// What time takes out of the table.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "store/table.h"
#include "store/table_fixture.h"

namespace palena::store {
namespace {

constexpr std::int64_t kStart = 1'750'000'000'000;

class TableSweepTest : public testing::Test, public TableFixture {};

TEST_F(TableSweepTest, AKeyStaysUpToAndIncludingItsExpiryMillisecond) {
  Put("k", Number(1, {.expires_ms = kStart}));
  SweepAll(kStart);
  EXPECT_TRUE(Has("k"));
  SweepAll(kStart + 1);
  EXPECT_FALSE(Has("k"));
  EXPECT_EQ(stats().expired_swept, 1U);
}

TEST_F(TableSweepTest, AKeyWithoutExpiryStays) {
  Put("k", Number(1));
  SweepAll(std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(Has("k"));
}

TEST_F(TableSweepTest, ARefreshedKeyLivesToItsNewExpiry) {
  for (int i = 0; i < 100; ++i) {
    Put("k", Number(i, {.revision = i, .expires_ms = kStart + i * 10 + 50}));
    SweepAll(kStart + i * 10);
    ASSERT_TRUE(Has("k")) << i;
  }
  SweepAll(kStart + 1041);
  EXPECT_FALSE(Has("k"));
}

TEST_F(TableSweepTest, AnEarlierExpiryIsKept) {
  Put("k", Number(0, {.revision = 0, .expires_ms = kStart + 1'000'000}));
  Put("k", Number(1, {.revision = 1, .expires_ms = kStart + 10}));
  SweepAll(kStart + 11);
  EXPECT_FALSE(Has("k"));
}

TEST_F(TableSweepTest, AnExpiryThatWasTakenAwayDoesNotCome) {
  Put("k", Number(0, {.revision = 0, .expires_ms = kStart}));
  Put("k", Number(1, {.revision = 1}));
  SweepAll(kStart + 1);
  EXPECT_TRUE(Has("k"));
  Put("k", Number(2, {.revision = 2, .expires_ms = kStart + 5}));
  SweepAll(kStart + 6);
  EXPECT_FALSE(Has("k"));
}

TEST_F(TableSweepTest, ExpiriesInTheFarFutureAreKept) {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  Put("k", Number(0, {.expires_ms = kLast}));
  Put("century", Number(0, {.expires_ms = kStart + 3'155'760'000'000}));
  SweepAll(kStart + 3'155'760'000'000);
  EXPECT_TRUE(Has("century"));
  SweepAll(kStart + 3'155'760'000'001);
  EXPECT_FALSE(Has("century"));
  SweepAll(kLast);
  EXPECT_TRUE(Has("k"));
}

TEST_F(TableSweepTest, ADeletionMarkGoesAMinuteAfterTheDeletion) {
  Put("k", Number(0, {.revision = 0, .expires_ms = kStart + 10'000'000}));
  Put("k", DeletionMark({.revision = 1, .stamp_ms = kStart}));
  SweepAll(kStart + Table::kDeletionKeptMs);
  EXPECT_TRUE(Has("k"));
  SweepAll(kStart + Table::kDeletionKeptMs + 1);
  EXPECT_FALSE(Has("k"));
}

TEST_F(TableSweepTest, APinnedKeyOutlivesItsExpiryUntilUnpinned) {
  Entry& entry = Put("k", Number(0, {.expires_ms = kStart}));
  table().Pin(entry);
  table().Pin(entry);
  SweepAll(kStart + 1);
  table().Unpin(entry);
  SweepAll(kStart + 1000);
  EXPECT_TRUE(Has("k"));
  table().Unpin(entry);
  SweepAll(kStart + 2000);
  EXPECT_FALSE(Has("k"));
}

TEST_F(TableSweepTest, AnExpiredPersistentKeyStaysUntilItIsDurable) {
  Entry& entry = Put(PersistentKey("k"), Number(0, {.expires_ms = kStart}));
  table().Pin(entry);
  SweepAll(kStart + 1000);
  EXPECT_NE(Find(PersistentKey("k")), nullptr);
  table().Unpin(entry);
  SweepAll(kStart + 2000);
  EXPECT_EQ(Find(PersistentKey("k")), nullptr);
}

TEST_F(TableSweepTest, GenerationChangesWithEveryRemovalOnly) {
  Put("k", Number(0, {.expires_ms = kStart}));
  const auto before = table().generation();
  Put("k", Number(1, {.revision = 1, .expires_ms = kStart}));
  SweepAll(kStart);
  EXPECT_EQ(table().generation(), before);
  SweepAll(kStart + 1);
  EXPECT_NE(table().generation(), before);
}

TEST_F(TableSweepTest, ASweptKeyGivesBackAllItsMemory) {
  const std::size_t before = stats().memory_bytes;
  Put("k", Text(std::string(10'000, 'x'), {.expires_ms = kStart}));
  EXPECT_GT(stats().memory_bytes, before + 10'000);
  SweepAll(kStart + 1);
  EXPECT_EQ(stats().memory_bytes, before);
}

TEST_F(TableSweepTest, AMillionKeysThatExpireTogetherGoInBudgets) {
  constexpr std::size_t kKeys = 1'000'000;
  constexpr std::size_t kBudget = 1000;
  table().Sweep(kStart, kBudget);
  for (std::size_t i = 0; i < kKeys; ++i) {
    Put("key" + std::to_string(i), Number(1, {.expires_ms = kStart + 60'000}));
  }
  std::size_t sweeps = 1;
  for (auto before = stats().entries; table().Sweep(kStart + 60'001, kBudget); ++sweeps) {
    ASSERT_LE(before - stats().entries, kBudget);
    before = stats().entries;
  }
  EXPECT_GE(sweeps, kKeys / kBudget);
  EXPECT_EQ(stats().entries, 0U);
  EXPECT_EQ(stats().memory_bytes, 0U);
  EXPECT_EQ(stats().expired_swept, kKeys);
}

TEST_F(TableSweepTest, SweepSaysWhetherMoreIsDue) {
  for (int i = 0; i < 3; ++i) Put("k" + std::to_string(i), Number(0, {.expires_ms = 10}));
  EXPECT_FALSE(table().Sweep(5, 100));
  EXPECT_TRUE(table().Sweep(11, 2));
  EXPECT_FALSE(table().Sweep(11, 2));
  EXPECT_EQ(stats().entries, 0U);
}

}  // namespace
}  // namespace palena::store
