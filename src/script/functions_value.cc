// Functions that convert values, tell their type, or tell what they carry.

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "script/characters.h"
#include "script/conversions.h"
#include "script/function_bodies.h"

namespace palena::script {

namespace {

bool CannotCastType(Evaluation& e, const Value& value, std::string_view target) {
  std::string message("Cannot cast ");
  message.append(TypeName(value.type)).append(" to ").append(target);
  return e.Fail(std::move(message), &value);
}

bool CannotCastText(Evaluation& e, const Value& value, std::string_view target) {
  std::string message("Cannot cast string value '");
  message.append(Excerpt(value.string())).append("' to ").append(target);
  return e.Fail(std::move(message), &value);
}

bool Answer(Value value, Value& out) {
  out = value;
  return true;
}

bool IntegerOfText(Evaluation& e, const Value& value, Value& out) {
  if (value.is_integer_text) return Answer(Value::Long(value.integer), out);
  if (value.size == 0) return Answer(Value::Long(0), out);
  e.ChargeBytes(value.size);
  const auto integer = ParseInteger(value.string());
  if (!integer) return CannotCastText(e, value, "int");
  return Answer(Value::Long(*integer), out);
}

bool DoubleOfText(Evaluation& e, const Value& value, Value& out) {
  if (value.is_integer_text) return Answer(Value::Double(static_cast<double>(value.integer)), out);
  if (value.size == 0) return Answer(Value::Double(0), out);
  e.ChargeBytes(value.size);
  const auto number = ParseNumber(value.string());
  if (!number) return CannotCastText(e, value, "double");
  const double real = number->is_integer ? static_cast<double>(number->integer) : number->real;
  return Answer(Value::Double(real), out);
}

bool HasType(Arguments arguments, ValueType type, Value& out) {
  return Answer(Value::Bool(arguments[0].type == type), out);
}

}  // namespace

bool WrongArgument(Evaluation& e, std::string_view function, const Value& argument) {
  std::string message("Cannot use '");
  message.append(function).append("' function with argument ").append(TypeName(argument.type));
  return e.Fail(std::move(message), &argument);
}

bool ToInt(Evaluation& e, Arguments arguments, Value& out) {
  const Value& value = arguments[0];
  switch (value.type) {
    case ValueType::kLong:
      return Answer(Value::Long(value.integer), out);
    case ValueType::kBool:
      return Answer(Value::Long(value.boolean ? 1 : 0), out);
    case ValueType::kString:
      return IntegerOfText(e, value, out);
    case ValueType::kDouble:
      if (const auto integer = IntegerOfDouble(value.real)) {
        return Answer(Value::Long(*integer), out);
      }
      return e.Fail("Cannot cast double value " + DoubleText(value.real) + " to int", &value);
    case ValueType::kNull:
    case ValueType::kArray:
      break;
  }
  return CannotCastType(e, value, "int");
}

bool ToDouble(Evaluation& e, Arguments arguments, Value& out) {
  const Value& value = arguments[0];
  switch (value.type) {
    case ValueType::kLong:
      return Answer(Value::Double(static_cast<double>(value.integer)), out);
    case ValueType::kDouble:
      return Answer(Value::Double(value.real), out);
    case ValueType::kBool:
      return Answer(Value::Double(value.boolean ? 1 : 0), out);
    case ValueType::kString:
      return DoubleOfText(e, value, out);
    case ValueType::kNull:
    case ValueType::kArray:
      break;
  }
  return CannotCastType(e, value, "double");
}

bool ToStr(Evaluation& e, Arguments arguments, Value& out) {
  const Value& value = arguments[0];
  if (value.type == ValueType::kLong || value.is_integer_text) {
    return Answer(Value::IntegerText(value.integer), out);
  }
  std::string_view text;
  if (!TextForm(e, value, text)) return false;
  return Answer(Value::String(text), out);
}

bool ToBool(Evaluation& e, Arguments arguments, Value& out) {
  const Value& value = arguments[0];
  switch (value.type) {
    case ValueType::kBool:
      return Answer(Value::Bool(value.boolean), out);
    case ValueType::kLong:
      return Answer(Value::Bool(value.integer != 0), out);
    case ValueType::kDouble:
      return Answer(Value::Bool(value.real != 0), out);
    case ValueType::kString: {
      const bool is_true =
          !value.is_integer_text &&
          absl::EqualsIgnoreCase(absl::string_view(value.text, value.size), "true");
      return Answer(Value::Bool(is_true), out);
    }
    case ValueType::kNull:
    case ValueType::kArray:
      break;
  }
  return CannotCastType(e, value, "bool");
}

bool ToJson(Evaluation& e, Arguments arguments, Value& out) {
  std::string_view text;
  if (!JsonText(e, arguments[0], text)) return false;
  return Answer(Value::String(text), out);
}

bool IsLong(Evaluation&, Arguments arguments, Value& out) {
  return HasType(arguments, ValueType::kLong, out);
}

bool IsDouble(Evaluation&, Arguments arguments, Value& out) {
  return HasType(arguments, ValueType::kDouble, out);
}

bool IsString(Evaluation&, Arguments arguments, Value& out) {
  return HasType(arguments, ValueType::kString, out);
}

bool IsBool(Evaluation&, Arguments arguments, Value& out) {
  return HasType(arguments, ValueType::kBool, out);
}

bool IsNull(Evaluation&, Arguments arguments, Value& out) {
  return HasType(arguments, ValueType::kNull, out);
}

bool IsArray(Evaluation&, Arguments arguments, Value& out) {
  return HasType(arguments, ValueType::kArray, out);
}

// The answer carries the revision too, so that `return revision(x)` reports it (language.md 5).
bool Revision(Evaluation&, Arguments arguments, Value& out) {
  Value revision = Value::Long(arguments[0].revision);
  revision.revision = arguments[0].revision;
  return Answer(revision, out);
}

bool Expires(Evaluation&, Arguments arguments, Value& out) {
  return Answer(Value::Long(arguments[0].expires_ms), out);
}

bool StampMs(Evaluation& e, Arguments, Value& out) {
  return Answer(Value::Long(e.stamp().time.ms()), out);
}

bool StampCounter(Evaluation& e, Arguments, Value& out) {
  return Answer(Value::Long(e.stamp().time.counter()), out);
}

bool Count(Evaluation& e, Arguments arguments, Value& out) {
  const Value& value = arguments[0];
  if (value.type != ValueType::kArray) return WrongArgument(e, "count", value);
  return Answer(Value::Long(static_cast<std::int64_t>(value.array->count)), out);
}

bool Truncated(Evaluation& e, Arguments arguments, Value& out) {
  const Value& value = arguments[0];
  if (value.type != ValueType::kArray) return WrongArgument(e, "truncated", value);
  return Answer(Value::Bool(value.array->truncated), out);
}

}  // namespace palena::script
