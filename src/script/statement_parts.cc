#include "script/statement_parts.h"

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

}  // namespace palena::script
