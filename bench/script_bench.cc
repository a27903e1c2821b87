// What it costs to compile a script; running one is node_bench's.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "base/check.h"
#include "base/limits.h"
#include "base/read_file.h"
#include "script/compiler.h"

namespace palena::script {
namespace {

void BM_Compile(benchmark::State& state) {
  const std::string recipe = base::ReadFile(PALENA_SOURCE_DIR "/scripts/recipes/fixed_window.pal");
  for (auto _ : state) benchmark::DoNotOptimize(Compile(recipe));
}
BENCHMARK(BM_Compile);

// As long as a script may be: a counter's three statements again and again, each on a key of its
// own, so that footprint and constants grow with the text.
std::string LargestScript() {
  std::string script, next;
  for (int i = 0;; ++i) {
    const std::string key = "counter" + std::to_string(i);
    next = "let n = eget " + key + "\nif not found then let n = 0 end\neset " + key +
           " to_int(n) + 1 ex 60000\n";
    if (script.size() + next.size() > base::kScriptBytesMax) return script;
    script += next;
  }
}

void BM_CompileLargest(benchmark::State& state) {
  const std::string script = LargestScript();
  PALENA_CHECK(Compile(script).ok());
  for (auto _ : state) benchmark::DoNotOptimize(Compile(script));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(script.size()));
}
BENCHMARK(BM_CompileLargest)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace palena::script
