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

// Most texts of most results are empty and stay so.
void AssignText(std::string_view from, std::string& into) {
  if (!from.empty() || !into.empty()) into = from;
}

void ToPublic(const ResultValue& from, palena::Value& into) {
  AssignText(from.key, into.key);
  if (from.is_null) {
    into.value.reset();
  } else {
    if (!into.value.has_value()) into.value.emplace();
    into.value->clear();
    from.value.view().AppendTo(*into.value);
  }
  into.revision = from.revision;
  into.expires_ms = from.expires_ms;
  into.last_modified_ms = from.last_modified_ms;
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
  ToPublic(from, result);
  return result;
}

void ToPublic(const Result& from, palena::Result& into) {
  into.type = static_cast<palena::ResultType>(from.type);
  AssignText(CodeName(from.code), into.code);
  into.values.resize(from.values.size());
  for (std::size_t i = 0; i < from.values.size(); ++i) ToPublic(from.values[i], into.values[i]);
  AssignText(from.reason, into.reason);
  into.line = from.line;
  into.stamp = {from.stamp.time.ms(), from.stamp.time.counter(), from.stamp.node};
  into.truncated = from.truncated;
  into.applied = static_cast<palena::Applied>(from.applied);
}

void ToPublic(const Result& from, palena::ManyResult& into) {
  into = {};
  ToPublic(from, into.verdict);
  if (!from.many.has_value()) return;
  for (const Result& one : from.many->calls) into.calls.push_back(ToPublic(one));
  for (const Result& one : from.many->otherwise) into.otherwise.push_back(ToPublic(one));
  into.refused.assign(from.many->refused.begin(), from.many->refused.end());
  if (from.many->failed >= 0) into.failed = static_cast<std::size_t>(from.many->failed);
}

palena::Status ToPublic(const base::Status& status) {
  if (status.ok()) return {};
  return {ToPublic(status.code()), std::string(status.message())};
}

}  // namespace palena::model
