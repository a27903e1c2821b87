#include "model/public_result.h"

namespace palena {

// The conversions below cast: both enums take their numbers from the wire.
#define X(name, text, number)                                   \
  static_assert(static_cast<int>(ResultType::name) == number && \
                static_cast<int>(model::ResultType::name) == number);
PALENA_RESULT_TYPES(X)
#undef X

std::string_view ResultTypeName(ResultType type) {
  return model::ResultTypeName(static_cast<model::ResultType>(type));
}

std::string_view AppliedName(Applied applied) {
  return model::AppliedName(static_cast<model::Applied>(applied));
}

bool Result::ok() const {
  switch (type) {
    case ResultType::kErrored:
    case ResultType::kInvalidInput:
    case ResultType::kMustRetry:
    case ResultType::kAborted:
    case ResultType::kAdmissionRefused:
      return false;
    default:
      return true;
  }
}

std::string_view Result::text() const {
  if (values.empty() || !values.front().value) return {};
  return *values.front().value;
}

}  // namespace palena

namespace palena::model {
namespace {

palena::Value ToPublic(const ResultValue& from) {
  palena::Value value;
  value.key = from.key;
  if (!from.is_null) value.value = from.value.view().ToText();
  value.revision = from.revision;
  value.expires_ms = from.expires_ms;
  value.last_modified_ms = from.last_modified_ms;
  return value;
}

palena::StatusCode ToPublic(base::StatusCode code) {
  switch (code) {
    case base::StatusCode::kOk:
      return palena::StatusCode::kOk;
    case base::StatusCode::kInvalidArgument:
      return palena::StatusCode::kInvalidArgument;
    case base::StatusCode::kUnavailable:
      return palena::StatusCode::kUnavailable;
    case base::StatusCode::kDeadlineExceeded:
      return palena::StatusCode::kDeadlineExceeded;
    case base::StatusCode::kFailedPrecondition:
      return palena::StatusCode::kFailedPrecondition;
    case base::StatusCode::kPermissionDenied:
      return palena::StatusCode::kPermissionDenied;
    case base::StatusCode::kDataLoss:
      return palena::StatusCode::kDataLoss;
    default:
      return palena::StatusCode::kInternal;
  }
}

}  // namespace

palena::Result ToPublic(const Result& from) {
  palena::Result result;
  result.type = static_cast<palena::ResultType>(from.type);
  result.code = CodeName(from.code);
  result.values.reserve(from.values.size());
  for (const ResultValue& value : from.values) result.values.push_back(ToPublic(value));
  result.reason = from.reason;
  result.line = from.line;
  result.stamp = {from.stamp.time.ms(), from.stamp.time.counter(), from.stamp.node};
  result.truncated = from.truncated;
  result.applied = static_cast<palena::Applied>(from.applied);
  return result;
}

palena::Status ToPublic(const base::Status& status) {
  if (status.ok()) return {};
  return {ToPublic(status.code()), std::string(status.message())};
}

}  // namespace palena::model
