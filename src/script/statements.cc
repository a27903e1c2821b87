#include <limits>
#include <string>
#include <utility>

#include "base/limits.h"
#include "script/conversions.h"
#include "script/statement_parts.h"

namespace palena::script {
namespace {

// The absolute expiry of a TTL in milliseconds; 0 is none.
bool ExpiryOf(Evaluation& e, std::string_view what, const Value& ttl, std::int64_t& out) {
  std::int64_t ttl_ms = 0;
  if (!NotNegative(e, what, ttl, ttl_ms)) return false;
  const std::int64_t now_ms = e.stamp().time.ms();
  if (ttl_ms > std::numeric_limits<std::int64_t>::max() - now_ms)
    return InvalidArgument(e, what, ttl);
  out = ttl_ms == 0 ? model::kNoExpiry : now_ms + ttl_ms;
  return true;
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

Step ExecuteSetEx(RunState& run, const Instruction& i) {
  return StepOf(ExpiryOf(run.evaluation, "SET EX", run.b(i), run.pending.expires_ms));
}

Step ExecuteSetCmp(RunState& run, const Instruction& i) {
  const Value& value = run.b(i);
  if (value.type == ValueType::kArray)
    return StepOf(InvalidArgument(run.evaluation, "SET CMP", value));
  run.pending.has_cmp = true;
  return StepOf(StoredForm(run.evaluation, value, run.pending.cmp));
}

Step ExecuteSetCmpRev(RunState& run, const Instruction& i) {
  const auto revision = WholeNumber(run.b(i));
  if (!revision) return StepOf(InvalidArgument(run.evaluation, "SET CMPREV", run.b(i)));
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

Step ExecuteRefuseWrite(RunState& run) {
  run.evaluation.FailWith(model::Code::kSnapshotWrite,
                          "writes are not allowed in a snapshot (AS OF) transaction");
  return Step::kFailed;
}

Step ExecuteSleep(RunState& run, const Instruction& i) {
  const auto sleep_ms = WholeNumber(run.b(i));
  if (!sleep_ms || *sleep_ms < 0 || *sleep_ms > base::kSleepMsMax) {
    std::string message = "Invalid SLEEP duration";
    if (sleep_ms) message += ": " + std::to_string(*sleep_ms);
    return StepOf(run.evaluation.Fail(std::move(message), &run.b(i)));
  }
  if (*sleep_ms == 0) return Step::kNext;
  run.sleep_ms = *sleep_ms;
  return Step::kSleeping;
}

}  // namespace palena::script
