// What a take costs: every limiter of scripts/limits as a prepared program of an inline node,
// beside the recipe of the seed; and what its state costs in memory.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "counter_key.h"
#include "engine/metric_of.h"
#include "limiter_calls.h"
#include "node/inline_node.h"

namespace palena {
namespace {

constexpr std::size_t kKeys = 1'000;

// An inline node on a clock that moves a millisecond before each take.
class LimiterNode {
 public:
  LimiterNode() {
    NodeOptions options;
    options.threading = Threading::kInline;
    auto impl = node::InlineNode::Open(options, clock_, {});
    PALENA_CHECK(impl.ok());
    engine_ = &(*impl)->engine();
    node_ = std::make_unique<Node>(*std::move(impl));
  }

  Node& node() { return *node_; }
  void Tick() { clock_->AdvanceMs(1); }
  // Of the table, as counted against --max-memory.
  std::int64_t MemoryBytes() {
    std::int64_t bytes = 0;
    engine_->CollectMetrics([&](const std::vector<engine::Metric>& metrics) {
      bytes = engine::MetricOf(metrics, "memory_bytes");
    });
    while (node_->Poll() == std::chrono::milliseconds(0)) {
    }
    return bytes;
  }
  std::size_t StateBytes(const std::string& key) {
    return node_->Execute("eget @k", {{"k", key}}).text().size();
  }

 private:
  const std::shared_ptr<base::ManualClock> clock_ = std::make_shared<base::ManualClock>();
  engine::Engine* engine_ = nullptr;
  std::unique_ptr<Node> node_;
};

std::vector<std::string> Keys() {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < kKeys; ++i) keys.push_back(CounterKey(i));
  return keys;
}

// Takes of one unit, all allowed but a log's that is full, over 1,000 keys; the states are those of
// some ten takes a minute and key.
void BM_Take(benchmark::State& state) {
  const LimiterCall& call = LimiterCalls()[static_cast<std::size_t>(state.range(0))];
  const std::vector<std::string> keys = Keys();
  LimiterNode node;
  const std::int64_t before = node.MemoryBytes();
  PreparedLimiter limiter(node.node(), call);
  std::size_t next = 0;
  const auto take = [&] {
    node.Tick();
    benchmark::DoNotOptimize(limiter.Take(keys[next++ % kKeys]));
  };
  for (std::size_t i = 0; i < 9 * kKeys; ++i) take();
  state.counters["state_bytes"] = static_cast<double>(node.StateBytes(keys[0]));
  state.counters["memory_bytes_per_key"] = static_cast<double>(node.MemoryBytes() - before) / kKeys;
  for (auto _ : state) take();
  state.SetLabel(call.script);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Take)->DenseRange(0, static_cast<int>(LimiterCalls().size()) - 1);

// A log of 100 units, in which each take finds one too old (allowed) or none (refused).
void BM_FullSlidingLog(benchmark::State& state) {
  const bool is_allowed = state.range(0) != 0;
  const LimiterCall call = {
      "limits/sliding_log",
      {{"key", ""}, {"limit", "100"}, {"window_ms", is_allowed ? "100" : "60000"}, {"cost", "1"}}};
  LimiterNode node;
  PreparedLimiter limiter(node.node(), call);
  const auto take = [&] { return limiter.Take("log").text(); };
  for (int i = 0; i < 100; ++i, node.Tick()) take();
  state.counters["state_bytes"] = static_cast<double>(node.StateBytes("log"));
  for (auto _ : state) {
    PALENA_CHECK(take() == (is_allowed ? "1" : "0"));
    if (is_allowed) node.Tick();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_FullSlidingLog)->ArgName("allowed")->Arg(1)->Arg(0);

}  // namespace
}  // namespace palena
