// What one run costs from request to answer, in process, on the thread that owns the key: inline
// executors, the real clock, no socket.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "decide_often.h"
#include "script/compiler.h"

namespace palena::engine {
namespace {

BENCHMARK(DecideOften<RecipeDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(DecideOften<TableDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(DecideOften<FlatMapDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

void BM_Compile(benchmark::State& state) {
  const std::string recipe = FixedWindow();
  for (auto _ : state) benchmark::DoNotOptimize(script::Compile(recipe));
}
BENCHMARK(BM_Compile);

}  // namespace
}  // namespace palena::engine
