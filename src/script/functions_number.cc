// Functions on numbers. They coerce nothing: a string is refused even if it reads as a number.

#include <cmath>
#include <optional>
#include <string>

#include "script/conversions.h"
#include "script/function_bodies.h"

namespace palena::script {

namespace {

constexpr std::int64_t kDigitsMax = 15;

bool IsLongValue(const Value& value) {
  return value.type == ValueType::kLong;
}

bool IsNumber(const Value& value) {
  return value.type == ValueType::kLong || value.type == ValueType::kDouble;
}

// Of a number.
double AsDouble(const Value& value) {
  return IsLongValue(value) ? static_cast<double>(value.integer) : value.real;
}

bool RequireNumbers(Evaluation& e, std::string_view function, Arguments arguments) {
  for (const Value& argument : arguments) {
    if (!IsNumber(argument)) return WrongArgument(e, function, argument);
  }
  return true;
}

// The result is a float whatever the argument was (language.md 5).
bool RoundWith(Evaluation& e, std::string_view function, double (*rounding)(double),
               const Value& argument, Value& out) {
  if (!IsNumber(argument)) return WrongArgument(e, function, argument);
  out = Value::Double(rounding(AsDouble(argument)));
  return true;
}

double RoundToDigits(double value, int digits) {
  // From here on a double has no fraction, and scaling it could overflow.
  constexpr double kAllWholeFrom = 1e16;
  if (std::fabs(value) >= kAllWholeFrom) return value;
  const double scale = std::pow(10.0, digits);
  // nearbyint: half to even, the rounding mode that nobody in the process changes.
  return std::nearbyint(value * scale) / scale;
}

// The one that `is_first_chosen` picks; NaN if either is.
template <typename Choice>
bool Choose(Evaluation& e, std::string_view function, Arguments arguments, Choice is_first_chosen,
            Value& out) {
  if (!RequireNumbers(e, function, arguments)) return false;
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (IsLongValue(a) && IsLongValue(b)) {
    out = Value::Long(is_first_chosen(a.integer, b.integer) ? a.integer : b.integer);
    return true;
  }
  const double x = AsDouble(a);
  const double y = AsDouble(b);
  out = Value::Double(std::isnan(x) || (!std::isnan(y) && is_first_chosen(x, y)) ? x : y);
  return true;
}

}  // namespace

bool Abs(Evaluation& e, Arguments arguments, Value& out) {
  const Value& argument = arguments[0];
  if (!IsNumber(argument)) return WrongArgument(e, "abs", argument);
  if (!IsLongValue(argument)) {
    out = Value::Double(std::fabs(argument.real));
    return true;
  }
  std::int64_t result = argument.integer;
  if (result < 0 && __builtin_sub_overflow(std::int64_t{0}, result, &result)) {
    return e.Fail("Integer overflow", &argument);
  }
  out = Value::Long(result);
  return true;
}

bool Ceil(Evaluation& e, Arguments arguments, Value& out) {
  return RoundWith(e, "ceil", std::ceil, arguments[0], out);
}

bool Floor(Evaluation& e, Arguments arguments, Value& out) {
  return RoundWith(e, "floor", std::floor, arguments[0], out);
}

bool Round(Evaluation& e, Arguments arguments, Value& out) {
  const Value& digits = arguments[1];
  if (!IsNumber(arguments[0])) return WrongArgument(e, "round", arguments[0]);
  if (!IsLongValue(digits)) return WrongArgument(e, "round", digits);
  if (digits.integer < 0 || digits.integer > kDigitsMax) {
    return e.Fail("Invalid value for digits: " + std::to_string(digits.integer) +
                  ", it must be 0 to " + std::to_string(kDigitsMax));
  }
  out = Value::Double(RoundToDigits(AsDouble(arguments[0]), static_cast<int>(digits.integer)));
  return true;
}

bool Min(Evaluation& e, Arguments arguments, Value& out) {
  return Choose(
      e, "min", arguments, [](auto a, auto b) { return a < b; }, out);
}

bool Max(Evaluation& e, Arguments arguments, Value& out) {
  return Choose(
      e, "max", arguments, [](auto a, auto b) { return a > b; }, out);
}

bool Pow(Evaluation& e, Arguments arguments, Value& out) {
  if (!RequireNumbers(e, "pow", arguments)) return false;
  out = Value::Double(std::pow(AsDouble(arguments[0]), AsDouble(arguments[1])));
  return true;
}

bool Mod(Evaluation& e, Arguments arguments, Value& out) {
  for (const Value& argument : arguments) {
    if (!IsLongValue(argument)) return WrongArgument(e, "mod", argument);
  }
  const std::int64_t divisor = arguments[1].integer;
  if (divisor == 0) return e.Fail("Division by zero", &arguments[1]);
  // By -1 nothing ever remains, and the processor traps on the minimum integer.
  out = Value::Long(divisor == -1 ? 0 : arguments[0].integer % divisor);
  return true;
}

bool NearlyEquals(Evaluation& e, Arguments arguments, Value& out) {
  if (!RequireNumbers(e, "nearly_equals", arguments)) return false;
  const double tolerance = AsDouble(arguments[2]);
  if (!(tolerance >= 0)) {
    return e.Fail("Invalid tolerance: " + DoubleText(tolerance) + ", it must not be negative");
  }
  // Wider than a double, so that the distance of two large integers is not rounded to nothing.
  const auto wide = [](const Value& value) {
    return IsLongValue(value) ? static_cast<long double>(value.integer)
                              : static_cast<long double>(value.real);
  };
  const long double a = wide(arguments[0]);
  const long double b = wide(arguments[1]);
  out = Value::Bool(a == b || std::fabs(a - b) <= static_cast<long double>(tolerance));
  return true;
}

}  // namespace palena::script
