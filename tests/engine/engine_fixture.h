#pragma once

// A whole engine on one thread: inline executors, a manual clock, the in-memory commit log. Nothing
// moves unless a test runs an executor, so every interleaving can be had on purpose.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/hostile.h"
#include "base/inline_executor.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/metric_of.h"
#include "hlc/node_clock.h"
#include "store/memory_commit_log.h"

namespace palena::engine {

using TestParameters = std::vector<std::pair<std::string, std::string>>;

// Collects answers by request number.
class CollectingSink final : public ReplySink {
 public:
  void OnResult(std::uint64_t, std::uint64_t request, model::Result& result) override {
    answers.emplace_back(request, std::move(result));
  }
  const model::Result* Find(std::uint64_t request) const {
    for (const auto& [number, result] : answers) {
      if (number == request) return &result;
    }
    return nullptr;
  }

  std::vector<std::pair<std::uint64_t, model::Result>> answers;  // in the order they came
};

struct TestEngineOptions {
  unsigned shards = 1;
  bool fast_path = true;
  store::TableOptions table = {};
  std::size_t open_runs_max = 1'000;
  std::size_t open_transactions_max = 1'000;
  base::Capacities capacities = base::TestCapacities();
};

class TestEngine {
 public:
  explicit TestEngine(const TestEngineOptions& options = {}) : log_thread(clock), reader(clock) {
    log = store::MakeMemoryCommitLog(log_thread, options.capacities.commits_per_batch);
    node_clock = std::make_unique<hlc::NodeClock>(clock, log->recovered_clock_bound());
    EngineParts parts{&clock,    node_clock.get(),
                      log.get(), &reader,
                      {},        base::KeyedHash(base::KeyedHash::Secret{})};
    for (unsigned i = 0; i < options.shards; ++i) {
      threads.push_back(std::make_unique<base::InlineExecutor>(clock));
      parts.executors.push_back(threads.back().get());
    }
    EngineOptions engine_options;
    engine_options.fast_path = options.fast_path;
    engine_options.table = options.table;
    engine_options.open_runs_max = options.open_runs_max;
    engine_options.open_transactions_max = options.open_transactions_max;
    engine_options.capacities = options.capacities;
    engine = std::make_unique<Engine>(engine_options, std::move(parts), nullptr);
    engine->Start();
  }

  // Sends a script from outside; returns the request's number.
  std::uint64_t Send(std::string_view script, const TestParameters& parameters = {},
                     std::uint64_t lane = 0, std::int64_t timeout_ms = 0) {
    std::vector<model::ParameterView> views;
    for (const auto& [name, value] : parameters) views.push_back({name, -1, value});
    model::RequestView request;
    request.script = script;
    request.parameters = views;
    request.timeout_ms = timeout_ms;
    engine->ExecuteFromOutside({request, {&sink, 0, ++last_request}, lane});
    return last_request;
  }

  // Lets every thread but the log's (and the reader, when told) do what it can.
  bool RunShards() {
    bool ran = false;
    for (const auto& thread : threads) ran |= thread->RunReady();
    return ran;
  }
  // Until nothing is left to do anywhere.
  void Settle() {
    bool ran = true;
    while (ran) {
      ran = RunShards();
      ran |= reader.RunReady();
      ran |= log_thread.RunReady();
    }
  }

  // Sends, waits (for sleeping runs the clock moves on, until a millisecond after the last that any
  // run has), answers.
  model::Result Run(std::string_view script, const TestParameters& parameters = {}) {
    const std::uint64_t request = Send(script, parameters);
    Settle();
    for (int ms = 0; sink.Find(request) == nullptr && ms <= base::kRunTimeoutMsMax; ++ms) {
      clock.AdvanceMs(1);
      Settle();
    }
    const model::Result* result = sink.Find(request);
    PALENA_CHECK(result != nullptr);
    return *result;
  }
  std::int64_t Metric(std::string_view name) {
    std::int64_t value = 0;
    engine->CollectMetrics(
        [&](const std::vector<engine::Metric>& metrics) { value = MetricOf(metrics, name); });
    Settle();
    return value;
  }
  // The text of the first value, or the failure's reason.
  std::string Text(std::string_view script, const TestParameters& parameters = {}) {
    return TextOf(Run(script, parameters));
  }
  static std::string TextOf(const model::Result& result) {
    if (!result.reason.empty()) return result.reason;
    if (result.values.empty() || result.values[0].is_null) return "";
    return result.values[0].value.view().ToText();
  }

  base::ManualClock clock;
  base::InlineExecutor log_thread;
  base::InlineExecutor reader;
  std::unique_ptr<store::CommitLog> log;
  std::unique_ptr<hlc::NodeClock> node_clock;
  std::vector<std::unique_ptr<base::InlineExecutor>> threads;
  std::unique_ptr<Engine> engine;
  CollectingSink sink;
  std::uint64_t last_request = 0;
};

}  // namespace palena::engine
