#include "twin/operators.h"

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "twin/characters.h"
#include "twin/failure.h"

namespace palena::twin {

using script::BinaryOp;

void Fail(const Site& site, std::string message, const Value* culprit) {
  Failure failure{model::Code::kRuntime, std::move(message), site.line, ""};
  const bool is_named = culprit != nullptr && site.planted != Fault::kForgetsParameter;
  if (is_named) failure.parameter = culprit->parameter;
  throw failure;
}

namespace {

// Both an integer and a float fit without loss, so the order is exact over all numbers.
static_assert(LDBL_MANT_DIG >= 64);
using Exact = long double;

struct Operands {
  Number a;
  Number b;
  bool are_integers() const { return a.is_integer && b.is_integer; }
};

std::string_view SymbolOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::kEqual:
      return "==";
    case BinaryOp::kNotEqual:
      return "!=";
    case BinaryOp::kLess:
      return "<";
    case BinaryOp::kLessEqual:
      return "<=";
    case BinaryOp::kGreater:
      return ">";
    case BinaryOp::kGreaterEqual:
      return ">=";
    case BinaryOp::kAdd:
      return "+";
    case BinaryOp::kSubtract:
      return "-";
    case BinaryOp::kMultiply:
      return "*";
    case BinaryOp::kDivide:
      return "/";
    default:
      break;
  }
  PALENA_CHECK(false && "an operator that names itself otherwise");
  return "";
}

const Value& FromParameter(const Value& a, const Value& b) {
  return a.parameter.empty() ? b : a;
}

// At fault is the operand that is no number. If that tells nothing, whichever a parameter gave.
[[noreturn]] void FailOperands(const Site& site, BinaryOp op, const Value& a, const Value& b) {
  const bool a_is_number = NumberOf(a).has_value();
  const bool b_is_number = NumberOf(b).has_value();
  const Value* culprit = &FromParameter(a, b);
  if (a_is_number != b_is_number) culprit = a_is_number ? &b : &a;
  std::string message = "Invalid operands: ";
  message.append(TypeName(a.type)).append(" ").append(SymbolOf(op)).append(" ");
  Fail(site, message.append(TypeName(b.type)), culprit);
}

// Two numbers, or a number and a numeric string in either order; never two strings.
Operands NumbersOf(const Site& site, BinaryOp op, const Value& a, const Value& b) {
  if (!a.IsNumber() && !b.IsNumber()) FailOperands(site, op, a, b);
  const auto left = NumberOf(a);
  const auto right = NumberOf(b);
  if (!left || !right) FailOperands(site, op, a, b);
  return {*left, *right};
}

// In twice as many bits nothing overflows.
__extension__ using Wide = __int128;

Wide Calculate(BinaryOp op, Wide a, Wide b) {
  if (op == BinaryOp::kAdd) return a + b;
  if (op == BinaryOp::kSubtract) return a - b;
  if (op == BinaryOp::kMultiply) return a * b;
  return a / b;
}

double Calculate(BinaryOp op, double a, double b) {
  if (op == BinaryOp::kAdd) return a + b;
  if (op == BinaryOp::kSubtract) return a - b;
  if (op == BinaryOp::kMultiply) return a * b;
  return a / b;
}

bool HasRemainder(Wide a, Wide b) {
  return a % b != 0 && (a < 0) != (b < 0);
}

Value Arithmetic(const Site& site, BinaryOp op, const Value& a, const Value& b) {
  const Operands operands = NumbersOf(site, op, a, b);
  if (op == BinaryOp::kDivide && operands.b.AsDouble() == 0) Fail(site, "Division by zero", &b);
  if (!operands.are_integers()) {
    return Value::Double(Calculate(op, operands.a.AsDouble(), operands.b.AsDouble()));
  }
  Wide result = Calculate(op, Wide{operands.a.integer}, Wide{operands.b.integer});
  const bool floors = site.planted == Fault::kDivisionFloors && op == BinaryOp::kDivide;
  if (floors && HasRemainder(operands.a.integer, operands.b.integer)) --result;
  const auto narrow = static_cast<std::int64_t>(result);
  if (narrow != result && site.planted != Fault::kOverflowWraps) {
    Fail(site, "Integer overflow", &FromParameter(a, b));
  }
  return Value::Long(narrow);
}

bool Holds(BinaryOp op, Exact a, Exact b) {
  if (op == BinaryOp::kLess) return a < b;
  if (op == BinaryOp::kLessEqual) return a <= b;
  if (op == BinaryOp::kGreater) return a > b;
  return a >= b;
}

Exact ExactOf(const Number& number) {
  return number.is_integer ? static_cast<Exact>(number.integer) : static_cast<Exact>(number.real);
}

bool Ordered(const Site& site, BinaryOp op, const Value& a, const Value& b) {
  const bool are_strings = a.Is(Type::kString) && b.Is(Type::kString);
  if (are_strings && site.planted == Fault::kStringsAreOrdered) {
    return Holds(op, a.text.compare(b.text), 0);
  }
  const Operands operands = NumbersOf(site, op, a, b);
  return Holds(op, ExactOf(operands.a), ExactOf(operands.b));
}

bool Equal(const Site& site, BinaryOp op, const Value& a, const Value& b) {
  if (a.Is(Type::kNull) || b.Is(Type::kNull)) return a.type == b.type;
  if (a.Is(Type::kString) && b.Is(Type::kString)) return a.text == b.text;
  if (a.Is(Type::kBool) && b.Is(Type::kBool)) return a.boolean == b.boolean;
  const Operands operands = NumbersOf(site, op, a, b);
  return ExactOf(operands.a) == ExactOf(operands.b);
}

[[noreturn]] void FailRangeLimit(const Site& site, std::int64_t first, std::int64_t last) {
  throw Failure{model::Code::kLimit,
                "Too many array elements: " + std::to_string(first) + ".." + std::to_string(last) +
                    ", at most " + std::to_string(base::kArrayElementsMax),
                site.line, ""};
}

Value Range(const Site& site, const Value& a, const Value& b) {
  if (!a.Is(Type::kLong) || !b.Is(Type::kLong)) {
    std::string message = "Invalid operands for range operator: ";
    message.append(TypeName(a.type)).append(" - ").append(TypeName(b.type));
    Fail(site, message, a.Is(Type::kLong) ? &b : &a);
  }
  Wide last = b.integer;
  if (site.planted == Fault::kRangeIsHalfOpen) --last;
  if (last - a.integer >= Wide{base::kArrayElementsMax}) {
    FailRangeLimit(site, a.integer, b.integer);
  }
  Value::Elements elements;
  for (Wide i = a.integer; i <= last; ++i) {
    elements.push_back(Value::Long(static_cast<std::int64_t>(i)));
  }
  return Value::Array(std::move(elements));
}

std::string IndexShown(const Value& index) {
  if (index.IsNumber()) return TextOf(index);
  if (index.Is(Type::kString)) return "'" + Quoted(index.text) + "'";
  return std::string(TypeName(index.type));
}

}  // namespace

Value Apply(const Site& site, BinaryOp op, const Value& a, const Value& b) {
  switch (op) {
    case BinaryOp::kRange:
      return Range(site, a, b);
    case BinaryOp::kEqual:
      return Value::Bool(Equal(site, op, a, b));
    case BinaryOp::kNotEqual:
      return Value::Bool(!Equal(site, op, a, b));
    case BinaryOp::kLess:
    case BinaryOp::kLessEqual:
    case BinaryOp::kGreater:
    case BinaryOp::kGreaterEqual:
      return Value::Bool(Ordered(site, op, a, b));
    default:
      return Arithmetic(site, op, a, b);
  }
}

Value Negate(const Site& site, const Value& value) {
  const auto number = NumberOf(value);
  if (!number) Fail(site, "Invalid operands: - " + std::string(TypeName(value.type)), &value);
  if (!number->is_integer) return Value::Double(-number->real);
  if (number->integer == INT64_MIN) Fail(site, "Integer overflow", &value);
  return Value::Long(-number->integer);
}

Value ElementOf(const Site& site, const Value& array, const Value& index) {
  if (!array.Is(Type::kArray)) {
    Fail(site, "Expression to index must be an array: Found: " + std::string(TypeName(array.type)),
         &array);
  }
  const auto count = static_cast<std::int64_t>(array.elements->size());
  const auto at = WholeOf(index);
  if (!at || *at < 0 || *at >= count) {
    Fail(site, "Invalid index: " + IndexShown(index) + " in an array of " + std::to_string(count),
         &index);
  }
  return (*array.elements)[static_cast<std::size_t>(*at)];
}

bool Condition(const Site& site, const Value& value) {
  if (!value.Is(Type::kBool)) {
    Fail(site, "expected a boolean, found " + std::string(TypeName(value.type)), &value);
  }
  return value.boolean;
}

std::string StoredText(const Site& site, const Value& value) {
  if (value.Is(Type::kArray)) Fail(site, "Cannot cast ArrayType to string", &value);
  return TextOf(value);
}

}  // namespace palena::twin
