#include "script/vm.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "base/limits.h"
#include "script/conversions.h"
#include "script/functions.h"
#include "script/operators.h"
#include "script/statement_parts.h"
#include "script/transaction.h"

namespace palena::script {

void RunState::Start(const Program& new_program,
                     std::span<const std::optional<std::string_view>> new_parameters,
                     hlc::Stamp stamp, Host& new_host) {
  PALENA_CHECK(new_parameters.size() >= new_program.parameters().size());
  program = &new_program;
  parameters = new_parameters;
  host = &new_host;
  evaluation.Reset(stamp);
  if (registers.size() < program->registers()) registers.resize(program->registers());
  // Nothing of the last run may show through.
  const std::size_t variables = program->variables().size();
  Value* const first = registers.data();
  for (std::size_t i = 0; i < variables; ++i) first[i] = UnboundVariable();
  for (std::size_t i = variables; i < program->registers(); ++i) first[i] = Value();
  next = 0;
  last = {};
  pending.ClearOptions();
  answer = {};
  sleep_ms = 0;
  ending = Ending::kEnd;
}

namespace {

using UnaryOperator = bool (*)(Evaluation&, const Value&, Value&);
using BinaryOperator = bool (*)(Evaluation&, const Value&, const Value&, Value&);

template <UnaryOperator kOperator>
inline Step ExecuteUnary(RunState& run, const Instruction& i) {
  return StepOf(kOperator(run.evaluation, run.b(i), run.registers[i.a]));
}

template <BinaryOperator kOperator>
inline Step ExecuteBinary(RunState& run, const Instruction& i) {
  return StepOf(kOperator(run.evaluation, run.b(i), run.c(i), run.registers[i.a]));
}

inline Step ExecuteMove(RunState& run, const Instruction& i) {
  run.registers[i.a] = run.b(i);
  return Step::kNext;
}

inline Step ExecuteParameter(RunState& run, const Instruction& i) {
  const std::optional<std::string_view>& parameter = run.parameters[i.b];
  if (!parameter) {
    return StepOf(run.evaluation.Fail("Undefined parameter: " + run.program->parameters()[i.b]));
  }
  Value value = Value::String(*parameter);
  value.origin = static_cast<std::uint16_t>(i.b + 1);
  run.registers[i.a] = value;
  return Step::kNext;
}

inline Step ExecuteCheckVariable(RunState& run, const Instruction& i) {
  if (!IsUnbound(run.registers[i.a])) return Step::kNext;
  return StepOf(run.evaluation.Fail("Undefined variable: " + run.program->variables()[i.a]));
}

inline Step ExecuteTest(RunState& run, const Instruction& i) {
  bool condition = false;
  if (!Condition(run.evaluation, run.b(i), condition)) return Step::kFailed;
  run.registers[i.a] = Value::Bool(condition);
  return Step::kNext;
}

inline Step ExecuteGuard(RunState& run, const Instruction& i) {
  static constexpr std::array<const char*, 4> kNames = {"FOUND", "SET", "DELETED", "EXTENDED"};
  const Last last = run.last[i.b];
  if (last == Last::kNone) {
    return StepOf(run.evaluation.Fail("Invalid NOT " + std::string(kNames[i.b]) + " expression"));
  }
  run.registers[i.a] = Value::Bool(last == Last::kWithoutEffect);
  return Step::kNext;
}

inline Step ExecuteArray(RunState& run, const Instruction& i) {
  return StepOf(MakeArray(run.evaluation, run.registers.data() + i.b, i.c, run.registers[i.a]));
}

inline Step ExecuteCall(RunState& run, const Instruction& i) {
  const std::span<const Value> arguments(run.registers.data() + i.b, i.flags);
  return StepOf(Functions()[i.c].body(run.evaluation, arguments, run.registers[i.a]));
}

inline Step ExecuteRaise(RunState& run, const Instruction& i) {
  return StepOf(run.evaluation.Fail(std::string(run.program->constants()[i.a].string())));
}

inline Step ExecuteJump(RunState& run, const Instruction& i) {
  run.next = i.target();
  return Step::kNext;
}

inline Step ExecuteJumpUnless(RunState& run, const Instruction& i, bool wanted) {
  bool condition = false;
  if (!Condition(run.evaluation, run.registers[i.a], condition)) return Step::kFailed;
  if (condition != wanted) run.next = i.target();
  return Step::kNext;
}

inline Step ExecuteIterate(RunState& run, const Instruction& i) {
  if (run.registers[i.a].type != ValueType::kArray) {
    return StepOf(run.evaluation.Fail("FOR expression is not iterable", &run.registers[i.a]));
  }
  run.registers[i.a + 1] = Value::Long(0);
  return Step::kNext;
}

// Iterators are looked at again on each use: the verifier does not follow registers through the
// code, and this is cheaper.
inline bool HasElement(const Value& array, const Value& position) {
  return array.type == ValueType::kArray && position.type == ValueType::kLong &&
         static_cast<std::uint64_t>(position.integer) < array.array->count;
}

inline Step ExecuteIterateEnd(RunState& run, const Instruction& i) {
  if (!HasElement(run.registers[i.a], run.registers[i.a + 1])) run.next = i.target();
  return Step::kNext;
}

inline Step ExecuteIterateNext(RunState& run, const Instruction& i) {
  Value& position = run.registers[i.b + 1];
  if (!HasElement(run.registers[i.b], position)) {
    return StepOf(run.evaluation.Fail("FOR expression is not iterable"));
  }
  const auto index = static_cast<std::size_t>(position.integer++);
  run.registers[i.a] = run.registers[i.b].array->At(index);
  return Step::kNext;
}

inline Step ExecuteAnswer(RunState& run, const Instruction& i) {
  run.answer = Answer::Computed(run.b(i), run.place());
  return Step::kNext;
}

inline Step ExecuteReturn(RunState& run, const Instruction& i) {
  ExecuteAnswer(run, i);
  return Step::kFinished;
}

Step ExecuteThrow(RunState& run, const Instruction& i) {
  const Value& value = run.b(i);
  std::string_view text = "(null)";
  if (value.type != ValueType::kNull && !TextForm(run.evaluation, value, text)) {
    return Step::kFailed;
  }
  if (!FitsResult(run.evaluation, text.size())) return Step::kFailed;
  run.evaluation.FailWith(model::Code::kThrown, std::string(text));
  return Step::kFailed;
}

inline Step ExecuteEnd(RunState& run, Ending ending) {
  run.ending = ending;
  return Step::kFinished;
}

// Two switches, so that what nearly every decision executes is one jump away.
inline Step ExecuteSeldom(RunState& run, const Instruction& i) {
  switch (i.op) {
    case Opcode::kRaise:
      return ExecuteRaise(run, i);
    case Opcode::kIterate:
      return ExecuteIterate(run, i);
    case Opcode::kIterateEnd:
      return ExecuteIterateEnd(run, i);
    case Opcode::kIterateNext:
      return ExecuteIterateNext(run, i);
    case Opcode::kArray:
      return ExecuteArray(run, i);
    case Opcode::kList:
    case Opcode::kListAsOf:
      return ExecuteList(run, i);
    case Opcode::kSetCmp:
      return ExecuteSetCmp(run, i);
    case Opcode::kSetCmpRev:
      return ExecuteSetCmpRev(run, i);
    case Opcode::kDelete:
      return ExecuteDelete(run, i);
    case Opcode::kExtend:
      return ExecuteExtend(run, i);
    case Opcode::kRefuseWrite:
      return ExecuteRefuseWrite(run);
    case Opcode::kSleep:
      return ExecuteSleep(run, i);
    case Opcode::kAnswer:
      return ExecuteAnswer(run, i);
    case Opcode::kThrow:
      return ExecuteThrow(run, i);
    case Opcode::kCommit:
      return ExecuteEnd(run, Ending::kCommit);
    case Opcode::kRollback:
      return ExecuteEnd(run, Ending::kRollback);
    case Opcode::kHalt:
      return Step::kFinished;
    default:
      break;
  }
  PALENA_CHECK(false && "an opcode that no dispatch knows");
}

inline Step Execute(RunState& run, const Instruction& i) {
  switch (i.op) {
    case Opcode::kMove:
      return ExecuteMove(run, i);
    case Opcode::kParameter:
      return ExecuteParameter(run, i);
    case Opcode::kCheckVariable:
      return ExecuteCheckVariable(run, i);
    case Opcode::kAdd:
      return ExecuteBinary<Add>(run, i);
    case Opcode::kSubtract:
      return ExecuteBinary<Subtract>(run, i);
    case Opcode::kMultiply:
      return ExecuteBinary<Multiply>(run, i);
    case Opcode::kDivide:
      return ExecuteBinary<Divide>(run, i);
    case Opcode::kEqual:
      return ExecuteBinary<Equal>(run, i);
    case Opcode::kNotEqual:
      return ExecuteBinary<NotEqual>(run, i);
    case Opcode::kLess:
      return ExecuteBinary<Less>(run, i);
    case Opcode::kLessEqual:
      return ExecuteBinary<LessEqual>(run, i);
    case Opcode::kGreater:
      return ExecuteBinary<Greater>(run, i);
    case Opcode::kGreaterEqual:
      return ExecuteBinary<GreaterEqual>(run, i);
    case Opcode::kRange:
      return ExecuteBinary<Range>(run, i);
    case Opcode::kIndex:
      return ExecuteBinary<Index>(run, i);
    case Opcode::kNegate:
      return ExecuteUnary<Negate>(run, i);
    case Opcode::kNot:
      return ExecuteUnary<Not>(run, i);
    case Opcode::kTest:
      return ExecuteTest(run, i);
    case Opcode::kGuard:
      return ExecuteGuard(run, i);
    case Opcode::kCall:
      return ExecuteCall(run, i);
    case Opcode::kJump:
      return ExecuteJump(run, i);
    case Opcode::kJumpIfFalse:
      return ExecuteJumpUnless(run, i, true);
    case Opcode::kJumpIfTrue:
      return ExecuteJumpUnless(run, i, false);
    case Opcode::kGet:
    case Opcode::kGetAt:
    case Opcode::kExists:
    case Opcode::kExistsAt:
    case Opcode::kGetAsOf:
    case Opcode::kExistsAsOf:
      return ExecuteRead(run, i);
    case Opcode::kSetEx:
      return ExecuteSetEx(run, i);
    case Opcode::kSet:
      return ExecuteSet(run, i);
    case Opcode::kReturn:
      return ExecuteReturn(run, i);
    default:
      return ExecuteSeldom(run, i);
  }
}

// Executes until the run's steps reach `stop` (kNext) or an instruction wants something else. A
// step that was not completed is not counted, and `next` stays at its instruction.
Step Dispatch(RunState& run, std::uint64_t stop) {
  const Instruction* const code = run.program->code().data();
  while (run.evaluation.steps() < stop) {
    const Step step = Execute(run, code[run.next++]);
    if (step != Step::kNext) {
      --run.next;
      return step;
    }
    run.evaluation.Charge(1);
  }
  return Step::kNext;
}

}  // namespace

void Vm::Start(const Program& program, std::span<const std::optional<std::string_view>> parameters,
               hlc::Stamp stamp, Host& host) {
  run_.Start(program, parameters, stamp, host);
  is_finished_ = false;
  has_succeeded_ = false;
}

void Vm::Continue(const Program& program,
                  std::span<const std::optional<std::string_view>> parameters) {
  PALENA_CHECK(is_finished_ && has_succeeded_);
  const std::uint64_t used = steps();
  const std::size_t answered = run_.evaluation.answer_bytes();
  Start(program, parameters, run_.evaluation.stamp(), *run_.host);
  run_.evaluation.Charge(used);
  run_.evaluation.answer_bytes() = answered;
}

Vm::State Vm::Resume(std::uint64_t step_budget) {
  if (is_finished_) return State::kFinished;
  const std::uint64_t used = steps();
  const std::uint64_t left = base::kRunStepsMax - std::min(used, base::kRunStepsMax);
  switch (Dispatch(run_, used + std::min(step_budget, left))) {
    case Step::kNext:
      if (steps() < base::kRunStepsMax) return State::kOutOfSteps;
      run_.evaluation.FailWith(model::Code::kLimit,
                               "Step limit exceeded: " + std::to_string(base::kRunStepsMax));
      return Fail(run_.next);
    case Step::kBlocked:
      return State::kBlocked;
    case Step::kSleeping:
      ++run_.next;
      run_.evaluation.Charge(1);
      return State::kSleeping;
    case Step::kFailed:
      return Fail(run_.next);
    case Step::kFinished:
      break;
  }
  is_finished_ = true;
  has_succeeded_ = true;
  return State::kFinished;
}

Vm::State Vm::Fail(std::uint32_t place) {
  model::ScriptError& error = run_.evaluation.error();
  error.line = run_.program->lines()[place];
  const std::uint16_t origin = run_.evaluation.culprit_origin();
  if (origin != 0) error.parameter = run_.program->parameters()[origin - 1U];
  is_finished_ = true;
  has_succeeded_ = false;
  return State::kFinished;
}

bool Vm::CommitsAtItsEnd() const {
  return script::CommitsAtItsEnd(*run_.program, run_.parameters);
}

bool Vm::WriteResult(model::Result& result) {
  PALENA_CHECK(is_finished_ && has_succeeded_);
  const Answer& answer = run_.answer;
  const std::string_view key = answer.has_key ? run_.host->KeyText(answer.key) : std::string_view();
  if (WriteAnswer(run_.evaluation, answer, key, result)) return true;
  Fail(answer.place);
  return false;
}

}  // namespace palena::script
