#include <cstring>
#include <limits>
#include <string>

#include "base/limits.h"
#include "script/conversions.h"
#include "script/run_state.h"

namespace palena::script {
namespace {

constexpr Step StepOf(bool succeeded) {
  return succeeded ? Step::kNext : Step::kFailed;
}

// The step of a host call that was not done.
Step Refused(RunState& run, HostStatus status) {
  if (status == HostStatus::kBlocked) return Step::kBlocked;
  const model::ScriptError& error = run.host->error();
  run.evaluation.FailWith(error.code, error.message);
  run.evaluation.error().parameter = error.parameter;
  return Step::kFailed;
}

// "Invalid SET EX expression", with the number if that is what is wrong with it.
bool Invalid(Evaluation& e, std::string_view what, const Value& value) {
  std::string message = "Invalid " + std::string(what) + " expression";
  if (const auto number = WholeNumber(value)) message += ": " + std::to_string(*number);
  return e.Fail(std::move(message), &value);
}

bool NotNegative(Evaluation& e, std::string_view what, const Value& value, std::int64_t& out) {
  const auto number = WholeNumber(value);
  if (!number || *number < 0) return Invalid(e, what, value);
  out = *number;
  return true;
}

// The absolute expiry of a TTL in milliseconds; 0 is none.
bool ExpiryOf(Evaluation& e, std::string_view what, const Value& ttl, std::int64_t& out) {
  std::int64_t ttl_ms = 0;
  if (!NotNegative(e, what, ttl, ttl_ms)) return false;
  const std::int64_t now_ms = e.stamp().time.ms();
  if (ttl_ms > std::numeric_limits<std::int64_t>::max() - now_ms) return Invalid(e, what, ttl);
  out = ttl_ms == 0 ? model::kNoExpiry : now_ms + ttl_ms;
  return true;
}

// Copies what the host showed: its view does not outlive the next write.
bool Keep(Evaluation& e, const model::ValueView& view, Value& out) {
  if (view.is_integer) {
    out = Value::IntegerText(view.integer);
    return true;
  }
  char* const copy = e.Allocate(view.bytes.size());
  if (copy == nullptr) return false;
  e.ChargeBytes(view.bytes.size());
  if (!view.bytes.empty()) std::memcpy(copy, view.bytes.data(), view.bytes.size());
  out = Value::String({copy, view.bytes.size()});
  return true;
}

void AnswerWith(RunState& run, const Instruction& i, model::ResultType type, const Value& value,
                std::int64_t last_modified_ms) {
  if ((i.flags & kAnswers) == 0) return;
  run.answer = {type, true, i.b, run.place(), value, last_modified_ms};
}

// Binds and answers for a read that found `version`.
bool Found(RunState& run, const Instruction& i, bool is_get, const model::VersionView& version) {
  Value value = Value::Bool(true);
  const bool is_wanted = (i.flags & kKeyFlags) != 0;
  if (is_get && is_wanted && !Keep(run.evaluation, version.value, value)) return false;
  value.revision = version.revision;
  value.expires_ms = version.expires_ms;
  if ((i.flags & kBinds) != 0) run.registers[i.a] = value;
  if (is_get) {
    AnswerWith(run, i, model::ResultType::kGet, value, version.stamp.ms());
    return true;
  }
  Value shown;  // `exists` answers no value
  shown.revision = version.revision;
  shown.expires_ms = version.expires_ms;
  AnswerWith(run, i, model::ResultType::kExists, shown, version.stamp.ms());
  return true;
}

void Missing(RunState& run, const Instruction& i, bool is_get) {
  if ((i.flags & kBinds) != 0) run.registers[i.a] = is_get ? Value::Null() : Value::Bool(false);
  AnswerWith(run, i, model::ResultType::kDoesNotExist, Value::Null(), 0);
}

// Guards, binding and answer of a write that the host has done.
void Written(RunState& run, const Instruction& i, const WriteResult& write,
             model::ResultType if_done, model::ResultType if_not) {
  run.last_of(Guard::kNotSet) = write.took_effect ? Last::kWithEffect : Last::kWithoutEffect;
  if ((i.flags & kBinds) != 0) run.registers[i.a] = Value::Bool(write.took_effect);
  const model::ResultType type = write.took_effect ? if_done : if_not;
  if (type == model::ResultType::kDoesNotExist) return AnswerWith(run, i, type, Value::Null(), 0);
  Value shown;
  shown.revision = write.revision;
  shown.expires_ms = write.expires_ms;
  AnswerWith(run, i, type, shown, write.last_modified_ms);
}

bool IsStorable(Evaluation& e, const model::ValueView& view) {
  if (view.is_integer || view.bytes.size() <= base::kValueBytesMax) return true;
  return e.FailWith(model::Code::kLimit, "Value too large: " + std::to_string(view.bytes.size()) +
                                             " bytes, at most " +
                                             std::to_string(base::kValueBytesMax));
}

}  // namespace

Step ExecuteRead(RunState& run, const Instruction& i) {
  const bool is_get = i.op == Opcode::kGet || i.op == Opcode::kGetAt;
  const bool is_at = i.op == Opcode::kGetAt || i.op == Opcode::kExistsAt;
  std::int64_t revision = model::kNoRevision;
  if (is_at && !NotNegative(run.evaluation, "AT", run.c(i), revision)) return Step::kFailed;

  model::VersionView version;
  const HostStatus status =
      is_at ? run.host->GetAt(i.b, revision, version) : run.host->Get(i.b, version);
  if (status != HostStatus::kDone) return Refused(run, status);
  const bool is_found = version.kind == model::VersionKind::kValue;
  run.last_of(Guard::kNotFound) = is_found ? Last::kWithEffect : Last::kWithoutEffect;
  if (is_found) return StepOf(Found(run, i, is_get, version));
  Missing(run, i, is_get);
  return Step::kNext;
}

Step ExecuteSetEx(RunState& run, const Instruction& i) {
  return StepOf(ExpiryOf(run.evaluation, "SET EX", run.b(i), run.pending.expires_ms));
}

Step ExecuteSetCmp(RunState& run, const Instruction& i) {
  const Value& value = run.b(i);
  if (value.type == ValueType::kArray) return StepOf(Invalid(run.evaluation, "SET CMP", value));
  run.pending.has_cmp = true;
  return StepOf(StoredForm(run.evaluation, value, run.pending.cmp));
}

Step ExecuteSetCmpRev(RunState& run, const Instruction& i) {
  const auto revision = WholeNumber(run.b(i));
  if (!revision) return StepOf(Invalid(run.evaluation, "SET CMPREV", run.b(i)));
  run.pending.has_cmprev = true;
  run.pending.cmprev = *revision;
  return Step::kNext;
}

Step ExecuteSet(RunState& run, const Instruction& i) {
  SetArguments& arguments = run.pending;
  if (!StoredForm(run.evaluation, run.c(i), arguments.value)) return Step::kFailed;
  if (!IsStorable(run.evaluation, arguments.value)) return Step::kFailed;
  arguments.nx = (i.flags & kFlagNx) != 0;
  arguments.xx = (i.flags & kFlagXx) != 0;
  arguments.norev = (i.flags & kFlagNoRev) != 0;
  arguments.keep_ttl = (i.flags & kFlagKeepTtl) != 0;

  WriteResult write;
  const HostStatus status = run.host->Set(i.b, arguments, write);
  if (status != HostStatus::kDone) return Refused(run, status);
  run.evaluation.ChargeBytes(arguments.value.bytes.size());
  arguments.ClearOptions();  // nx and its like are written anew each time
  Written(run, i, write, model::ResultType::kSet, model::ResultType::kNotSet);
  return Step::kNext;
}

Step ExecuteDelete(RunState& run, const Instruction& i) {
  WriteResult write;
  const HostStatus status = run.host->Delete(i.b, write);
  if (status != HostStatus::kDone) return Refused(run, status);
  Written(run, i, write, model::ResultType::kDeleted, model::ResultType::kDoesNotExist);
  run.last_of(Guard::kNotDeleted) = run.last_of(Guard::kNotSet);
  return Step::kNext;
}

Step ExecuteExtend(RunState& run, const Instruction& i) {
  std::int64_t expires_ms = model::kNoExpiry;
  if (!ExpiryOf(run.evaluation, "EXTEND", run.c(i), expires_ms)) return Step::kFailed;
  WriteResult write;
  const HostStatus status = run.host->Extend(i.b, expires_ms, write);
  if (status != HostStatus::kDone) return Refused(run, status);
  Written(run, i, write, model::ResultType::kExtended, model::ResultType::kDoesNotExist);
  run.last_of(Guard::kNotExtended) = run.last_of(Guard::kNotSet);
  return Step::kNext;
}

}  // namespace palena::script
