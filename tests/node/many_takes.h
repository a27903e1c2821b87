#pragma once

// Counters with limits, several taken in one call, for tests of ExecuteMany through every door.

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "palena/many.h"

namespace palena {

// Answers [1 or 0, used]; what is refused writes nothing, a cost of 0 looks only.
inline ManyCall Take(const std::string& key, int limit, int cost = 1) {
  return {
      "let current = eget @key\n"
      "if not found then\n"
      "  let used = 0\n"
      "else\n"
      "  let used = to_int(current)\n"
      "end\n"
      "if used + to_int(@cost) > to_int(@limit) then\n"
      "  return [0, used]\n"
      "end\n"
      "if to_int(@cost) > 0 then\n"
      "  eset @key used + to_int(@cost)\n"
      "end\n"
      "return [1, used + to_int(@cost)]",
      {{"@key", key}, {"@limit", std::to_string(limit)}, {"@cost", std::to_string(cost)}}};
}

struct Counter {
  std::string key;
  int limit = 0;
};

// The counters of a load, taken by 16 threads, each call takes some of them and looks at the same
// ones when it is refused.
class ManyLoad {
 public:
  using Execute = std::function<ManyResult(const Many&)>;
  static constexpr int kThreads = 16;

  explicit ManyLoad(std::vector<Counter> counters)
      : counters_(std::move(counters)), admitted_(counters_.size()) {}

  // `always_all`: every call takes every counter; otherwise any two or more of them.
  void Run(const Execute& execute, int calls_per_thread, bool always_all) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i, &execute, calls_per_thread, always_all] {
        std::mt19937 random(static_cast<unsigned>(i));
        for (int n = 0; n < calls_per_thread; ++n) {
          Call(execute, always_all ? All() : Some(random), always_all);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  int admitted(std::size_t counter) const { return admitted_[counter].load(); }
  int applied() const { return applied_.load(); }
  int refused() const { return refused_.load(); }

 private:
  std::vector<std::size_t> All() const {
    std::vector<std::size_t> all(counters_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }
  std::vector<std::size_t> Some(std::mt19937& random) const {
    std::vector<std::size_t> some = All();
    if (random() % 2 == 0) some.erase(some.begin() + static_cast<int>(random() % some.size()));
    return some;
  }

  void Call(const Execute& execute, const std::vector<std::size_t>& taken, bool always_all) {
    Many many;
    for (const std::size_t i : taken) {
      many.calls.push_back(Take(counters_[i].key, counters_[i].limit));
      many.otherwise.push_back(Take(counters_[i].key, counters_[i].limit, 0));
    }
    const ManyResult result = execute(many);
    ASSERT_TRUE(result.ok()) << result.verdict.reason;
    ASSERT_EQ(result.calls.size(), taken.size());
    EXPECT_EQ(result.is_applied(), result.refused.empty());
    EXPECT_EQ(result.otherwise.size(), result.is_applied() ? 0 : taken.size());
    if (always_all) ExpectOneInstant(result);
    ++(result.is_applied() ? applied_ : refused_);
    if (!result.is_applied()) return;
    for (const std::size_t i : taken) ++admitted_[i];
  }

  // Counters that are only ever taken together are equal whenever somebody looks.
  static void ExpectOneInstant(const ManyResult& result) {
    const std::vector<Result>& seen = result.is_applied() ? result.calls : result.otherwise;
    for (const Result& one : seen) EXPECT_EQ(one.values[1].value, seen[0].values[1].value);
  }

  const std::vector<Counter> counters_;
  std::vector<std::atomic<int>> admitted_;
  std::atomic<int> applied_ = 0;
  std::atomic<int> refused_ = 0;
};

// Two counters that are always taken together: exactly the smaller limit is admitted on both.
inline void ExpectTwoAdmitTheSmallerLimit(const ManyLoad::Execute& execute) {
  ManyLoad load({{"two/a", 1'000}, {"two/b", 300}});
  load.Run(execute, 50, /*always_all=*/true);
  EXPECT_EQ(load.applied(), 300);
  EXPECT_EQ(load.refused(), 500);
  Many look{{Take("two/a", 1'000, 0), Take("two/b", 1'000, 0)}};
  for (const Result& one : execute(look).calls) EXPECT_EQ(one.values[1].value, "300");
}

// Three counters, any two or all of them taken: each holds what it admitted, and no more can be
// taken of any two.
inline void ExpectThreeAdmitExactly(const ManyLoad::Execute& execute) {
  const std::vector<Counter> counters = {{"three/a", 200}, {"three/b", 150}, {"three/c", 100}};
  ManyLoad load(counters);
  load.Run(execute, 50, /*always_all=*/false);
  EXPECT_GT(load.applied(), 0);
  EXPECT_GT(load.refused(), 0);
  int full = 0;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const ManyResult look = execute({{Take(counters[i].key, 1'000, 0)}});
    EXPECT_EQ(look.calls[0].values[1].value, std::to_string(load.admitted(i)));
    EXPECT_LE(load.admitted(i), counters[i].limit);
    full += load.admitted(i) == counters[i].limit ? 1 : 0;
  }
  EXPECT_GE(full, 2);  // otherwise two of them would have been taken together once more
}

}  // namespace palena
