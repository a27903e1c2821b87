// What it costs the others when a million keys expire in the same millisecond.
//
//   expiry [ROUNDS]
//
// Fills one shard with a million counters that all expire at one instant, then keeps asking for
// another key, one request at a time, until the shard has swept them. Prints the longest answer of
// each round and the median of the rounds, and what is left of the memory.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/check.h"
#include "counter_key.h"
#include "engine/metric_of.h"
#include "pinned_node.h"
#include "rounds.h"

namespace palena::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kKeys = 1'000'000;
constexpr std::size_t kInFlightMax = 512;
constexpr std::chrono::seconds kFillTime{20};  // more than filling takes
constexpr std::chrono::microseconds kPause{200};

// Runs scripts from outside, waiting for each or for all.
class Caller final : private ReplySink {
 public:
  explicit Caller(Engine& engine) : engine_(engine) {}

  void Start(std::string_view script, std::vector<model::ParameterView> parameters) {
    while (in_flight_.load() >= kInFlightMax) std::this_thread::yield();
    ++in_flight_;
    model::RequestView request;
    request.script = script;
    request.parameters = parameters;
    engine_.ExecuteFromOutside({request, {this, 0, 0}, 0});
  }
  void WaitForAll() {
    while (in_flight_.load() > 0) std::this_thread::sleep_for(kPause);
  }
  std::int64_t Metric(std::string_view name) {
    std::promise<std::int64_t> value;
    engine_.CollectMetrics([&](const std::vector<engine::Metric>& metrics) {
      value.set_value(MetricOf(metrics, name));
    });
    return value.get_future().get();
  }

  // How long one request from outside takes, both ways.
  std::chrono::nanoseconds Ask(std::string_view script) {
    const auto began = Clock::now();
    asked_ = {};
    is_asking_ = true;
    Start(script, {});
    asked_.get_future().wait();
    is_asking_ = false;
    return Clock::now() - began;
  }

 private:
  void OnResult(std::uint64_t, std::uint64_t, model::Result& result) override {
    PALENA_CHECK(result.code == model::Code::kNone);
    --in_flight_;
    if (is_asking_) asked_.set_value();
  }

  Engine& engine_;
  std::atomic<std::size_t> in_flight_{0};
  std::atomic<bool> is_asking_{false};
  std::promise<void> asked_;
};

double RoundMs() {
  PinnedNode node(1);
  Caller caller(node.engine());
  caller.Ask("eset other 1");
  const std::int64_t empty_bytes = caller.Metric("memory_bytes");
  const auto expiry = Clock::now() + kFillTime;
  for (std::size_t i = 0; i < kKeys; ++i) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(expiry - Clock::now());
    PALENA_CHECK(left.count() > 0);
    const std::string key = CounterKey(i);
    const std::string ttl = std::to_string(left.count());
    caller.Start("eset @k 1 ex @ttl", {{"k", -1, key}, {"ttl", -1, ttl}});
  }
  caller.WaitForAll();
  const std::int64_t full_bytes = caller.Metric("memory_bytes");
  std::this_thread::sleep_until(expiry - std::chrono::milliseconds(100));
  std::chrono::nanoseconds longest{0};
  std::size_t asked = 0;
  while (caller.Metric("entries") > 1 || asked < 1'000) {
    for (int i = 0; i < 50; ++i, ++asked) {
      longest = std::max(longest, caller.Ask("eget other"));
      std::this_thread::sleep_for(kPause);
    }
  }
  const double longest_ms = std::chrono::duration<double, std::milli>(longest).count();
  std::printf(
      "%zu keys, %.1f MB; swept while %zu requests were answered, the longest in %.2f ms; "
      "%.3f MB left above the empty node\n",
      kKeys, static_cast<double>(full_bytes) / 1e6, asked, longest_ms,
      static_cast<double>(caller.Metric("memory_bytes") - empty_bytes) / 1e6);
  return longest_ms;
}

}  // namespace
}  // namespace palena::engine

int main(int argc, char** argv) {
  const std::optional<std::size_t> rounds = palena::ParseRounds(argc, argv);
  if (!rounds) return 2;
  std::vector<double> longest;
  for (std::size_t i = 0; i < *rounds; ++i) longest.push_back(palena::engine::RoundMs());
  std::printf("median of %zu rounds: the longest answer took %.2f ms\n", *rounds,
              palena::Median(longest));
}
