#pragma once

// An engine of one shard on the caller's thread: no socket, no thread, the real clock.

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

inline std::string FixedWindow() {
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
  // The log writes what is left, and tells the engine of it.
  ~InlineEngine() { log_.reset(); }

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

}  // namespace palena::engine
