#pragma once

// The state of one run, and what each instruction makes of it. Only the VM and its instructions
// look in here.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "script/answer.h"
#include "script/ast.h"
#include "script/evaluation.h"
#include "script/host.h"
#include "script/program.h"

namespace palena::script {

enum class Step : std::uint8_t {
  kNext,
  kBlocked,   // the same instruction again, when the run is resumed
  kSleeping,  // the instruction is done; go on behind it when its time is over
  kFailed,    // the evaluation says why
  kFinished,  // the answer stands
};

// What a guard looks at: the last statement of its kind, if there was one.
enum class Last : std::uint8_t { kNone, kWithoutEffect, kWithEffect };

// How a run that did not fail came to its end.
enum class Ending : std::uint8_t { kEnd, kCommit, kRollback };

struct RunState {
  const Program* program = nullptr;
  std::span<const std::optional<std::string_view>> parameters;
  Host* host = nullptr;

  Evaluation evaluation;
  std::vector<Value> registers;
  std::uint32_t next = 0;         // place of the next instruction
  std::array<Last, 4> last = {};  // by Guard
  SetArguments pending;           // what `ex`, `cmp` and `cmprev` have collected for the next set
  Answer answer;
  std::int64_t sleep_ms = 0;  // of the last `sleep`
  Ending ending = Ending::kEnd;

  void Start(const Program& new_program,
             std::span<const std::optional<std::string_view>> new_parameters, hlc::Stamp stamp,
             Host& new_host);

  const Value& b(const Instruction& i) const { return Operand(i.b, i.flags & kConstantB); }
  const Value& c(const Instruction& i) const { return Operand(i.c, i.flags & kConstantC); }
  // The place of the instruction that is being executed.
  std::uint32_t place() const { return next - 1; }
  Last& last_of(Guard guard) { return last[static_cast<std::size_t>(guard)]; }

 private:
  const Value& Operand(std::uint16_t index, int is_constant) const {
    return is_constant != 0 ? program->constants()[index] : registers[index];
  }
};

// A variable that nothing was bound to yet: a null that no operator can make.
inline Value UnboundVariable() {
  Value value;
  value.size = 1;
  return value;
}
inline bool IsUnbound(const Value& value) {
  return value.type == ValueType::kNull && value.size != 0;
}

// The instructions that talk to the host, or to whoever drives the run (reads.cc, statements.cc).
Step ExecuteRead(RunState& run, const Instruction& i);
Step ExecuteList(RunState& run, const Instruction& i);
Step ExecuteSetEx(RunState& run, const Instruction& i);
Step ExecuteSetCmp(RunState& run, const Instruction& i);
Step ExecuteSetCmpRev(RunState& run, const Instruction& i);
Step ExecuteSet(RunState& run, const Instruction& i);
Step ExecuteDelete(RunState& run, const Instruction& i);
Step ExecuteExtend(RunState& run, const Instruction& i);
Step ExecuteRefuseWrite(RunState& run);
Step ExecuteSleep(RunState& run, const Instruction& i);

}  // namespace palena::script
