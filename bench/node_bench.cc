// What a rate-limit decision costs: scripts/recipes/fixed_window.pal as a prepared program of an
// inline node, which is what an embedder pays, as a request to the engine alone, and the same
// decision by hand on the same table and on absl::flat_hash_map (decisions.h). Besides, a long
// script, and finding a program.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "decisions.h"
#include "engine/program_cache.h"
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

// A run of 100 statements on one key, fifty reads and fifty writes, of an inline node.
void BM_HundredStatements(benchmark::State& state) {
  std::string script;
  for (int i = 0; i < 50; ++i) script += "let n = eget @k\neset @k to_int(n) + 1\n";
  const std::unique_ptr<Node> node = *Node::Open({.threading = Threading::kInline});
  const PreparedProgram program = *node->Prepare(script);
  Result result = node->Execute("eset k 0");
  for (auto _ : state) node->Execute(program, {"k"}, result);
  PALENA_CHECK(result.ok());
  state.SetItemsProcessed(state.iterations() * 100);
}
BENCHMARK(BM_HundredStatements);

// What a call by text pays to find its program: in the shard's own cache, and in the node's.
void BM_ProgramCacheHit(benchmark::State& state) {
  const base::KeyedHash hash = base::KeyedHash::WithRandomSecret();
  ProgramCache shared(hash, {});
  LocalProgramCache local(shared, hash, {});
  const std::string recipe = FixedWindow();
  for (auto _ : state) {
    if (state.range(0) == 0) benchmark::DoNotOptimize(local.FindOrCompile(recipe));
    if (state.range(0) == 1) benchmark::DoNotOptimize(shared.FindOrCompile(recipe));
  }
  PALENA_CHECK(shared.stats().compiled == 1);
}
BENCHMARK(BM_ProgramCacheHit)->ArgName("shared")->Arg(0)->Arg(1);

}  // namespace
}  // namespace palena::engine
