#pragma once

// Values in short readable forms, for tests of operators and functions.

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "script/conversions.h"
#include "script/evaluation.h"
#include "script/functions.h"
#include "script/value.h"

namespace palena::script {

inline constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

inline Value I(std::int64_t integer) {
  return Value::Long(integer);
}
inline Value D(double real) {
  return Value::Double(real);
}
inline Value S(std::string_view text) {
  return Value::String(text);
}
inline Value C(std::int64_t counter) {
  return Value::IntegerText(counter);
}
inline Value B(bool boolean) {
  return Value::Bool(boolean);
}
inline Value N() {
  return Value::Null();
}

// 5, 2.5d, 'text', true, null, [1,2]
inline std::string Show(Evaluation& e, const Value& value) {
  std::string_view text;
  if (value.type == ValueType::kNull) return "null";
  if (value.type == ValueType::kArray) return JsonText(e, value, text) ? std::string(text) : "?";
  if (!TextForm(e, value, text)) return "?";
  if (value.type == ValueType::kDouble) return std::string(text) + "d";
  if (value.type == ValueType::kString) return std::string("'").append(text).append("'");
  return std::string(text);
}

// The result, or the message of the failure.
inline std::string Outcome(Evaluation& e, bool succeeded, const Value& out) {
  return succeeded ? Show(e, out) : e.error().message;
}

inline std::string Call(Evaluation& e, std::string_view name, std::vector<Value> arguments) {
  const Function* const function = FindFunction(name);
  if (function == nullptr) return "no such function";
  Value out;
  const bool succeeded = function->body(e, arguments, out);
  return Outcome(e, succeeded, out);
}

inline std::string Call(std::string_view name, std::vector<Value> arguments) {
  Evaluation e;
  return Call(e, name, std::move(arguments));
}

using BinaryOperator = bool (*)(Evaluation&, const Value&, const Value&, Value&);

inline std::string Apply(BinaryOperator op, const Value& a, const Value& b) {
  Evaluation e;
  Value out;
  const bool succeeded = op(e, a, b, out);
  return Outcome(e, succeeded, out);
}

}  // namespace palena::script
