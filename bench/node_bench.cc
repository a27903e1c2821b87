// What a rate-limit decision costs an embedder: scripts/recipes/fixed_window.pal as a prepared
// program of an inline node, beside the same decision by hand on the same table (decisions.h).

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>
#include <vector>

#include "decide_often.h"
#include "palena/node.h"

namespace palena {
namespace {

class PreparedDecider {
 public:
  bool Decide(const engine::Decision& decision) {
    node_->Execute(take_, {decision.key, decision.expires_ms, decision.limit}, result_);
    PALENA_CHECK(result_.ok());
    return result_.text() == "1";
  }

 private:
  std::unique_ptr<Node> node_ = *Node::Open({.threading = Threading::kInline});
  PreparedProgram take_ = *node_->Prepare(engine::FixedWindow());
  Result result_;
};

BENCHMARK(engine::DecideOften<PreparedDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(engine::DecideOften<engine::TableDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(engine::DecideOften<engine::FlatMapDecider>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

}  // namespace
}  // namespace palena
