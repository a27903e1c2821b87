#include "script/statement_parts.h"

#include <cstring>
#include <string>
#include <utility>

#include "script/conversions.h"

namespace palena::script {

Step Refused(RunState& run, HostStatus status) {
  if (status == HostStatus::kBlocked) return Step::kBlocked;
  const model::ScriptError& error = run.host->error();
  run.evaluation.FailWith(error.code, error.message);
  run.evaluation.error().parameter = error.parameter;
  return Step::kFailed;
}

bool InvalidArgument(Evaluation& e, std::string_view what, const Value& value) {
  std::string message = "Invalid " + std::string(what) + " expression";
  if (const auto number = WholeNumber(value)) message += ": " + std::to_string(*number);
  return e.Fail(std::move(message), &value);
}

bool NotNegative(Evaluation& e, std::string_view what, const Value& value, std::int64_t& out) {
  const auto number = WholeNumber(value);
  if (!number || *number < 0) return InvalidArgument(e, what, value);
  out = *number;
  return true;
}

bool KeepText(Evaluation& e, std::string_view shown, std::string_view& out) {
  char* const copy = e.Allocate(shown.size());
  if (copy == nullptr) return false;
  e.ChargeBytes(shown.size());
  if (!shown.empty()) std::memcpy(copy, shown.data(), shown.size());
  out = {copy, shown.size()};
  return true;
}

bool KeepValue(Evaluation& e, const model::ValueView& shown, Value& out) {
  if (shown.is_integer) {
    out = Value::IntegerText(shown.integer);
    return true;
  }
  std::string_view text;
  if (!KeepText(e, shown.bytes, text)) return false;
  out = Value::String(text);
  return true;
}

void AnswerWith(RunState& run, const Instruction& i, model::ResultType type, const Value& value,
                std::int64_t last_modified_ms) {
  if ((i.flags & kAnswers) == 0) return;
  run.answer = {type, true, i.b, run.place(), value, last_modified_ms};
}

}  // namespace palena::script
