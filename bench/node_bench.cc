// What a rate-limit decision costs: scripts/recipes/fixed_window.pal as a prepared program of an
// inline node, which is what an embedder pays, as a request to the engine alone, and the same
// decision by hand on the same table and on absl::flat_hash_map (decisions.h).

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "decisions.h"
#include "prepared_decider.h"

namespace palena::engine {
namespace {

// Many decisions over state.range(0) keys. Which comes next is drawn inside the loop, at the same
// small cost for everyone.
template <typename Decider>
void Decide(benchmark::State& state) {
  const std::vector<std::string> keys = CounterKeys(static_cast<std::size_t>(state.range(0)));
  // Not known to the compiler, which would parse literals ahead of time.
  std::string expires_ms = "600000";
  std::string limit = "1000000000";
  benchmark::DoNotOptimize(expires_ms);
  benchmark::DoNotOptimize(limit);
  Decider decider;
  for (const std::string& key : keys) decider.Decide({key, expires_ms, limit});
  std::uint64_t next = 1;
  for (auto _ : state) {
    next = next * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
    const std::string& key = keys[(next >> 33) % keys.size()];
    benchmark::DoNotOptimize(decider.Decide({key, expires_ms, limit}));
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(Decide<PreparedDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(Decide<RecipeDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(Decide<TableDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(Decide<FlatMapDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

}  // namespace
}  // namespace palena::engine
