// What time does to a limiter: whose clock decides, what comes back and when, how it is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "faults/limiters.h"

namespace palena::limits {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

constexpr std::int64_t kNsOfMs = 1'000'000;
constexpr std::int64_t kSecond = 1'000;
constexpr std::int64_t kHour = 3'600'000;

using TimeFaults = AnyLimiter;
INSTANTIATE_TEST_SUITE_P(Limiters, TimeFaults, testing::ValuesIn(Takers()),
                         [](const auto& test) { return test.param; });

// RL-036, RL-039: time is the node's, and it does not go back.
TEST_P(TimeFaults, NeitherACallersClockNorAStepOfTheNodesGivesUnitsBack) {
  limiters_.WaitForMultipleOf(1'000);
  ASSERT_EQ(limiters_.Drain(Ten()), 10);
  for (const std::int64_t step_ms : {-kSecond, kSecond, -kHour, kHour}) {
    Rule with_time = Ten();
    with_time.numbers.emplace_back("now", std::to_string(limiters_.now_ms() + step_ms));
    EXPECT_FALSE(limiters_.Take(with_time).is_allowed) << "told to be " << step_ms << " ms on";
    limiters_.clock().StepWall(step_ms * kNsOfMs);
    EXPECT_FALSE(limiters_.Take(Ten()).is_allowed) << "set " << step_ms << " ms on";
  }
  limiters_.WaitMs(1'000);
  EXPECT_EQ(limiters_.Drain(Ten()), 10);
}

// RL-045, RL-078: who asks ten times as often as there is something gets all that there is, since
// a refusal costs nothing, and nobody has to come round to refill.
TEST_P(TimeFaults, WhoAsksTooOftenGetsExactlyTheLimit) {
  limiters_.WaitForMultipleOf(1'000);
  std::int64_t granted = 0;
  for (int i = 0; i < 100 * 100; ++i) {
    granted += limiters_.Take(Ten()).is_allowed ? 1 : 0;
    limiters_.WaitMs(10);
  }
  EXPECT_THAT(granted, AllOf(Ge(1'000), Le(1'010))) << "100 windows of 10, and a full bucket";
}

// RL-077: many calls in one second are many.
TEST_P(TimeFaults, CallsOfOneInstantAreCountedOneByOne) {
  const Rule rule = PerWindow(GetParam(), 10, 20'000);
  limiters_.WaitForMultipleOf(20'000);
  int granted = 0;
  for (int i = 0; i < 100; ++i) {
    granted += limiters_.Take(rule).is_allowed ? 1 : 0;
    if (i % 10 == 9) limiters_.WaitMs(1);
  }
  EXPECT_EQ(granted, 10);
}

// RL-075: what no longer counts is out before it is counted.
TEST_P(TimeFaults, AWindowAfterAFullBurstAllIsThereAgain) {
  for (const std::int64_t late_ms : {0, 1}) {
    limiters_.WaitForMultipleOf(1'000);
    ASSERT_EQ(limiters_.Drain(Ten()), 10);
    limiters_.WaitMs(999);
    EXPECT_LE(limiters_.Peek(Ten()).remaining, 9);
    limiters_.WaitMs(1 + late_ms);
    EXPECT_EQ(limiters_.Peek(Ten()).remaining, 10);
    EXPECT_TRUE(limiters_.Take(Ten(), 10).is_allowed);
    limiters_.WaitMs(2'000);
  }
}

// RL-061: however long nobody came.
TEST_P(TimeFaults, AfterAnyIdleTimeExactlyTheLimitIsThere) {
  constexpr std::int64_t kDay = 24 * kHour;
  for (const std::int64_t idle_ms : {kHour, 12 * kHour, kDay, 365 * kDay, 3'650 * kDay}) {
    limiters_.Take(Ten(), 7);
    limiters_.WaitMs(idle_ms);
    EXPECT_EQ(limiters_.Peek(Ten()).remaining, 10) << idle_ms;
    limiters_.WaitForMultipleOf(1'000);
    EXPECT_EQ(limiters_.Drain(Ten()), 10) << idle_ms;
  }
}

// RL-011, RL-107: within the window, and of what is left of it; a refusal names the same instant.
TEST_P(TimeFaults, ResetsLieWithinTheWindowAndWaitsAreWhatIsLeft) {
  const Rule rule = PerWindow(GetParam(), 10, 60'000);
  limiters_.WaitForMultipleOf(60'000);
  limiters_.Take(rule, 10);
  limiters_.WaitMs(50'000);
  const Answer refused = limiters_.Take(rule, 10);
  EXPECT_FALSE(refused.is_allowed);
  EXPECT_EQ(refused.retry_after_ms, 10'000);
  EXPECT_EQ(refused.reset_at_ms, limiters_.now_ms() + 10'000);
}

// RL-096, RL-116: one number all through the window, whatever is asked.
TEST(TimeFaultsTest, TheEndOfAWindowIsOneInstantAllThroughIt) {
  for (const char* const limiter : {"fixed_window", "first_hit_window"}) {
    Limiters limiters;
    const Rule rule = PerWindow(limiter, 300, 60'000);
    limiters.WaitForMultipleOf(60'000);
    std::set<std::int64_t> ends;
    for (int i = 0; i < 1'000; ++i) {
      ends.insert(limiters.Take(rule, i == 0 ? 1 : i % 3).reset_at_ms);
      limiters.clock().Advance(59'999'999);
    }
    EXPECT_EQ(ends.size(), 1U) << limiter;
  }
}

// RL-041: a closed loop gets rate and burst, however finely it asks.
TEST(TimeFaultsTest, AClosedLoopGetsTheRateAndTheBurst) {
  for (const Rule& rule : {Gcra(11, 100, 1'000), Bucket(11, 100, 1'000)}) {
    Limiters limiters;
    std::int64_t granted = 0;
    for (int i = 0; i < 50'000; ++i) {
      granted += limiters.Take(rule).is_allowed ? 1 : 0;
      limiters.clock().Advance(100'000);
    }
    EXPECT_THAT(granted, AllOf(Ge(500), Le(511))) << rule.limiter;
  }
}

// RL-068: parts of a unit are carried on, also when somebody looks before there is a whole one.
TEST(TimeFaultsTest, AskingOftenLosesNoPartOfAUnit) {
  struct Case {
    std::int64_t capacity, tokens, per_ms, expected;
  };
  for (const Case& bucket : {Case{1, 1, 10, 1'000}, Case{19, 19, 10, 19'018}}) {
    for (const Rule& rule : {Bucket(bucket.capacity, bucket.tokens, bucket.per_ms),
                             Gcra(bucket.capacity, bucket.tokens, bucket.per_ms)}) {
      Limiters limiters;
      std::int64_t granted = 0;
      for (int ms = 0; ms < 10'000; ++ms) {
        granted += limiters.Drain(rule);
        limiters.WaitMs(1);
      }
      EXPECT_THAT(granted, AllOf(Ge(bucket.expected - 1), Le(bucket.expected + 1)))
          << rule.limiter << " " << bucket.tokens << " per " << bucket.per_ms;
    }
  }
}

// RL-059, RL-060: at every rate p / q the one unit is there, and back after exactly q / p.
TEST(TimeFaultsTest, OneUnitIsBackAfterExactlyItsTimeAtEveryRate) {
  Limiters limiters;
  for (std::int64_t p = 1; p <= 50; ++p) {
    for (std::int64_t q = 1; q <= 50; ++q) {
      const std::string key = std::to_string(p) + "/" + std::to_string(q);
      const std::int64_t back_after = (q * 1'000 + p - 1) / p;
      const Rule rule = q % 2 == 0 ? Bucket(1, p, q * 1'000) : Gcra(1, p, q * 1'000);
      ASSERT_TRUE(limiters.Take(rule, 1, key).is_allowed) << key;
      limiters.WaitMs(back_after - 1);
      ASSERT_FALSE(limiters.Take(rule, 1, key).is_allowed) << key;
      limiters.WaitMs(1);
      ASSERT_TRUE(limiters.Take(rule, 1, key).is_allowed) << key;
    }
  }
}

// RL-066
TEST(TimeFaultsTest, NoBurstIsLargerThanTheFirstAfterAPause) {
  Limiters limiters;
  for (std::int64_t burst = 1; burst <= 100; ++burst) {
    for (const std::int64_t bursts : {1, 2, 10}) {
      for (const std::int64_t periods : {bursts, burst * bursts}) {
        const Rule rule = Gcra(burst, 1, kSecond);
        ASSERT_EQ(limiters.Drain(rule), burst);
        limiters.WaitMs(periods * kSecond);
        ASSERT_EQ(limiters.Drain(rule), std::min(burst, periods)) << burst << ", " << periods;
        limiters.WaitMs(burst * kSecond);
      }
    }
  }
}

// RL-061: the product of a long time and a rate is never made.
TEST(TimeFaultsTest, IdleTimeTimesTheRateDoesNotOverflow) {
  constexpr std::int64_t kYear = 365 * 24 * kHour;
  Limiters limiters;
  const Rule slow = Bucket(4, 1, 1'000'000'000'000'000'000);
  const Rule fast = Bucket(4, 9'223'372'036'854'775'807, 1'000'000'000'000'000'000);
  ASSERT_TRUE(limiters.Take(slow, 4, "slow").is_allowed);
  ASSERT_TRUE(limiters.Take(fast, 4, "fast").is_allowed);
  limiters.WaitMs(10 * kYear);
  const Answer little = limiters.Take(slow, 1, "slow");
  EXPECT_FALSE(little.is_allowed);
  EXPECT_EQ(little.retry_after_ms, 1'000'000'000'000'000'000 - 10 * kYear);
  EXPECT_EQ(limiters.Peek(fast, "fast").remaining, 4);
  // The same bucket, asked at a rate that it never had.
  EXPECT_EQ(limiters.Peek(fast, "slow").remaining, 4);
}

// RL-044: what is shorter than a millisecond cannot be said, and is not rounded to nothing.
TEST(TimeFaultsTest, APeriodBelowAMillisecondIsRefusedByName) {
  for (const std::string& limiter : Takers()) {
    const std::string period = limiter == "gcra"           ? "period_ms"
                               : limiter == "token_bucket" ? "refill_ms"
                                                           : "window_ms";
    Limiters limiters;
    for (const char* const text : {"0", "0.5", "0.001", "-1"}) {
      Rule rule = PerWindow(limiter, 10, 1'000);
      for (auto& [name, value] : rule.numbers) {
        if (name == period) value = text;
      }
      EXPECT_THAT(limiters.Take(rule).error, HasSubstr("@" + period)) << limiter << " " << text;
    }
    EXPECT_EQ(limiters.Look(), State{}) << limiter;
  }
  Limiters limiters;
  Rule segments = PerWindow("sliding_window", 10, 5);
  segments.numbers.back() = {"segments", "10"};
  EXPECT_THAT(limiters.Take(segments).error, HasSubstr("@segments"));
}

}  // namespace
}  // namespace palena::limits
