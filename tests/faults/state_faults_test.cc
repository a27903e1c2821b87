// What lies in the store between two calls: how long, under which key, and what is written at all.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/temp_dir.h"
#include "faults/limiters.h"

namespace palena::limits {
namespace {

using testing::AllOf;
using testing::Gt;
using testing::Le;

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kYear = 365 * kDay;

using StateFaults = AnyLimiter;
INSTANTIATE_TEST_SUITE_P(Limiters, StateFaults, testing::ValuesIn(Takers()),
                         [](const auto& test) { return test.param; });

// RL-001, RL-003, RL-004: on a new key, on one that is about to expire, in its last millisecond and
// when it has just gone; whatever the first charge was.
TEST_P(StateFaults, NoTakeLeavesAStateWithoutAnExpiry) {
  limiters_.Peek(Ten());
  EXPECT_EQ(limiters_.Look(), State{}) << "a peek creates nothing";
  const auto expires_in = [&] { return limiters_.Look().expires_ms - limiters_.now_ms(); };
  for (const std::int64_t cost : {1, 5, 10}) {
    for (const std::int64_t early_ms : {1, 0, -1}) {
      SCOPED_TRACE(testing::Message()
                   << cost << ", then again " << early_ms << " ms before the end");
      ASSERT_TRUE(limiters_.Take(Ten(), cost).is_allowed);
      ASSERT_THAT(expires_in(), AllOf(Gt(0), Le(1'000)));
      limiters_.WaitMs(expires_in() - early_ms);
      limiters_.Take(Ten(), cost);
      limiters_.Take(Ten(), 1);
      ASSERT_THAT(expires_in(), AllOf(Gt(0), Le(1'000)));
      limiters_.WaitMs(2'000);
    }
  }
}

// RL-019: a state whose time to live comes to less than the smallest unit is still kept.
TEST_P(StateFaults, TheShortestWindowsRefuseToo) {
  const Rule rule = PerWindow(GetParam(), 1, 1);
  for (int ms = 0; ms < 20; ++ms) {
    EXPECT_TRUE(limiters_.Take(rule).is_allowed);
    const Answer second = limiters_.Take(rule);
    EXPECT_FALSE(second.is_allowed);
    EXPECT_EQ(second.retry_after_ms, 1);
    limiters_.WaitMs(1);
  }
}

// RL-086: costs, limits and windows are no part of a caller's identity.
TEST_P(StateFaults, OneCallerHasOneKeyHoweverItIsAsked) {
  for (int i = 0; i < 1'000; ++i) {
    limiters_.Take(PerWindow(GetParam(), 1 + i % 100, 1'000 + i % 7 * 60), i % 5, "caller:anna");
    limiters_.WaitMs(i % 11);
  }
  EXPECT_EQ(limiters_.KeysBelow("caller:anna"), 1U);
}

// RL-084, RL-085, RL-114: state says what was used, so there is one truth about what is left.
TEST_P(StateFaults, AChangedLimitAppliesAtOnceToWhatWasUsed) {
  limiters_.WaitForMultipleOf(1'000);
  ASSERT_EQ(limiters_.Drain(Ten()), 10);
  const Rule twenty = PerWindow(GetParam(), 20, 1'000);
  const Rule five = PerWindow(GetParam(), 5, 1'000);
  const Answer raised = limiters_.Peek(twenty);
  EXPECT_TRUE(raised.is_allowed);
  EXPECT_EQ(raised.remaining, 10);
  EXPECT_TRUE(limiters_.Take(twenty, 10).is_allowed);
  EXPECT_FALSE(limiters_.Take(twenty).is_allowed);

  const Answer lowered = limiters_.Take(five);
  EXPECT_FALSE(lowered.is_allowed);
  EXPECT_EQ(lowered.remaining, 0) << "not below";
  EXPECT_EQ(limiters_.Peek(five).remaining, 0);
  limiters_.WaitMs(lowered.retry_after_ms);
  EXPECT_TRUE(limiters_.Take(five).is_allowed);
}

// RL-084
TEST_P(StateFaults, AChangedWindowAppliesToWhatPeekAndTakeAnswerAlike) {
  limiters_.WaitForMultipleOf(60'000);
  ASSERT_EQ(limiters_.Drain(Ten()), 10);
  for (const std::int64_t window_ms : {500, 2'000, 60'000}) {
    const Rule changed = PerWindow(GetParam(), 10, window_ms);
    const Answer peek = limiters_.Peek(changed);
    const Answer take = limiters_.Take(changed);
    EXPECT_FALSE(take.is_allowed) << window_ms;
    EXPECT_EQ(peek.remaining, take.remaining) << window_ms;
    EXPECT_EQ(peek.retry_after_ms, take.retry_after_ms) << window_ms;
    EXPECT_THAT(take.retry_after_ms, AllOf(Gt(0), Le(std::max<std::int64_t>(window_ms, 1'000))))
        << window_ms;
  }
}

// RL-094: long windows on disk, with a restart in the middle and nobody asking.
TEST_P(StateFaults, LongWindowsOutliveRestartsAndEndInTime) {
  const base::TempDir directory;
  Limiters limiters(Keys::kPersistent, {.data_dir = directory / "data"});
  for (const std::int64_t window_ms : {30 * kDay, kYear}) {
    const Rule rule = PerWindow(GetParam(), 10, window_ms);
    const std::string key = std::to_string(window_ms);
    limiters.WaitForMultipleOf(window_ms);
    ASSERT_TRUE(limiters.Take(rule, 10, key).is_allowed);
    limiters.WaitMs(window_ms / 20);  // less than a bucket needs for a whole unit
    limiters.Restart();
    EXPECT_EQ(limiters.Take(rule, 1, key).remaining, 0);
    limiters.WaitMs(window_ms - window_ms / 20);
    EXPECT_TRUE(limiters.Take(rule, 10, key).is_allowed);
  }
}

// RL-022: between two statements of a run nothing expires, and what is not there has a time to
// live that can be compared.
TEST(StateFaultsTest, AKeyThatIsNotThereHasTheExpiryZero) {
  Limiters limiters;
  const std::string ask =
      "let c = eget k  if expires(c) > hlc() then return 'later' end return 'now'";
  EXPECT_EQ(limiters.Run(ask).text(), "now");
  limiters.Run("eset k 1 ex 50");
  EXPECT_EQ(limiters.Run(ask).text(), "later");
  limiters.WaitMs(50);
  EXPECT_EQ(limiters.Run(ask).text(), "now") << "the last millisecond";
  limiters.WaitMs(1);
  EXPECT_EQ(limiters.Run(ask).text(), "now");
}

// RL-015: less than a millisecond before its end a window is still the same.
TEST(StateFaultsTest, AWindowKeepsItsEndAndCountToTheLastFractionOfAMillisecond) {
  for (const char* const limiter : {"fixed_window", "first_hit_window"}) {
    Limiters limiters;
    const Rule rule = PerWindow(limiter, 10, 60'000);
    limiters.WaitForMultipleOf(60'000);
    const std::int64_t end = limiters.Take(rule, 3).reset_at_ms;
    limiters.clock().Advance(60'000 * 1'000'000LL - 300'000);
    const Answer last = limiters.Take(rule);
    EXPECT_EQ(last.remaining, 6) << limiter;
    EXPECT_EQ(last.reset_at_ms, end) << limiter;
    limiters.clock().Advance(300'000);
    EXPECT_EQ(limiters.Take(rule).remaining, 9) << limiter;
  }
}

// RL-016: which window a call belongs to is asked of the clock, not of what has expired.
TEST(StateFaultsTest, ANewWindowNeverBeginsWithTheCountOfTheOld) {
  Limiters limiters;
  const Rule rule = PerWindow("fixed_window", 10, 60'000);
  limiters.WaitForMultipleOf(60'000);
  limiters.WaitMs(60'000 - 1'300);
  ASSERT_EQ(limiters.Drain(rule), 10);
  limiters.WaitMs(1'300 + 200);
  const Answer fresh = limiters.Take(rule);
  EXPECT_EQ(fresh.remaining, 9);
  EXPECT_EQ(fresh.reset_at_ms, limiters.now_ms() - 200 + 60'000);
}

// RL-018: a log does not go with its first entry.
TEST(StateFaultsTest, ALateBurstIsRememberedWhenTheFirstHitIsForgotten) {
  constexpr std::int64_t kMinute = 60'000;
  for (const char* const limiter : {"sliding_log", "sliding_window"}) {
    Limiters limiters;
    Rule rule = PerWindow(limiter, 10, 60 * kMinute);
    if (rule.limiter == "sliding_window") rule.numbers.back().second = "60";
    limiters.WaitForMultipleOf(60 * kMinute);
    EXPECT_TRUE(limiters.Take(rule).is_allowed);
    limiters.WaitMs(59 * kMinute);
    EXPECT_TRUE(limiters.Take(rule, 8).is_allowed) << limiter;
    limiters.WaitMs(2 * kMinute);
    EXPECT_EQ(limiters.Drain(rule), 2) << limiter << ": with the 8 a window's 10";
  }
}

// RL-020, RL-058: a bucket that never refills gives what it has, for good.
TEST(StateFaultsTest, ABucketWithoutRefillGivesItsCapacityOnceAndStays) {
  Limiters limiters;
  const Rule rule = Bucket(5, 0, 1'000);
  EXPECT_EQ(limiters.Drain(rule), 5);
  EXPECT_EQ(limiters.Look().expires_ms, 0);
  for (int year = 0; year < 10; ++year) {
    limiters.WaitMs(kYear);
    const Answer refused = limiters.Take(rule);
    EXPECT_FALSE(refused.is_allowed);
    EXPECT_EQ(refused.retry_after_ms, kNever);
    EXPECT_EQ(refused.reset_at_ms, kNever);
  }
}

// RL-115: the same bucket is how a caller is shut out until somebody resets it: no attempt of his
// gives the block an end.
TEST(StateFaultsTest, ABlockWithoutEndIsNotShortenedByAttempts) {
  Limiters limiters;
  const Rule block = Bucket(1, 0, 1);
  limiters.Take(block);
  const State blocked = limiters.Look();
  for (int attempt = 0; attempt < 100; ++attempt) EXPECT_FALSE(limiters.Take(block).is_allowed);
  EXPECT_EQ(limiters.Look(), blocked);
  limiters.WaitMs(kYear);
  limiters.PollUntilIdle();
  EXPECT_FALSE(limiters.Take(block).is_allowed);
}

// RL-021: from one a year to a thousand million a second.
TEST(StateFaultsTest, TimesToLiveArePositiveAtEveryRate) {
  Limiters limiters;
  int made = 0;
  for (const std::int64_t period_ms : {std::int64_t{1}, std::int64_t{1'000}, kDay, kYear}) {
    for (const std::int64_t count : {1, 7, 1'000, 1'000'000}) {
      for (const std::int64_t capacity : {1, 10, 1'000'000}) {
        for (const Rule& rule :
             {Gcra(capacity, count, period_ms), Bucket(capacity, count, period_ms)}) {
          const std::string key = std::to_string(++made);
          ASSERT_TRUE(limiters.Take(rule, capacity, key).is_allowed);
          const std::int64_t full_after = (capacity * period_ms + count - 1) / count;
          EXPECT_EQ(limiters.Look(key).expires_ms, limiters.now_ms() + full_after);
        }
      }
    }
  }
}

}  // namespace
}  // namespace palena::limits
