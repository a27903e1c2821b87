#pragma once

// A decider of decisions.h as a benchmark: many decisions over state.range(0) keys.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "decisions.h"

namespace palena::engine {

// Which key comes next is drawn inside the loop, at the same small cost for everyone.
template <typename Decider>
void DecideOften(benchmark::State& state) {
  const std::vector<std::string> keys = CounterKeys(static_cast<std::size_t>(state.range(0)));
  Decider decider;
  for (const std::string& key : keys) decider.Decide({key, "600000", "1000000000"});
  std::uint64_t next = 1;
  for (auto _ : state) {
    next = next * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
    const std::string& key = keys[(next >> 33) % keys.size()];
    benchmark::DoNotOptimize(decider.Decide({key, "600000", "1000000000"}));
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace palena::engine
