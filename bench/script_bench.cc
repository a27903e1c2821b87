// What it costs to compile a script; running one is node_bench's.

#include <benchmark/benchmark.h>

#include <string>

#include "base/read_file.h"
#include "script/compiler.h"

namespace palena::script {
namespace {

void BM_Compile(benchmark::State& state) {
  const std::string recipe = base::ReadFile(PALENA_SOURCE_DIR "/scripts/recipes/fixed_window.pal");
  for (auto _ : state) benchmark::DoNotOptimize(Compile(recipe));
}
BENCHMARK(BM_Compile);

}  // namespace
}  // namespace palena::script
