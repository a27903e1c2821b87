// The memory budget: what is refused, what is let go, in which order.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "store/table.h"
#include "store/table_fixture.h"

namespace palena::store {
namespace {

std::string Name(int i) {
  return "key" + std::to_string(1000 + i);
}

// Room for `keys` small counters.
TableOptions RoomFor(std::size_t keys, Eviction eviction = Eviction::kNone) {
  return {.memory_bytes_max = keys * BytesOfNumber(Name(0)), .eviction = eviction};
}

TEST(TableMemoryTest, GrowthIsWhatInstallAdds) {
  TableFixture table;
  for (const std::size_t size : {0, 1, 30, 500, 400, 90, 100'000, 3}) {
    const std::string value(size, 'v');
    const std::size_t before = table.stats().memory_bytes;
    const auto head = Text(value, {.revision = static_cast<std::int64_t>(size)});
    const std::size_t growth = table.table().GrowthOf(KeyOf("k"), table.Find(KeyOf("k")), head);
    table.Put("k", head);
    const std::size_t after = table.stats().memory_bytes;
    EXPECT_EQ(growth, after > before ? after - before : 0) << size;
  }
}

TEST(TableMemoryTest, AnIntegerOnAnExistingKeyNeverGrows) {
  TableFixture table;
  table.Put("k", Number(1));
  Entry* entry = table.Find(KeyOf("k"));
  EXPECT_EQ(table.table().GrowthOf(KeyOf("k"), entry, Number(1LL << 60, {.expires_ms = 9})), 0U);
  table.Put("k", Text("text", {.revision = 1}));
  EXPECT_EQ(table.table().GrowthOf(KeyOf("k"), entry, Number(1)), 0U);
  table.Put("k", DeletionMark({.revision = 2}));
  EXPECT_EQ(table.table().GrowthOf(KeyOf("k"), entry, Number(1)), 0U);
}

TEST(TableMemoryTest, WithoutEvictionAFullTableRefusesNewKeysAndStillCounts) {
  TableFixture table(RoomFor(10));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(table.TryPut(Name(i), Number(i))) << i;
  EXPECT_FALSE(table.TryPut(Name(10), Number(10)));
  EXPECT_FALSE(table.TryPut(Name(0), Text(std::string(100, 'x'), {.revision = 1})));
  EXPECT_EQ(table.stats().memory_refusals, 2U);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(table.TryPut(Name(i), Number(99, {.revision = 1})));
  EXPECT_EQ(table.stats().ephemeral_evicted, 0U);
}

TEST(TableMemoryTest, TheDeadGoFirst) {
  TableFixture table(RoomFor(10, Eviction::kLru));
  for (int i = 0; i < 5; ++i) table.Put(Name(i), Number(i, {.expires_ms = 100}));
  for (int i = 5; i < 9; ++i) table.Put(Name(i), Number(i));
  table.Put(PersistentKey(Name(9)), Number(9));
  EXPECT_TRUE(table.TryPut(Name(20), Number(20), 101));
  EXPECT_EQ(table.stats().expired_swept, 1U);
  EXPECT_EQ(table.stats().persistent_evicted + table.stats().ephemeral_evicted, 0U);
}

TEST(TableMemoryTest, ThenDurablePersistentKeysLeaveWhateverTheEviction) {
  for (const Eviction eviction : {Eviction::kNone, Eviction::kLru}) {
    TableFixture table(RoomFor(10, eviction));
    for (int i = 0; i < 9; ++i) table.Put(Name(i), Number(i));
    table.Put(PersistentKey(Name(9)), Number(9));
    EXPECT_TRUE(table.TryPut(Name(20), Number(20)));
    EXPECT_EQ(table.Find(PersistentKey(Name(9))), nullptr);
    EXPECT_EQ(table.stats().persistent_evicted, 1U);
    EXPECT_EQ(table.stats().ephemeral_evicted, 0U);
  }
}

TEST(TableMemoryTest, ThenWithLruTheLeastRecentlyUsedEphemeralKeys) {
  TableFixture table(RoomFor(16, Eviction::kLru));
  for (int i = 0; i < 16; ++i) table.Put(Name(i), Number(i));
  table.Find(KeyOf(Name(0)));
  EXPECT_TRUE(table.TryPut(Name(20), Number(20)));
  EXPECT_TRUE(table.Has(Name(0)));
  EXPECT_FALSE(table.Has(Name(1)));
  EXPECT_EQ(table.stats().ephemeral_evicted, 1U);
}

TEST(TableMemoryTest, KeysInUseSurviveAStreamOfOthers) {
  TableFixture table(RoomFor(1000, Eviction::kLru));
  for (int i = 0; i < 20'000; ++i) {
    for (int hot = 0; hot < 10; ++hot) table.TryPut("h" + std::to_string(hot), Number(i));
    ASSERT_TRUE(table.TryPut("k" + std::to_string(i), Number(i)));
  }
  for (int hot = 0; hot < 10; ++hot) EXPECT_TRUE(table.Has("h" + std::to_string(hot)));
  EXPECT_LE(table.stats().memory_bytes, RoomFor(1000).memory_bytes_max);
  EXPECT_GT(table.stats().ephemeral_evicted, 18'000U);
}

TEST(TableMemoryTest, WhatIsEvictedIsOld) {
  TableFixture table(RoomFor(1000, Eviction::kLru));
  for (int i = 0; i < 1000; ++i) table.Put(Name(i), Number(i));
  for (int i = 500; i < 1000; ++i) table.Find(KeyOf(Name(i)));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(table.TryPut("new" + Name(i).substr(3), Number(i)));
  int recent_left = 0;
  for (int i = 500; i < 1000; ++i) recent_left += table.Has(Name(i)) ? 1 : 0;
  EXPECT_EQ(recent_left, 500);
}

TEST(TableMemoryTest, PinnedKeysAreNotEvicted) {
  TableFixture table(RoomFor(3, Eviction::kLru));
  Entry& pinned = table.Put(Name(0), Number(0));
  table.table().Pin(pinned);
  Entry& released = table.Put(PersistentKey(Name(1)), Number(1));
  table.table().Pin(released);
  Entry& pinned_too = table.Put(PersistentKey(Name(2)), Number(2));
  table.table().Pin(pinned_too);
  EXPECT_FALSE(table.TryPut(Name(3), Number(3)));
  table.table().Unpin(released);
  EXPECT_TRUE(table.TryPut(Name(3), Number(3)));
  EXPECT_EQ(table.Find(PersistentKey(Name(1))), nullptr);
  EXPECT_EQ(table.Find(KeyOf(Name(0))), &pinned);
}

TEST(TableMemoryTest, AKnownAbsenceMakesRoom) {
  TableFixture table(RoomFor(1));
  table.table().Load(PersistentKey(Name(0)), {});
  EXPECT_TRUE(table.TryPut(Name(1), Number(1)));
  EXPECT_EQ(table.Find(PersistentKey(Name(0))), nullptr);
}

TEST(TableMemoryTest, WhatCanNeverFitCostsNobodyAKey) {
  TableFixture table(RoomFor(10, Eviction::kLru));
  for (int i = 0; i < 10; ++i) table.Put(Name(i), Number(i));
  EXPECT_FALSE(table.TryPut(Name(11), Text(std::string(100'000, 'x'))));
  EXPECT_EQ(table.stats().entries, 10U);
}

TEST(TableMemoryTest, EvictionChangesTheGeneration) {
  TableFixture table(RoomFor(1, Eviction::kLru));
  table.Put(Name(0), Number(0));
  const auto before = table.table().generation();
  EXPECT_TRUE(table.TryPut(Name(1), Number(1)));
  EXPECT_NE(table.table().generation(), before);
}

}  // namespace
}  // namespace palena::store
