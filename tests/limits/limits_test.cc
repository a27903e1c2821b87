// The limiters of scripts/limits answer as their models do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "limits/trial.h"

namespace palena::limits {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kTakes = 10'000;
#else
constexpr int kTakes = 100'000;
#endif
constexpr int kCallsOfStory = 1'000;

// LIMITS_TAKES: how many calls of each limiter (make limits-long).
int Takes() {
  const char* const text = std::getenv("LIMITS_TAKES");
  return text == nullptr ? kTakes : std::atoi(text);
}

class LimiterModel : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Limiters, LimiterModel,
                         testing::Values("fixed_window", "first_hit_window", "sliding_window",
                                         "sliding_log", "token_bucket", "gcra",
                                         "concurrency_acquire"),
                         [](const auto& test) { return test.param; });

TEST_P(LimiterModel, AnswersAndWritesAsItsModelOnEphemeralAndPersistentKeys) {
  const Sources sources = LimiterSources();
  Told sum;
  for (std::uint64_t seed = 1; sum.calls < Takes() && !HasFailure(); ++seed) {
    const Keys keys = seed / 2 % 2 == 0 ? Keys::kEphemeral : Keys::kPersistent;
    const Told told = Tell({GetParam(), keys, seed, kCallsOfStory}, sources);
    ASSERT_EQ(told.difference.value_or(""), "");
    sum.calls += told.calls;
    sum.allowed += told.allowed;
    sum.denied += told.denied;
    sum.waited += told.waited;
    sum.errors += told.errors;
  }
  std::cout << "             " << sum.calls << " calls: " << sum.allowed << " allowed, "
            << sum.denied << " denied, " << sum.waited << " of them waited out, " << sum.errors
            << " errors\n";
  // A trial in which little happens shows little.
  EXPECT_GT(sum.allowed, Takes() / 10);
  EXPECT_GT(sum.denied, Takes() / 10);
  EXPECT_GT(sum.waited, Takes() / 100);
  EXPECT_GT(sum.errors, Takes() / 100);
}

}  // namespace
}  // namespace palena::limits
