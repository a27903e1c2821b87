// The checkers, on histories written by hand: each kind of wrong is refused, and right is not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "isolation/bank_checker.h"
#include "isolation/list_checker.h"
#include "isolation/revision_checker.h"
#include "isolation/serialization_graph.h"

namespace palena::isolation {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr Interval kFirst{0, 10}, kSecond{20, 30}, kThird{40, 50}, kAllTheTime{0, 100};

ListStep Reads(int key, std::vector<RunId> seen) {
  return {key, false, std::move(seen)};
}
ListStep Appends(int key, std::vector<RunId> seen) {
  return {key, true, std::move(seen)};
}
ListRun Committed(RunId id, Interval time, std::vector<ListStep> steps) {
  return {id, Fate::kCommitted, time, std::move(steps)};
}
ListRun NotApplied(RunId id, Interval time, std::vector<ListStep> steps) {
  return {id, Fate::kNotApplied, time, std::move(steps)};
}

TEST(ListChecker, AcceptsRunsOneAfterTheOther) {
  EXPECT_THAT(CheckLists({Committed(1, kFirst, {Appends(0, {}), Appends(1, {})}),
                          NotApplied(2, kSecond, {Appends(0, {})}),
                          Committed(3, kThird, {Appends(0, {1}), Reads(1, {1})}),
                          Committed(4, {60, 70}, {Reads(0, {1, 3}), Reads(1, {1})})}),
              IsEmpty());
}

TEST(ListChecker, AcceptsAnyOrderOfRunsThatOverlap) {
  EXPECT_THAT(CheckLists({Committed(1, kAllTheTime, {Reads(0, {2}), Appends(1, {})}),
                          Committed(2, kAllTheTime, {Appends(0, {}), Reads(1, {})}),
                          Committed(3, {110, 120}, {Reads(0, {2}), Reads(1, {1})})}),
              IsEmpty());
}

TEST(ListChecker, AcceptsAReadOfThePastThatRealTimeBindsOnlyAtItsBegin) {
  constexpr Interval kPast{15, INT64_MAX};  // as of the first run's stamp, asked after the second
  const std::vector<ListRun> runs = {Committed(1, kFirst, {Appends(0, {}), Appends(1, {})}),
                                     Committed(2, kSecond, {Appends(0, {1}), Appends(1, {1})})};
  const auto with_past = [&](std::vector<ListStep> steps) {
    std::vector<ListRun> all = runs;
    all.push_back(Committed(3, kPast, std::move(steps)));
    all.push_back(Committed(4, kThird, {Reads(0, {1, 2}), Reads(1, {1, 2})}));
    return CheckLists(all);
  };
  EXPECT_THAT(with_past({Reads(0, {1}), Reads(1, {1})}), IsEmpty());
  EXPECT_THAT(with_past({Reads(0, {1}), Reads(1, {1, 2})}), ElementsAre(HasSubstr("no serial")));
  EXPECT_THAT(with_past({Reads(0, {}), Reads(1, {})}), ElementsAre(HasSubstr("no serial")));
}

TEST(ListChecker, RefusesALostUpdate) {
  // Both read the empty list and appended; the second overwrote the first.
  EXPECT_THAT(CheckLists({Committed(1, kAllTheTime, {Appends(0, {})}),
                          Committed(2, kAllTheTime, {Appends(0, {})}),
                          Committed(3, {110, 120}, {Reads(0, {2})})}),
              ElementsAre(HasSubstr("run 1, list 0: run 2 appended between")));
}

TEST(ListChecker, RefusesALostAppend) {
  EXPECT_THAT(
      CheckLists({Committed(1, kFirst, {Appends(0, {})}), Committed(2, kSecond, {Reads(0, {})})}),
      ElementsAre(HasSubstr("run 1, list 0: its append is lost")));
}

TEST(ListChecker, RefusesAWriteSkew) {
  // Each read what the other wrote, and neither saw it.
  EXPECT_THAT(CheckLists({Committed(1, kAllTheTime, {Reads(0, {}), Appends(1, {})}),
                          Committed(2, kAllTheTime, {Appends(0, {}), Reads(1, {})}),
                          Committed(3, {110, 120}, {Reads(0, {2}), Reads(1, {1})})}),
              ElementsAre(AllOf(HasSubstr("0 -read-write-> 1"), HasSubstr("1 -read-write-> 0"))));
}

TEST(ListChecker, RefusesAnAbortedRead) {
  EXPECT_THAT(
      CheckLists({NotApplied(1, kFirst, {Appends(0, {})}), Committed(2, kSecond, {Reads(0, {1})})}),
      Contains(HasSubstr("run 1, list 0: aborted, but its append was read")));
}

TEST(ListChecker, RefusesADirtyRead) {
  // Read while the run went on that never finished; gone from the list afterwards.
  EXPECT_THAT(
      CheckLists({NotApplied(1, kAllTheTime, {Appends(0, {})}),
                  Committed(2, kFirst, {Reads(0, {1})}), Committed(3, {110, 120}, {Appends(0, {})}),
                  Committed(4, {130, 140}, {Reads(0, {3})})}),
      Contains(HasSubstr("run 1, list 0: aborted")));
}

TEST(ListChecker, RefusesAStaleReadAfterTheAnswer) {
  EXPECT_THAT(
      CheckLists({Committed(1, kFirst, {Appends(0, {})}), Committed(2, kSecond, {Reads(0, {})}),
                  Committed(3, kThird, {Reads(0, {1})})}),
      ElementsAre(AllOf(HasSubstr("0 -real time-> 1"), HasSubstr("1 -read-write-> 0"))));
}

TEST(ListChecker, RefusesAFracturedRead) {
  EXPECT_THAT(CheckLists({Committed(1, kAllTheTime, {Appends(0, {}), Appends(1, {})}),
                          Committed(2, kAllTheTime, {Reads(0, {1}), Reads(1, {})}),
                          Committed(3, {110, 120}, {Reads(0, {1}), Reads(1, {1})})}),
              ElementsAre(AllOf(HasSubstr("0 -write-read-> 1"), HasSubstr("1 -read-write-> 0"))));
}

TEST(ListChecker, RefusesTwoReadersWhoDisagreeOnTheOrderOfWriters) {
  EXPECT_THAT(CheckLists({Committed(1, kAllTheTime, {Appends(0, {})}),
                          Committed(2, kAllTheTime, {Appends(1, {})}),
                          Committed(3, kAllTheTime, {Reads(0, {1}), Reads(1, {})}),
                          Committed(4, kAllTheTime, {Reads(0, {}), Reads(1, {2})})}),
              ElementsAre(HasSubstr("no serial order")));
}

TEST(ListChecker, RefusesWhatIsNoPrefix) {
  EXPECT_THAT(
      CheckLists({Committed(1, kFirst, {Appends(0, {})}), Committed(2, kSecond, {Appends(0, {1})}),
                  Committed(3, kThird, {Reads(0, {2})}),
                  Committed(4, {60, 70}, {Reads(0, {1, 2})})}),
      ElementsAre(HasSubstr("run 3, list 0: read what is no prefix")));
}

TEST(ListChecker, RefusesADuplicateAndAnIdOutOfNowhere) {
  EXPECT_THAT(CheckLists({Committed(1, kFirst, {Appends(0, {})}),
                          Committed(2, kSecond, {Reads(0, {1, 1})})}),
              ElementsAre(HasSubstr("run 1, list 0: appended twice")));
  EXPECT_THAT(CheckLists({Committed(1, kFirst, {Appends(0, {})}),
                          Committed(2, kSecond, {Reads(0, {1, 9})})}),
              ElementsAre(HasSubstr("run 9, list 0: nobody appended")));
}

TEST(SerializationGraphTest, FindsTheCycleAmongThousandsOfRuns) {
  SerializationGraph graph(10'000);
  for (std::size_t i = 1; i < 10'000; ++i) graph.Add(i - 1, i, "next");
  EXPECT_EQ(graph.FindCycle(), std::nullopt);
  graph.Add(5'001, 5'000, "back");
  const std::optional<std::string> cycle = graph.FindCycle();
  ASSERT_TRUE(cycle.has_value());
  EXPECT_THAT(*cycle, HasSubstr("5001 -back-> 5000"));
}

BankHistory GoodBank() {
  return {
      .opening = {50, 50},
      .transfers = {{kFirst, Fate::kCommitted, 0, 1, 20}, {kSecond, Fate::kNotApplied, 1, 0, 5}},
      .reads = {{"in one script", std::nullopt, 7, {30, 70}}, {"as of", 3, 9, {50, 50}}},
      .closing = {30, 70}};
}

TEST(BankChecker, AcceptsWhatAddsUp) {
  EXPECT_THAT(CheckBank(GoodBank()), IsEmpty());
}

TEST(BankChecker, RefusesASumThatIsOff) {
  BankHistory bank = GoodBank();
  bank.reads[0].balances = {30, 50};
  EXPECT_THAT(CheckBank(bank), ElementsAre(HasSubstr("the sum is 80, not 100")));
}

TEST(BankChecker, RefusesAReadThatMissesAnAccount) {
  BankHistory bank = GoodBank();
  bank.reads[0].balances = {100};
  EXPECT_THAT(CheckBank(bank), ElementsAre(HasSubstr("there are 2 accounts")));
}

TEST(BankChecker, RefusesABalanceBelowZero) {
  BankHistory bank = GoodBank();
  bank.reads[0].balances = {-10, 110};
  EXPECT_THAT(CheckBank(bank), ElementsAre(HasSubstr("below zero")));
}

TEST(BankChecker, RefusesTwoAnswersAsOfOneInstant) {
  BankHistory bank = GoodBank();
  bank.reads.push_back({"as of", 3, 12, {30, 70}});
  EXPECT_THAT(CheckBank(bank), ElementsAre(HasSubstr("two answers as of 3")));
  bank.reads.back().stamp_ms = 3;  // asked within the millisecond, which was not over
  EXPECT_THAT(CheckBank(bank), IsEmpty());
}

TEST(BankChecker, RefusesATransferThatIsLostOrWasRolledBackAndHappened) {
  BankHistory bank = GoodBank();
  bank.closing = {50, 50};
  EXPECT_THAT(CheckBank(bank), ElementsAre(HasSubstr("but the transfers make 30 70")));
  bank.closing = {35, 65};
  EXPECT_THAT(CheckBank(bank), ElementsAre(HasSubstr("closing balances 35 65")));
}

Touch Wrote(int key, std::int64_t revision, Interval time, std::int64_t stamp_ms) {
  return {key, true, revision, time, {stamp_ms, 0, 1}};
}
Touch Found(int key, std::int64_t revision, Interval time, std::int64_t stamp_ms) {
  return {key, false, revision, time, {stamp_ms, 0, 1}};
}

TEST(RevisionChecker, AcceptsRevisionsAndStampsThatRise) {
  EXPECT_THAT(CheckRevisions({Wrote(0, 0, kFirst, 1), Found(0, 0, kSecond, 2),
                              Wrote(0, 1, kThird, 3), Wrote(1, 0, kThird, 3)}),
              IsEmpty());
}

TEST(RevisionChecker, RefusesAReadThatFallsBehindAnAnswer) {
  EXPECT_THAT(
      CheckRevisions({Wrote(0, 0, kFirst, 1), Wrote(0, 1, kSecond, 2), Found(0, 0, kThird, 3)}),
      Contains(HasSubstr("write of key 0 revision 1 at 2.0 was answered before read")));
}

TEST(RevisionChecker, RefusesOneRevisionTwice) {
  EXPECT_THAT(CheckRevisions({Wrote(0, 0, kAllTheTime, 1), Wrote(0, 0, kAllTheTime, 2)}),
              ElementsAre(HasSubstr("one revision twice")));
}

TEST(RevisionChecker, RefusesARevisionThatNobodyWrote) {
  EXPECT_THAT(CheckRevisions({Wrote(0, 0, kFirst, 1), Wrote(0, 2, kSecond, 2)}),
              ElementsAre(HasSubstr("nobody wrote between")));
  EXPECT_THAT(CheckRevisions({Wrote(0, 0, kFirst, 1), Found(0, 1, kSecond, 2)}),
              ElementsAre(HasSubstr("nobody wrote what was read")));
}

TEST(RevisionChecker, RefusesStampsThatContradictRevisionsOrReads) {
  EXPECT_THAT(CheckRevisions({Wrote(0, 0, kAllTheTime, 2), Wrote(0, 1, kAllTheTime, 1)}),
              ElementsAre(HasSubstr("stamps fall")));
  EXPECT_THAT(CheckRevisions({Wrote(0, 0, kAllTheTime, 2), Found(0, 0, kAllTheTime, 1)}),
              ElementsAre(HasSubstr("stamps fall")));
  EXPECT_THAT(CheckRevisions({Found(0, 0, kAllTheTime, 3), Wrote(0, 0, kAllTheTime, 1),
                              Wrote(0, 1, kAllTheTime, 2)}),
              ElementsAre(HasSubstr("stamps fall")));
}

TEST(RevisionChecker, RefusesStampsOfTwoKeysThatContradictRealTime) {
  EXPECT_THAT(CheckRevisions({Wrote(0, 0, kFirst, 2), Wrote(1, 0, kSecond, 1)}),
              ElementsAre(HasSubstr("was answered before write of key 1")));
  EXPECT_THAT(CheckRevisions({Wrote(0, 0, kFirst, 2), Wrote(1, 0, kSecond, 2)}),
              ElementsAre(HasSubstr("was answered before")));
}

TEST(FloorsTest, TooFewCommitsOrOverlapsAreNoVerdict) {
  const std::vector<ListRun> runs = {Committed(1, kAllTheTime, {Appends(0, {})}),
                                     Committed(2, kAllTheTime, {Appends(0, {1})}),
                                     Committed(3, {110, 120}, {Appends(0, {1, 2})})};
  EXPECT_THAT(FloorFindings(Weigh(runs), {3, 1}), IsEmpty());
  EXPECT_THAT(FloorFindings(Weigh(runs), {4, 2}),
              UnorderedElementsAre(HasSubstr("no verdict: 3 commits, at least 4"),
                                   HasSubstr("no verdict: 1 overlaps, at least 2")));
}

}  // namespace
}  // namespace palena::isolation
