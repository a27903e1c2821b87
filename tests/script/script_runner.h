#pragma once

// Runs scripts one after the other against one store and one manual clock, the way the engine
// would: footprint, run, commit or nothing.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "map_host.h"
#include "model/result.h"
#include "script/program.h"
#include "script/vm.h"

namespace palena::script {

class ScriptRunner {
 public:
  using Parameters = std::map<std::string, std::string>;

  // The hostile way to run: slices of one step, a host that always has to be asked twice.
  explicit ScriptRunner(bool in_pieces = false)
      : step_budget_(in_pieces ? 1 : base::kRunStepsMax + 1) {
    host_.blocks_first = in_pieces;
  }

  std::int64_t now_ms() const { return now_ms_; }
  void AdvanceMs(std::int64_t ms) { now_ms_ += ms; }
  std::uint64_t steps() const { return vm_.steps(); }

  model::Result Run(const std::string& script, const Parameters& parameters = {}) {
    const auto program = Compile(script);
    if (!program.ok()) return model::Result::Failure(program.error());
    return Run(**program, parameters);
  }

  model::Result Run(const Program& program, const Parameters& parameters = {}) {
    MapHost::Parameters by_slot(program.parameters().size());
    for (const auto& [name, value] : parameters) {
      const int slot = program.FindParameter(name);
      if (slot >= 0) by_slot[static_cast<std::size_t>(slot)] = value;
    }
    const hlc::Stamp stamp{hlc::HybridTime::FromMs(now_ms_), 0};
    const auto options = ResolveTransaction(program, by_slot);
    if (!options.ok()) return model::Result::Failure(options.error());
    if (!host_.Begin(program, by_slot, stamp)) return model::Result::Failure(host_.error());
    vm_.Start(program, by_slot, stamp, host_);
    while (vm_.Resume(step_budget_) != Vm::State::kFinished) {
    }
    return Finish();
  }

 private:
  model::Result Finish() {
    model::Result result;
    if (vm_.succeeded() && !vm_.wants_commit()) {
      host_.Rollback();
      return model::Result::Failure({model::Code::kRolledBack, "Transaction aborted", 0, {}});
    }
    if (vm_.succeeded() && vm_.WriteResult(result)) {
      host_.Commit();
      return result;
    }
    host_.Rollback();
    return model::Result::Failure(vm_.error());
  }

  std::uint64_t step_budget_;
  std::int64_t now_ms_ = 1'700'000'000'000;
  MapHost host_;
  Vm vm_;
};

}  // namespace palena::script
