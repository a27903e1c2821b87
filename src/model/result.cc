#include "model/result.h"

#include "base/check.h"

namespace palena::model {

std::string_view ResultTypeName(ResultType type) {
  switch (type) {
#define X(name, text, number) \
  case ResultType::name:      \
    return text;
    PALENA_RESULT_TYPES(X)
#undef X
  }
  base::CheckFailed(__FILE__, __LINE__, "a known result type");
}

std::string_view CodeName(Code code) {
  switch (code) {
#define X(name, text, number, type) \
  case Code::name:                  \
    return text;
    PALENA_CODES(X)
#undef X
  }
  base::CheckFailed(__FILE__, __LINE__, "a known code");
}

ResultType TypeOfCode(Code code) {
  switch (code) {
#define X(name, text, number, type) \
  case Code::name:                  \
    return ResultType::type;
    PALENA_CODES(X)
#undef X
  }
  base::CheckFailed(__FILE__, __LINE__, "a known code");
}

std::string_view AppliedName(Applied applied) {
  switch (applied) {
    case Applied::kYes:
      return "yes";
    case Applied::kNo:
      return "no";
    case Applied::kUnknown:
      return "unknown";
  }
  base::CheckFailed(__FILE__, __LINE__, "a known word for applied");
}

std::string ScriptError::ToReason() const {
  if (line == 0) return message;
  std::string reason = message + " at line " + std::to_string(line);
  if (!parameter.empty()) reason += " (" + parameter + ")";
  return reason;
}

void Result::Clear() {
  constexpr std::size_t kKeptReasonBytes = 1024;
  type = ResultType::kGet;
  code = Code::kNone;
  applied = Applied::kYes;
  truncated = false;
  line = 0;
  if (values.capacity() > 1) {
    values = {};
  } else {
    values.clear();
  }
  reason.clear();
  if (reason.capacity() > kKeptReasonBytes) reason.shrink_to_fit();
  stamp = {};
  many.reset();
}

Result Result::Failure(const ScriptError& error) {
  Result result;
  result.type = TypeOfCode(error.code);
  result.code = error.code;
  result.applied = Applied::kNo;
  result.line = error.line;
  result.reason = error.ToReason();
  return result;
}

}  // namespace palena::model
