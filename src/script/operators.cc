#include "script/operators.h"

#include <cmath>
#include <compare>
#include <functional>
#include <string>

#include "script/conversions.h"
#include "script/scalar_text.h"

namespace palena::script {

namespace {

bool IsNumberType(const Value& value) {
  return value.type == ValueType::kLong || value.type == ValueType::kDouble;
}

// A number, or a string by num(S).
std::optional<Number> AsNumber(Evaluation& e, const Value& value) {
  if (value.type == ValueType::kLong || value.is_integer_text)
    return Number{true, value.integer, 0};
  if (value.type == ValueType::kDouble) return Number{false, 0, value.real};
  if (value.type != ValueType::kString) return std::nullopt;
  e.ChargeBytes(value.size);
  return ParseNumber(value.string());
}

double AsDouble(const Number& number) {
  return number.is_integer ? static_cast<double>(number.integer) : number.real;
}

// Whom to blame for a pair: the one that is no number; if both or neither are, whichever came from
// a parameter.
const Value& Culprit(Evaluation& e, const Value& a, const Value& b) {
  const bool a_is_number = AsNumber(e, a).has_value();
  const bool b_is_number = AsNumber(e, b).has_value();
  if (a_is_number != b_is_number) return a_is_number ? b : a;
  return a.origin != 0 ? a : b;
}

bool InvalidOperands(Evaluation& e, const Value& a, std::string_view op, const Value& b) {
  std::string message("Invalid operands: ");
  message.append(TypeName(a.type)).append(" ").append(op).append(" ").append(TypeName(b.type));
  return e.Fail(std::move(message), &Culprit(e, a, b));
}

struct NumberPair {
  Number a;
  Number b;
  bool is_integer() const { return a.is_integer && b.is_integer; }
};

// Two numbers, or a number and a numeric string; never two strings (language.md 4.1, 4.3).
bool NumbersOf(Evaluation& e, const Value& a, std::string_view op, const Value& b,
               NumberPair& out) {
  if (!IsNumberType(a) && !IsNumberType(b)) return InvalidOperands(e, a, op, b);
  const auto left = AsNumber(e, a);
  const auto right = AsNumber(e, b);
  if (!left || !right) return InvalidOperands(e, a, op, b);
  out = {*left, *right};
  return true;
}

bool Overflow(Evaluation& e, const Value& a, const Value& b) {
  return e.Fail("Integer overflow", a.origin != 0 ? &a : &b);
}

// The checked 64-bit operations; false on overflow.
struct Adding {
  static constexpr std::string_view kSymbol = "+";
  static bool Integers(std::int64_t a, std::int64_t b, std::int64_t& out) {
    return !__builtin_add_overflow(a, b, &out);
  }
  static double Reals(double a, double b) { return a + b; }
};

struct Subtracting {
  static constexpr std::string_view kSymbol = "-";
  static bool Integers(std::int64_t a, std::int64_t b, std::int64_t& out) {
    return !__builtin_sub_overflow(a, b, &out);
  }
  static double Reals(double a, double b) { return a - b; }
};

struct Multiplying {
  static constexpr std::string_view kSymbol = "*";
  static bool Integers(std::int64_t a, std::int64_t b, std::int64_t& out) {
    return !__builtin_mul_overflow(a, b, &out);
  }
  static double Reals(double a, double b) { return a * b; }
};

struct Dividing {
  static constexpr std::string_view kSymbol = "/";
  // By anything but zero. The one quotient that does not fit is -MIN, which traps if computed.
  static bool Integers(std::int64_t a, std::int64_t b, std::int64_t& out) {
    if (b == -1) return Subtracting::Integers(0, a, out);
    out = a / b;
    return true;
  }
  static double Reals(double a, double b) { return a / b; }
};

template <typename Operation>
bool Compute(Evaluation& e, const Value& a, const Value& b, const NumberPair& numbers, Value& out) {
  if (!numbers.is_integer()) {
    out = Value::Double(Operation::Reals(AsDouble(numbers.a), AsDouble(numbers.b)));
    return true;
  }
  std::int64_t result;
  if (!Operation::Integers(numbers.a.integer, numbers.b.integer, result)) return Overflow(e, a, b);
  out = Value::Long(result);
  return true;
}

template <typename Operation>
bool Arithmetic(Evaluation& e, const Value& a, const Value& b, Value& out) {
  std::int64_t result;
  if (a.type == ValueType::kLong && b.type == ValueType::kLong &&
      Operation::Integers(a.integer, b.integer, result)) {
    out = Value::Long(result);
    return true;
  }
  NumberPair numbers;
  if (!NumbersOf(e, a, Operation::kSymbol, b, numbers)) return false;
  return Compute<Operation>(e, a, b, numbers, out);
}

// Exact: the integer is not rounded to a float first, so that order is the same over all numbers.
std::partial_ordering CompareIntegerWithReal(std::int64_t integer, double real) {
  if (std::isnan(real)) return std::partial_ordering::unordered;
  const auto whole = IntegerOfDouble(real);
  if (!whole) return 0.0 <=> real;  // beyond every integer: its sign decides
  if (integer != *whole) return integer <=> *whole;
  return std::trunc(real) <=> real;
}

std::partial_ordering CompareNumbers(const NumberPair& numbers) {
  const auto& [a, b] = numbers;
  if (numbers.is_integer()) return a.integer <=> b.integer;
  if (a.is_integer) return CompareIntegerWithReal(a.integer, b.real);
  if (b.is_integer) return 0 <=> CompareIntegerWithReal(b.integer, a.real);
  return a.real <=> b.real;
}

bool Compare(Evaluation& e, const Value& a, std::string_view op, const Value& b,
             std::partial_ordering& out) {
  NumberPair numbers;
  if (!NumbersOf(e, a, op, b, numbers)) return false;
  out = CompareNumbers(numbers);
  return true;
}

// The relation twice: of two integers, as nearly all are, and of an ordering.
template <typename Relation, bool (*kHolds)(std::partial_ordering)>
bool Ordered(Evaluation& e, const Value& a, std::string_view op, const Value& b, Value& out) {
  if (a.type == ValueType::kLong && b.type == ValueType::kLong) {
    out = Value::Bool(Relation()(a.integer, b.integer));
    return true;
  }
  std::partial_ordering order = std::partial_ordering::unordered;
  if (!Compare(e, a, op, b, order)) return false;
  out = Value::Bool(kHolds(order));
  return true;
}

bool StringsAreEqual(Evaluation& e, const Value& a, const Value& b) {
  if (a.is_integer_text && b.is_integer_text) return a.integer == b.integer;
  const ScalarText left(a);
  const ScalarText right(b);
  if (left.view().size() != right.view().size()) return false;
  e.ChargeBytes(left.view().size());
  return left.view() == right.view();
}

bool AreEqual(Evaluation& e, const Value& a, std::string_view op, const Value& b, bool& out) {
  if (a.type == ValueType::kNull || b.type == ValueType::kNull) {
    out = a.type == b.type;
    return true;
  }
  if (a.type == ValueType::kString && b.type == ValueType::kString) {
    out = StringsAreEqual(e, a, b);
    return true;
  }
  if (a.type == ValueType::kBool && b.type == ValueType::kBool) {
    out = a.boolean == b.boolean;
    return true;
  }
  std::partial_ordering order = std::partial_ordering::unordered;
  if (!Compare(e, a, op, b, order)) return false;
  out = order == 0;
  return true;
}

}  // namespace

bool Add(Evaluation& e, const Value& a, const Value& b, Value& out) {
  return Arithmetic<Adding>(e, a, b, out);
}

bool Subtract(Evaluation& e, const Value& a, const Value& b, Value& out) {
  return Arithmetic<Subtracting>(e, a, b, out);
}

bool Multiply(Evaluation& e, const Value& a, const Value& b, Value& out) {
  return Arithmetic<Multiplying>(e, a, b, out);
}

bool Divide(Evaluation& e, const Value& a, const Value& b, Value& out) {
  NumberPair numbers;
  if (!NumbersOf(e, a, Dividing::kSymbol, b, numbers)) return false;
  if (AsDouble(numbers.b) == 0) return e.Fail("Division by zero", &b);
  return Compute<Dividing>(e, a, b, numbers, out);
}

bool Negate(Evaluation& e, const Value& a, Value& out) {
  const auto number = AsNumber(e, a);
  if (!number) return e.Fail("Invalid operands: - " + std::string(TypeName(a.type)), &a);
  if (!number->is_integer) {
    out = Value::Double(-number->real);
    return true;
  }
  std::int64_t result;
  if (!Subtracting::Integers(0, number->integer, result)) return Overflow(e, a, a);
  out = Value::Long(result);
  return true;
}

bool Equal(Evaluation& e, const Value& a, const Value& b, Value& out) {
  bool equal = false;
  if (!AreEqual(e, a, "==", b, equal)) return false;
  out = Value::Bool(equal);
  return true;
}

bool NotEqual(Evaluation& e, const Value& a, const Value& b, Value& out) {
  bool equal = false;
  if (!AreEqual(e, a, "!=", b, equal)) return false;
  out = Value::Bool(!equal);
  return true;
}

bool Less(Evaluation& e, const Value& a, const Value& b, Value& out) {
  return Ordered<std::less<>, std::is_lt>(e, a, "<", b, out);
}

bool LessEqual(Evaluation& e, const Value& a, const Value& b, Value& out) {
  return Ordered<std::less_equal<>, std::is_lteq>(e, a, "<=", b, out);
}

bool Greater(Evaluation& e, const Value& a, const Value& b, Value& out) {
  return Ordered<std::greater<>, std::is_gt>(e, a, ">", b, out);
}

bool GreaterEqual(Evaluation& e, const Value& a, const Value& b, Value& out) {
  return Ordered<std::greater_equal<>, std::is_gteq>(e, a, ">=", b, out);
}

bool RefuseCondition(Evaluation& e, const Value& a) {
  return e.Fail("expected a boolean, found " + std::string(TypeName(a.type)), &a);
}

bool Not(Evaluation& e, const Value& a, Value& out) {
  bool condition = false;
  if (!Condition(e, a, condition)) return false;
  out = Value::Bool(!condition);
  return true;
}

}  // namespace palena::script
