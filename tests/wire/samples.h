#pragma once

// Messages that the tests of this room share.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/request.h"
#include "model/result.h"
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

}  // namespace palena::wire
