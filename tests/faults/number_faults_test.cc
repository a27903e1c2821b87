// Numbers at the edge: none, one, more than there is, more than fits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/read_file.h"
#include "faults/limiters.h"

namespace palena::limits {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t kMax = 9'223'372'036'854'775'807;

using NumberFaults = AnyLimiter;
INSTANTIATE_TEST_SUITE_P(Limiters, NumberFaults, testing::ValuesIn(Takers()),
                         [](const auto& test) { return test.param; });

// RL-046: each zero alone, and all together: a refusal, a peek or an error with the name.
TEST_P(NumberFaults, ZerosAreRefusedOrNamedAndNeverUnlimited) {
  std::vector<Rule> rules(1, Ten());
  for (auto& [name, value] : rules[0].numbers) value = "0";
  for (std::size_t i = 0; i < rules[0].numbers.size(); ++i) {
    rules.push_back(Ten());
    rules.back().numbers[i].second = "0";
  }
  for (const Rule& rule : rules) {
    int granted = 0;
    for (int i = 0; i < 20; ++i) {
      for (const std::int64_t cost : {1, 0}) {
        const Answer answer = limiters_.Take(rule, cost);
        if (!answer.error.empty()) {
          EXPECT_THAT(answer.error, StartsWith("@"));
        } else if (cost == 1) {
          granted += answer.is_allowed ? 1 : 0;
        }
      }
    }
    EXPECT_LE(granted, 10);
  }
  limiters_.WaitMs(10'000);
  EXPECT_EQ(limiters_.Drain(Ten()), 10) << "and the node goes on";
}

// RL-058
TEST_P(NumberFaults, ALimitOfNothingRefusesEverythingForEver) {
  const Answer refused = limiters_.Take(PerWindow(GetParam(), 0, 1'000));
  EXPECT_FALSE(refused.is_allowed);
  if (GetParam() == "gcra") {
    EXPECT_THAT(refused.error, HasSubstr("@max_burst")) << "it has one unit and a burst beyond it";
  } else {
    EXPECT_EQ(refused.error, "");
    EXPECT_EQ(refused.retry_after_ms, kNever);
  }
  EXPECT_EQ(limiters_.Look(), State{});
}

// RL-056
TEST_P(NumberFaults, ALimitOfOneAdmitsOneInEachWindow) {
  const Rule one = PerWindow(GetParam(), 1, 10'000);
  limiters_.WaitForMultipleOf(10'000);
  for (int window = 0; window < 10; ++window) {
    EXPECT_EQ(limiters_.Drain(one), 1);
    limiters_.WaitMs(9'999);
    EXPECT_EQ(limiters_.Drain(one), 0);
    limiters_.WaitMs(1);
  }
}

// RL-051, RL-052, RL-053: a cost that can never fit.
TEST_P(NumberFaults, ACostAboveTheLimitNeverPassesAndChangesNothing) {
  limiters_.WaitForMultipleOf(1'000);
  const Answer before = limiters_.Take(Ten(), 5);
  ASSERT_TRUE(before.is_allowed);
  const State state = limiters_.Look();
  for (const std::int64_t cost : {std::int64_t{11}, std::int64_t{100}, std::int64_t{1} << 31,
                                  (std::int64_t{1} << 53) + 1, kMax - 1, kMax}) {
    const Answer refused = limiters_.Take(Ten(), cost);
    EXPECT_EQ(refused.error, "");
    EXPECT_FALSE(refused.is_allowed) << cost;
    EXPECT_EQ(refused.retry_after_ms, kNever) << cost;
    EXPECT_EQ(refused.remaining, 5) << cost;
    EXPECT_EQ(refused.reset_at_ms, before.reset_at_ms) << cost;
    EXPECT_EQ(limiters_.Look(), state) << cost;
  }
}

// RL-023, RL-025: there is no way to give units back twice, since there is none to give them back.
TEST_P(NumberFaults, ANegativeCostIsRefusedByName) {
  limiters_.Take(Ten(), 5);
  const State state = limiters_.Look();
  for (const char* const cost : {"-1", "-5", "-9223372036854775808", "9223372036854775808", ""}) {
    EXPECT_THAT(limiters_.TakeText(Ten(), cost).error, HasSubstr("@cost")) << cost;
    EXPECT_EQ(limiters_.Look(), state) << cost;
  }
}

// RL-055, RL-113: what is refused is not charged.
TEST_P(NumberFaults, ARefusedCostLeavesTheRestToOthers) {
  limiters_.WaitForMultipleOf(1'000);
  ASSERT_TRUE(limiters_.Take(Ten(), 7).is_allowed);
  const State state = limiters_.Look();
  EXPECT_FALSE(limiters_.Take(Ten(), 5).is_allowed);
  EXPECT_EQ(limiters_.Look(), state);
  EXPECT_TRUE(limiters_.Take(Ten(), 3).is_allowed);
}

// Limits that a limiter does not take are named; none of them is no limit.
void ExpectIsRefused(const Answer& answer) {
  EXPECT_FALSE(answer.is_allowed);
  EXPECT_THAT(answer.error, AnyOf(HasSubstr("@limit must be 0 to 100"), HasSubstr("@count must be"),
                                  HasSubstr("above 4000000000000000000")));
}

// RL-047, RL-070: however large, at one instant exactly the limit passes.
TEST_P(NumberFaults, LargeLimitsAreEnforced) {
  limiters_.WaitForMultipleOf(1'000);
  for (const std::int64_t limit : {1'000, 10'000, 1'000'000, 1'000'000'000}) {
    const Rule rule = PerWindow(GetParam(), limit, 1'000);
    const std::string key = std::to_string(limit);
    const Answer first = limiters_.Take(rule, limit / 10, key);
    if (!first.error.empty()) {
      ExpectIsRefused(first);
      continue;
    }
    for (int i = 1; i < 10; ++i) EXPECT_TRUE(limiters_.Take(rule, limit / 10, key).is_allowed);
    EXPECT_FALSE(limiters_.Take(rule, 1, key).is_allowed) << limit;
  }
}

// RL-070
TEST_P(NumberFaults, LimitsBeyondDoublesAreExactAndBeyondTheRangeRefused) {
  for (const std::int64_t limit : {std::int64_t{1} << 31, std::int64_t{1} << 41,
                                   (std::int64_t{1} << 53) + 1, std::int64_t{1} << 61, kMax}) {
    const Rule rule = GetParam() == "gcra"           ? Gcra(limit, 1, 1)
                      : GetParam() == "token_bucket" ? Bucket(limit, 1, 1)
                                                     : PerWindow(GetParam(), limit, 1'000);
    const std::string key = std::to_string(limit);
    const Answer first = limiters_.Take(rule, limit, key);
    const Answer second = limiters_.Take(rule, limit, key);
    if (!first.error.empty()) {
      ExpectIsRefused(first);
      EXPECT_TRUE(GetParam() == "sliding_log" || limit == kMax) << limit;
      EXPECT_EQ(limiters_.Look(key), State{});
      continue;
    }
    EXPECT_TRUE(first.is_allowed) << limit;
    EXPECT_EQ(first.remaining, 0) << limit;
    EXPECT_FALSE(second.is_allowed) << limit;
    EXPECT_FALSE(limiters_.Take(rule, 1, key).is_allowed) << limit;
  }
}

// RL-069: a count at the end of any range of integers is still a count.
TEST(NumberFaultsTest, AFullCounterDoesNotWrap) {
  for (const char* const count :
       {"4294967295", "4294967296", "9007199254740992", "9223372036854775807"}) {
    Limiters limiters;
    limiters.WaitForMultipleOf(1'000);
    limiters.Run("eset k to_int(@count) ex 1000", {{"count", count}});
    const State state = limiters.Look();
    for (const std::int64_t limit : {std::int64_t{10}, std::int64_t{4'294'967'295}}) {
      const Answer refused = limiters.Take(PerWindow("fixed_window", limit, 1'000));
      EXPECT_FALSE(refused.is_allowed) << count;
      EXPECT_EQ(refused.remaining, 0) << count;
      EXPECT_EQ(refused.retry_after_ms, 1'000) << count;
    }
    EXPECT_EQ(limiters.Look(), state) << count;
  }
}

// RL-069: the recipe that counts refused calls too.
TEST(NumberFaultsTest, ARecipeThatCountsEverythingEndsInAnErrorAndNotInAnOpenDoor) {
  Limiters limiters;
  const std::string recipe =
      base::ReadFile(PALENA_SOURCE_DIR "/scripts/recipes/redis_fixed_window.pal");
  limiters.Run("eset k to_int('9223372036854775806') ex 1000");
  const Parameters parameters = {{"key", "k"}, {"window", "1"}, {"maxRequests", "10"}};
  EXPECT_EQ(limiters.Run(recipe, parameters).text(), "0");
  const State state = limiters.Look();
  const Result full = limiters.Run(recipe, parameters);
  EXPECT_EQ(full.type, ResultType::kErrored);
  EXPECT_THAT(full.reason, HasSubstr("Integer overflow"));
  EXPECT_EQ(limiters.Look(), state);
}

}  // namespace
}  // namespace palena::limits
