#pragma once

// Messages that the tests of this room share.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/request.h"
#include "model/result.h"
#include "model/take.h"
#include "wire/limit_codec.h"
#include "wire/payload.h"

namespace palena::wire {

inline const std::vector<model::ParameterView>& SampleParameters() {
  static const std::vector<model::ParameterView> parameters = {
      {"@key", -1, "rl:42"}, {"", 0, ""}, {"", 300, "binary\0value"}};
  return parameters;
}

inline model::RequestView SampleRequest() {
  model::RequestView request;
  request.script = "return 1";
  request.parameters = SampleParameters();
  request.timeout_ms = 250;
  return request;
}

inline model::RequestView PreparedRequest() {
  model::RequestView request = SampleRequest();
  request.script = {};
  request.program_id = model::ProgramId{1, 2, 3, 255};
  return request;
}

// Two calls, of which the second is not required, and one that is run otherwise.
inline model::ManyRequestView SampleMany() {
  static const std::vector<model::CallView> calls = {
      {SampleRequest(), true}, {PreparedRequest(), false}, {model::RequestView{}, true}};
  const std::span<const model::CallView> all = calls;
  return {all.first(2), all.subspan(2), 250};
}

inline model::ResultValue ValueOf(std::string key, model::Value value, std::int64_t revision) {
  model::ResultValue result;
  result.key = std::move(key);
  result.is_null = false;
  result.value = std::move(value);
  result.revision = revision;
  return result;
}

inline model::Result ResultOf(model::ResultValue value) {
  model::Result result;
  result.values.push_back(std::move(value));
  result.stamp = {hlc::HybridTime::FromNs(1'700'000'000'123'456'789), 7};
  return result;
}

// One result of every shape that the node answers with.
inline std::vector<model::Result> ResultsOfAllShapes() {
  std::vector<model::Result> results(1);
  results.push_back(ResultOf(ValueOf("", model::Value::Integer(-5), -1)));
  results.push_back(ResultOf(ValueOf("k", model::Value::Bytes(""), 0)));
  results.push_back(ResultOf(ValueOf("k", model::Value::Bytes(std::string(300, 'x')), 1)));
  results.push_back(ResultOf(ValueOf("k", model::Value::Integer(INT64_MIN), INT64_MAX)));
  results.push_back(ResultOf(model::ResultValue{}));
  results.back().type = model::ResultType::kDoesNotExist;
  model::ResultValue dated = ValueOf("dated", model::Value::Bytes("v"), 12);
  dated.expires_ms = 1'700'000'060'000;
  dated.last_modified_ms = 1'700'000'000'000;
  results.push_back(ResultOf(dated));
  results.back().values.push_back(dated);
  results.back().truncated = true;
#define X(name, text, number, type) \
  results.push_back(model::Result::Failure({model::Code::name, "it failed", number, "@p"}));
  PALENA_CODES(X)
#undef X
#define X(name, text, number) results.emplace_back().type = model::ResultType::name;
  PALENA_RESULT_TYPES(X)
#undef X
  results.back().applied = model::Applied::kUnknown;
  return results;
}

inline model::TakeRequest SampleTake() {
  static const std::vector<model::TakePart> parts = {{"subject", "anna"}, {"path", "a/\xFF"}, {}};
  static const std::vector<model::TakeWish> wishes = {
      {"login", parts, 1, ""},
      {"daily", std::span(parts).first(1), 250, ""},
      {"slots", {}, 0, "worker 7"},
  };
  return {model::TakeMode::kPeek, wishes, 300};
}

// A decision of two limits, a bare yes, and a node that cannot decide.
inline std::vector<model::TakeAnswer> TakeAnswersOfAllShapes() {
  std::vector<model::TakeAnswer> answers(3);
  model::TakeAnswer& refused = answers[0];
  refused.retry_after_ms = model::kNeverFits;
  refused.records.push_back({"login", true, 10, 3, 0, 1'700'000'060'000, 60'000, true});
  refused.records.push_back(
      {"daily", false, 100, 0, model::kNeverFits, 1'700'000'060'000, 0, false});
  refused.stamp = {hlc::HybridTime::FromNs(1'700'000'000'123'456'789), 7};
  answers[1].is_allowed = true;
  answers[1].applied = model::Applied::kYes;
  model::TakeAnswer& undecided = answers[2];
  undecided.fault = model::TakeFault::kUndecided;
  undecided.code = model::Code::kOutOfMemory;
  undecided.reason = "Limit login: no room";
  undecided.line = 4;
  undecided.retry_after_ms = 1'000;
  undecided.applied = model::Applied::kUnknown;
  return answers;
}

inline LimitList SampleLimitList() {
  LimitList list;
  list.file = "limits.toml";
  list.limits.push_back({"login",
                         "fixed_window",
                         "rl:{subject}",
                         {{"limit", "10"}, {"window_ms", "60000"}},
                         true,
                         true,
                         true,
                         true,
                         1,
                         2,
                         3,
                         UINT64_MAX});
  list.limits.emplace_back();
  list.refused.push_back({"login", "anna\xFF", 7, 2});
  return list;
}

// Answers to an ExecuteMany: applied, refused, failed.
inline std::vector<model::Result> ManyResultsOfAllShapes() {
  const model::Result one = ResultOf(ValueOf("", model::Value::Integer(1), -1));
  std::vector<model::Result> results(2);
  results[0].stamp = one.stamp;
  results[0].many.emplace().calls = {one, one};
  results[1].applied = model::Applied::kNo;
  model::ManyResults& refused = results[1].many.emplace();
  refused.calls = std::vector<model::Result>(32, one);
  refused.otherwise = {one};
  refused.refused = {0, 1, 31};
  results.push_back(model::Result::Failure({model::Code::kThrown, "calls[0]: no", 3, ""}));
  results.back().many.emplace().failed = 0;
  results.push_back(results.back());
  results.back().many->failed = 63;
  results.push_back(results.back());
  results.back().many->failed = -1;
  return results;
}

}  // namespace palena::wire
