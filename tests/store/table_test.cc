#include "store/table.h"

#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "store/table_fixture.h"

namespace palena::store {
namespace {

class TableTest : public testing::Test, public TableFixture {};

// ---- heads

TEST_F(TableTest, KnowsNothingOfAKeyNeverWritten) {
  EXPECT_EQ(Find(KeyOf("k")), nullptr);
}

TEST_F(TableTest, FindsTheInstalledHead) {
  Put("k", Text("v", {.revision = 3, .expires_ms = 70, .stamp_ms = 9, .norev = true}));
  const Entry* entry = Find(KeyOf("k"));
  ASSERT_NE(entry, nullptr);
  const model::VersionView head = HeadOf(*entry);
  EXPECT_EQ(head.kind, model::VersionKind::kValue);
  EXPECT_EQ(head.value.ToText(), "v");
  EXPECT_EQ(head.revision, 3);
  EXPECT_EQ(head.expires_ms, 70);
  EXPECT_EQ(head.stamp, hlc::HybridTime::FromMs(9));
  EXPECT_TRUE(head.norev);
}

TEST_F(TableTest, TheSameNameInBothSpacesIsTwoKeys) {
  Put(KeyOf("k"), Text("ephemeral"));
  Put(PersistentKey("k"), Text("persistent"));
  EXPECT_EQ(HeadOf(*Find(KeyOf("k"))).value.bytes, "ephemeral");
  EXPECT_EQ(HeadOf(*Find(PersistentKey("k"))).value.bytes, "persistent");
  EXPECT_EQ(stats().entries, 2U);
}

TEST_F(TableTest, KeysThatShareAHashStayApart) {
  const KeyView one{model::Durability::kEphemeral, "one", 42};
  const KeyView two{model::Durability::kEphemeral, "two", 42};
  Put(one, Number(1));
  Put(two, Number(2));
  EXPECT_EQ(HeadOf(*Find(one)).value.integer, 1);
  EXPECT_EQ(HeadOf(*Find(two)).value.integer, 2);
}

TEST_F(TableTest, IntegersStayIntegers) {
  Put("k", Number(-7));
  EXPECT_TRUE(HeadOf(*Find(KeyOf("k"))).value.is_integer);
  EXPECT_EQ(HeadOf(*Find(KeyOf("k"))).value.integer, -7);
}

TEST_F(TableTest, AValueMayChangeItsForm) {
  Put("k", Number(1, {.revision = 0}));
  Put("k", Text(std::string(500, 'x'), {.revision = 1}));
  EXPECT_EQ(HeadOf(*Find(KeyOf("k"))).value.bytes, std::string(500, 'x'));
  Put("k", Text("", {.revision = 2}));
  EXPECT_EQ(HeadOf(*Find(KeyOf("k"))).value.bytes, "");
  Put("k", Number(2, {.revision = 3}));
  EXPECT_EQ(HeadOf(*Find(KeyOf("k"))).value.integer, 2);
}

TEST_F(TableTest, ValuesMayHoldZeroBytesAndTheMostThatIsAllowed) {
  const std::string zeros("a\0b", 3);
  Put("k", Text(zeros));
  EXPECT_EQ(HeadOf(*Find(KeyOf("k"))).value.bytes, zeros);
  const std::string largest(base::kValueBytesMax, 'v');
  Put("k", Text(largest, {.revision = 1}));
  EXPECT_EQ(HeadOf(*Find(KeyOf("k"))).value.bytes, largest);
}

TEST_F(TableTest, AHeadMayBeInstalledAgainFromItself) {
  Entry& entry = Put("k", Text(std::string(200, 'v')));
  model::VersionView extended = HeadOf(entry);
  extended.expires_ms = 500;
  Put("k", extended);
  EXPECT_EQ(HeadOf(entry).value.bytes, std::string(200, 'v'));
  EXPECT_EQ(HeadOf(entry).expires_ms, 500);
}

TEST_F(TableTest, ADeletionStaysAsAMarkWithItsRevision) {
  Put("k", Text("v", {.revision = 0}));
  Put("k", DeletionMark({.revision = 1}));
  const model::VersionView head = HeadOf(*Find(KeyOf("k")));
  EXPECT_EQ(head.kind, model::VersionKind::kDeletion);
  EXPECT_EQ(head.revision, 1);
  EXPECT_FALSE(head.IsLive(0));
}

TEST_F(TableTest, EntriesKeepTheirAddressWhileTheTableGrows) {
  Entry* const first = &Put("first", Number(1));
  const auto generation = table().generation();
  for (int i = 0; i < 10'000; ++i) Put("k" + std::to_string(i), Number(i));
  EXPECT_EQ(Find(KeyOf("first")), first);
  EXPECT_EQ(table().generation(), generation);
}

// ---- what comes from disk

TEST_F(TableTest, LoadMakesAPersistentHeadResident) {
  table().Load(PersistentKey("k"), Text("v", {.revision = 8}));
  EXPECT_EQ(HeadOf(*Find(PersistentKey("k"))).revision, 8);
}

TEST_F(TableTest, LoadDoesNotUndoAWriteThatCameMeanwhile) {
  Put(PersistentKey("k"), Text("new", {.revision = 9}));
  const Entry& entry = table().Load(PersistentKey("k"), Text("old", {.revision = 8}));
  EXPECT_EQ(HeadOf(entry).value.bytes, "new");
}

TEST_F(TableTest, AKeyThatTheDiskDoesNotKnowIsKnownAbsent) {
  table().Load(PersistentKey("k"), {});
  const Entry* entry = Find(PersistentKey("k"));
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(HeadOf(*entry).kind, model::VersionKind::kAbsent);
  EXPECT_EQ(HeadOf(*entry).revision, model::kNoRevision);
  EXPECT_EQ(HeadOf(*entry).value.bytes, "");
}

TEST_F(TableTest, AKnownAbsenceIsForgottenAfterAWhile) {
  SweepAll(1'000'000);
  table().Load(PersistentKey("k"), {});
  SweepAll(1'010'000);
  EXPECT_NE(Find(PersistentKey("k")), nullptr);
  SweepAll(1'100'000);
  EXPECT_EQ(Find(PersistentKey("k")), nullptr);
}

TEST_F(TableTest, AKnownAbsenceBecomesAKey) {
  table().Load(PersistentKey("k"), {});
  Put(PersistentKey("k"), Text("v"));
  SweepAll(10'000'000);
  EXPECT_EQ(HeadOf(*Find(PersistentKey("k"))).value.bytes, "v");
}

// ---- history

TEST_F(TableTest, SupersededVersionsCanBeRead) {
  Put("k", Number(10, {.revision = 0}));
  Put("k", Text("eleven", {.revision = 1}));
  Put("k", Number(12, {.revision = 2}));
  EXPECT_EQ(At("k", 0), "10");
  EXPECT_EQ(At("k", 1), "eleven");
  EXPECT_EQ(At("k", 2), "12");
  EXPECT_EQ(At("k", 3), "absent");
  EXPECT_EQ(At("k", -1), "absent");
}

TEST_F(TableTest, KeepsThe16NewestVersionsHeadIncluded) {
  for (int i = 0; i < 20; ++i) Put("k", Number(i, {.revision = i}));
  EXPECT_EQ(At("k", 3), "absent");
  for (int i = 4; i < 20; ++i) EXPECT_EQ(At("k", i), std::to_string(i));
}

TEST_F(TableTest, WhatNorevWroteIsGoneOnceSuperseded) {
  Put("k", Number(0, {.revision = 0}));
  Put("k", Number(1, {.revision = 1, .norev = true}));
  EXPECT_EQ(At("k", 1), "1");
  Put("k", Number(2, {.revision = 2}));
  EXPECT_EQ(At("k", 1), "absent");
  EXPECT_EQ(At("k", 0), "0");
}

TEST_F(TableTest, AnExtendLeavesNoVersionBehind) {
  Put("k", Number(0, {.revision = 0, .expires_ms = 100}));
  Put("k", Number(0, {.revision = 0, .expires_ms = 200}));
  EXPECT_EQ(stats().history_bytes, 0U);
}

TEST_F(TableTest, ADeletionIsAVersionThatAnswersAbsent) {
  Put("k", Number(0, {.revision = 0}));
  Put("k", DeletionMark({.revision = 1}));
  EXPECT_EQ(At("k", 1), "absent");
  Put("k", Number(2, {.revision = 2}));
  EXPECT_EQ(At("k", 1), "absent");
  EXPECT_EQ(At("k", 0), "0");
}

TEST_F(TableTest, RevisionsThatWereJumpedOverAreAbsent) {
  Put("k", Number(0, {.revision = 0}));
  Put("k", Number(3, {.revision = 3}));
  EXPECT_EQ(At("k", 1), "absent");
  EXPECT_EQ(At("k", 0), "0");
}

TEST_F(TableTest, AnExpiredVersionCanStillBeReadByRevision) {
  Put("k", Number(0, {.revision = 0, .expires_ms = 5}));
  Put("k", Number(1, {.revision = 1}));
  EXPECT_EQ(At("k", 0), "0");
}

TEST_F(TableTest, PersistentKeysHaveNoHistoryInMemory) {
  Put(PersistentKey("k"), Number(0, {.revision = 0}));
  const Entry& entry = Put(PersistentKey("k"), Number(1, {.revision = 1}));
  EXPECT_EQ(table().VersionAt(entry, 0).kind, model::VersionKind::kAbsent);
  EXPECT_EQ(table().VersionAt(entry, 1).value.integer, 1);
  EXPECT_EQ(stats().history_bytes, 0U);
}

TEST_F(TableTest, HistoryDiesWithItsEntry) {
  Put("k", Number(0, {.revision = 0}));
  Put("k", Number(1, {.revision = 1, .expires_ms = 10}));
  SweepAll(11);
  Put("k", Number(5, {.revision = 5}));
  EXPECT_EQ(At("k", 0), "absent");
}

TEST(TableHistoryTest, OneBusyKeyPushesOutTheHistoryOfOthers) {
  TableFixture table({.history_bytes = 1000});
  table.Put("quiet", Number(0, {.revision = 0}));
  table.Put("quiet", Number(1, {.revision = 1}));
  EXPECT_EQ(table.At("quiet", 0), "0");
  for (int i = 0; i < 100; ++i) table.Put("busy", Number(i, {.revision = i}));
  EXPECT_EQ(table.At("quiet", 0), "absent");
  EXPECT_EQ(table.At("quiet", 1), "1");
  EXPECT_LE(table.stats().history_bytes, 1000U);
}

TEST(TableHistoryTest, HistoryIsNotChargedToTheMemoryOfKeys) {
  TableFixture table;
  table.Put("k", Number(0, {.revision = 0}));
  const std::size_t before = table.stats().memory_bytes;
  for (int i = 1; i < 1000; ++i) table.Put("k", Number(i, {.revision = i}));
  EXPECT_EQ(table.stats().memory_bytes, before);
  EXPECT_GT(table.stats().history_bytes, 0U);
}

// ---- as of a time

// Versions 0 to `last`, each a number written at ten times that.
void PutVersions(TableFixture& table, std::string_view key, std::int64_t last) {
  for (std::int64_t i = 0; i <= last; ++i) {
    table.Put(key, Number(i, {.revision = i, .stamp_ms = 10 * i}));
  }
}

TEST(TableAsOfTest, AVersionAnswersFromItsTimeUntilTheNext) {
  TableFixture table;
  PutVersions(table, "k", 3);
  EXPECT_EQ(table.AsOf("k", 1000), "3");
  EXPECT_EQ(table.AsOf("k", 30), "3");
  EXPECT_EQ(table.AsOf("k", 29), "2");
  EXPECT_EQ(table.AsOf("k", 0), "0");
  EXPECT_EQ(table.AsOf("k", -1), "absent");
}

TEST(TableAsOfTest, ADeletionIsAVersionAndAnExtendIsNone) {
  TableFixture table;
  table.Put("k", Number(0, {.revision = 0, .stamp_ms = 10}));
  table.Put("k", Number(0, {.revision = 0, .expires_ms = 500, .stamp_ms = 10}));
  table.Put("k", DeletionMark({.revision = 1, .stamp_ms = 20}));
  table.Put("k", Number(2, {.revision = 2, .stamp_ms = 30}));
  EXPECT_EQ(table.AsOf("k", 25), "deleted");
  EXPECT_EQ(table.AsOf("k", 15), "0");
  EXPECT_EQ(table.AsOf("k", 5), "absent");
}

TEST(TableAsOfTest, ANorevVersionAnswersWhileItIsTheHead) {
  TableFixture table;
  table.Put("k", Number(0, {.revision = 0, .stamp_ms = 10}));
  table.Put("k", Number(1, {.revision = 1, .stamp_ms = 20, .norev = true}));
  EXPECT_EQ(table.AsOf("k", 25), "1");
  table.Put("k", Number(2, {.revision = 2, .stamp_ms = 30}));
  EXPECT_EQ(table.AsOf("k", 25), "0") << "the next older kept one";
}

TEST(TableAsOfTest, BeforeTheFirstKeptVersionThereWasNone) {
  TableFixture table;
  table.Put("k", Number(0, {.revision = 0, .stamp_ms = 10, .norev = true}));
  table.Put("k", Number(1, {.revision = 1, .stamp_ms = 20}));
  table.Put("k", Number(2, {.revision = 2, .stamp_ms = 30}));
  EXPECT_EQ(table.AsOf("k", 25), "1");
  EXPECT_EQ(table.AsOf("k", 15), "absent");
}

TEST(TableAsOfTest, OnlyTheNewestVersionsAnswer) {
  TableFixture table;
  PutVersions(table, "whole", base::kVersionsInMemoryMax - 1);
  EXPECT_EQ(table.AsOf("whole", 0), "0");
  EXPECT_EQ(table.AsOf("whole", -1), "absent");
  PutVersions(table, "long", base::kVersionsInMemoryMax);
  EXPECT_EQ(table.AsOf("long", 10), "1");
  EXPECT_EQ(table.AsOf("long", 9), "trimmed");
}

TEST(TableAsOfTest, WhatTheRingLostIsTrimmed) {
  TableFixture table({.history_bytes = 1000});
  PutVersions(table, "quiet", 1);
  EXPECT_EQ(table.AsOf("quiet", 5), "0");
  PutVersions(table, "busy", 100);
  EXPECT_EQ(table.AsOf("quiet", 5), "trimmed");
  EXPECT_EQ(table.AsOf("quiet", 10), "1");
}

TEST(TableAsOfTest, WhatTheRingNeverHeldIsTrimmed) {
  TableFixture table({.history_bytes = 1000});
  table.Put("k", Text(std::string(2000, 'x'), {.revision = 0, .stamp_ms = 10}));
  table.Put("k", Number(1, {.revision = 1, .stamp_ms = 20}));
  table.Put("k", Number(2, {.revision = 2, .stamp_ms = 30}));
  EXPECT_EQ(table.AsOf("k", 25), "1");
  EXPECT_EQ(table.AsOf("k", 15), "trimmed");
}

TEST(TableAsOfTest, OfAPersistentKeyTheTableKnowsTheHeadOnly) {
  TableFixture table;
  const KeyView key = PersistentKey("k");
  table.Put(key, Number(0, {.revision = 0, .stamp_ms = 10}));
  EXPECT_EQ(table.AsOf(key, 10), "0");
  EXPECT_EQ(table.AsOf(key, 9), "absent");
  table.Put(key, Number(1, {.revision = 1, .stamp_ms = 20}));
  EXPECT_EQ(table.AsOf(key, 19), "trimmed");
}

}  // namespace
}  // namespace palena::store
