// What a rate-limit decision costs an embedder: scripts/recipes/fixed_window.pal as a prepared
// program of an inline node, beside the same decision by hand on the same table (decisions.h).

#include <benchmark/benchmark.h>

#include "decide_often.h"
#include "prepared_decider.h"

namespace palena {
namespace {

BENCHMARK(engine::DecideOften<PreparedDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(engine::DecideOften<engine::TableDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(engine::DecideOften<engine::FlatMapDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

}  // namespace
}  // namespace palena
