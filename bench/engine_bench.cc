// What one run costs from request to answer, in process, on the thread that owns the key: inline
// executors, the real clock, no socket.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/inline_executor.h"
#include "base/read_file.h"
#include "engine/engine.h"
#include "hlc/node_clock.h"
#include "store/memory_commit_log.h"

namespace palena::engine {
namespace {

std::string FixedWindow() {
  return base::ReadFile(PALENA_SOURCE_DIR "/scripts/recipes/fixed_window.pal");
}

class CountingSink final : public ReplySink {
 public:
  void OnResult(std::uint64_t, std::uint64_t, model::Result& result) override {
    PALENA_CHECK(result.code == model::Code::kNone);
    ++answers;
  }
  std::uint64_t answers = 0;
};

class InlineEngine {
 public:
  InlineEngine()
      : log_(store::MakeMemoryCommitLog(executor_)), node_clock_(clock_, hlc::HybridTime{}) {
    engine_ = std::make_unique<Engine>(EngineOptions{},
                                       EngineParts{&clock_,
                                                   &node_clock_,
                                                   log_.get(),
                                                   &executor_,
                                                   {&executor_},
                                                   base::KeyedHash::WithRandomSecret()},
                                       nullptr);
    engine_->Start();
  }

  void Run(const model::ProgramId& program, std::span<const model::ParameterView> parameters) {
    model::RequestView request;
    request.program_id = program;
    request.parameters = parameters;
    Shard& shard = engine_->shard(0);
    shard.BeginTurn();
    shard.Execute({request, {&sink_, 0, 0}, 0});
    shard.EndTurn();
  }
  void RunReady() { executor_.RunReady(); }
  model::ProgramId Prepare(std::string_view text) { return (*engine_->Prepare(text))->id(); }

 private:
  base::SystemClock clock_;
  base::InlineExecutor executor_{clock_};
  std::unique_ptr<store::CommitLog> log_;
  hlc::NodeClock node_clock_;
  std::unique_ptr<Engine> engine_;
  CountingSink sink_;
};

void BM_FixedWindow(benchmark::State& state) {
  InlineEngine node;
  const model::ProgramId program = node.Prepare(FixedWindow());
  std::vector<std::string> keys;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    keys.push_back("rate-limit/api/user-" + std::to_string(1'000'000 + i) + "/1718391900");
  }
  std::vector<model::ParameterView> parameters{
      {"", 0, ""}, {"", 1, "60000"}, {"", 2, "1000000000"}};
  std::uint64_t next = 1;
  int left = 0;
  for (auto _ : state) {
    next = next * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
    parameters[0].value = keys[(next >> 33) % keys.size()];
    node.Run(program, parameters);
    // Timers and the clock bound, as a loop would between its reads.
    if (--left <= 0) {
      node.RunReady();
      left = 64;
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_FixedWindow)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

void BM_Compile(benchmark::State& state) {
  const std::string recipe = FixedWindow();
  for (auto _ : state) benchmark::DoNotOptimize(script::Compile(recipe));
}
BENCHMARK(BM_Compile);

}  // namespace
}  // namespace palena::engine
