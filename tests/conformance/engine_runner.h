#pragma once

#include "conformance/run_cases.h"
#include "engine/engine_fixture.h"

namespace palena::conformance {

// The cases straight through the engine: one thread, a manual clock.
class EngineRunner final : public Runner {
 public:
  explicit EngineRunner(const engine::TestEngineOptions& options) : node_(options) {}

  Answer Run(const Step& step) override {
    return Answer::From(node_.Run(step.script, step.parameters));
  }
  void Sleep(std::int64_t ms) override { node_.clock.AdvanceMs(ms); }

 private:
  engine::TestEngine node_;
};

}  // namespace palena::conformance
