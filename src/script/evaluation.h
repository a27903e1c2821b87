#pragma once

// What evaluating one operator or function may use: memory, steps, the frozen stamp, and a place
// for its failure. The VM owns one per run.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "hlc/stamp.h"
#include "model/result.h"
#include "script/arena.h"
#include "script/value.h"

namespace palena::script {

class Evaluation {
 public:
  // Forgets the last run and keeps its memory for the next.
  void Reset(hlc::Stamp stamp);

  hlc::Stamp stamp() const { return stamp_; }
  Arena& arena() { return arena_; }

  // Work that costs more than one instruction's step: `steps` more are used up. They are only
  // counted here; the VM compares with its limits between instructions.
  void Charge(std::uint64_t steps) { steps_ += steps; }
  // What looking at or copying a text costs.
  void ChargeBytes(std::size_t bytes) { Charge(bytes / kBytesPerStep); }
  std::uint64_t steps() const { return steps_; }

  // What the answer takes as encoded, together with those of the same run before it.
  std::size_t& answer_bytes() { return answer_bytes_; }

  // Memory of the run. Null, with the failure set ("Script memory limit exceeded: 16777216",
  // Code::kLimit), when the run has had its 16 MiB.
  char* Allocate(std::size_t bytes);

  // Records the failure and returns false, so that an operator can say `return e.Fail(…)`. The
  // line is the VM's to add. `culprit` names the value to blame: if it came straight from a
  // parameter, the message will name that parameter.
  bool Fail(std::string message, const Value* culprit = nullptr);
  bool FailWith(model::Code code, std::string message);

  const model::ScriptError& error() const { return error_; }
  model::ScriptError& error() { return error_; }
  std::uint16_t culprit_origin() const { return culprit_origin_; }

 private:
  static constexpr std::size_t kBytesPerStep = 64;

  Arena arena_;
  std::uint64_t steps_ = 0;
  std::size_t answer_bytes_ = 0;
  hlc::Stamp stamp_;
  model::ScriptError error_;
  std::uint16_t culprit_origin_ = 0;
};

}  // namespace palena::script
