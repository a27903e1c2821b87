// Of 2,000 takes at once of a budget of 100 exactly 100 pass, whichever limiter, keys and door.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "limits/door.h"
#include "limits/scripts.h"

namespace palena::limits {
namespace {

constexpr int kCallers = 8;
constexpr int kTakesOfCaller = 250;

// A budget of 100 that gives nothing back for a day.
struct Budget {
  std::string limiter;
  Parameters parameters;
};

const std::vector<Budget>& Budgets() {
  static const std::vector<Budget> budgets = {
      {"fixed_window", {{"limit", "100"}, {"window_ms", "9000000000000"}, {"cost", "1"}}},
      {"first_hit_window", {{"limit", "100"}, {"window_ms", "86400000"}, {"cost", "1"}}},
      {"sliding_window",
       {{"limit", "100"}, {"window_ms", "8640000000"}, {"segments", "1000"}, {"cost", "1"}}},
      {"sliding_log", {{"limit", "100"}, {"window_ms", "86400000"}, {"cost", "1"}}},
      {"token_bucket",
       {{"capacity", "100"}, {"refill_tokens", "1"}, {"refill_ms", "86400000"}, {"cost", "1"}}},
      {"gcra", {{"max_burst", "99"}, {"count", "1"}, {"period_ms", "86400000"}, {"cost", "1"}}},
      {"concurrency_acquire", {{"limit", "100"}, {"lease_ms", "86400000"}}},
  };
  return budgets;
}

// How many of one caller's takes pass; each lease has an owner of its own.
int Pass(Caller& caller, int number, const Budget& budget, const std::string& script) {
  int passed = 0;
  for (int i = 0; i < kTakesOfCaller; ++i) {
    Parameters parameters = budget.parameters;
    parameters.emplace_back("key", budget.limiter);
    parameters.emplace_back("owner", std::to_string(number) + "/" + std::to_string(i));
    const Result result = caller.Run(script, parameters);
    EXPECT_EQ(result.values.size(), 5U) << result.reason;
    if (result.text() == "1") ++passed;
  }
  return passed;
}

int PassAtOnce(Door& door, const Budget& budget, Keys keys) {
  const std::string script = ScriptFor(LimiterSource(budget.limiter), keys);
  std::atomic<int> passed = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < kCallers; ++number) {
    threads.emplace_back([&, number, caller = door.NewCaller()] {
      passed += Pass(*caller, number, budget, script);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return passed;
}

class ConcurrentTakes : public testing::TestWithParam<NamedDoor> {};

INSTANTIATE_TEST_SUITE_P(Doors, ConcurrentTakes, testing::ValuesIn(Doors()),
                         [](const auto& test) { return test.param.name; });

TEST_P(ConcurrentTakes, OfABudgetOf100AdmitExactly100) {
  const std::unique_ptr<Door> door = GetParam().open();
  for (const Budget& budget : Budgets()) {
    EXPECT_EQ(PassAtOnce(*door, budget, Keys::kEphemeral), 100) << budget.limiter;
    EXPECT_EQ(PassAtOnce(*door, budget, Keys::kPersistent), 100) << budget.limiter;
  }
}

}  // namespace
}  // namespace palena::limits
