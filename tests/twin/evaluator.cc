#include "twin/evaluator.h"

#include "base/check.h"
#include "twin/failure.h"
#include "twin/functions.h"

namespace palena::twin {

using script::BinaryOp;
using script::Expr;
using script::ExprKind;

namespace {

// Far below every limit of the engine, so that none of them can be what it answers.
constexpr std::size_t kTextBytesMax = 20'000;
constexpr std::size_t kElementsMax = 2'000;

}  // namespace

Value Evaluator::Evaluate(script::ExprId id) {
  Value value = EvaluateUnchecked(tree_.expr(id));
  const bool is_long = value.Is(Type::kArray) && value.elements->size() > kElementsMax;
  if (is_long || value.text.size() > kTextBytesMax) throw TooMuch();
  return value;
}

Value Evaluator::EvaluateUnchecked(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNull:
      return Value::Null();
    case ExprKind::kBool:
      return Value::Bool(expr.boolean);
    case ExprKind::kInteger:
      return Value::Long(expr.integer);
    case ExprKind::kDouble:
      return Value::Double(expr.real);
    case ExprKind::kString:
      return Value::String(expr.text);
    case ExprKind::kVariable:
      return Variable(expr);
    case ExprKind::kParameter:
      return Parameter(expr);
    case ExprKind::kArray:
      return Value::Array(Children(expr));
    case ExprKind::kCall:
      return Call(SiteOf(expr), expr.text, Children(expr), stamp_);
    case ExprKind::kIndex: {
      const std::vector<Value> operands = Children(expr);
      return ElementOf(SiteOf(expr), operands[0], operands[1]);
    }
    case ExprKind::kNegate:
      return Negate(SiteOf(expr), Evaluate(expr.children[0]));
    case ExprKind::kNot:
      return Value::Bool(!Condition(SiteOf(expr), Evaluate(expr.children[0])));
    case ExprKind::kGuard:
      return Guard(expr);
    case ExprKind::kChain:
      return Chain(expr);
  }
  PALENA_CHECK(false && "every kind of expression is known");
  return {};
}

std::vector<Value> Evaluator::Children(const Expr& expr) {
  std::vector<Value> values;
  for (const script::ExprId child : expr.children) values.push_back(Evaluate(child));
  return values;
}

Value Evaluator::Variable(const Expr& expr) const {
  const auto found = scope_.variables.find(expr.text);
  if (found == scope_.variables.end()) Fail(SiteOf(expr), "Undefined variable: " + expr.text);
  return found->second;
}

Value Evaluator::Parameter(const Expr& expr) const {
  const auto found = parameters_.find(expr.text);
  if (found == parameters_.end()) Fail(SiteOf(expr), "Undefined parameter: " + expr.text);
  Value value = Value::String(found->second);
  value.parameter = expr.text;
  return value;
}

Value Evaluator::Guard(const Expr& expr) const {
  static constexpr std::array<const char*, 4> kNames = {"FOUND", "SET", "DELETED", "EXTENDED"};
  const auto kind = static_cast<std::size_t>(expr.guard);
  const std::optional<bool>& last = scope_.took_effect[kind];
  if (!last) Fail(SiteOf(expr), std::string("Invalid NOT ") + kNames[kind] + " expression");
  return Value::Bool(!*last);
}

// a op b op c …, from the left. All operators of a chain are of one level.
Value Evaluator::Chain(const Expr& expr) {
  const BinaryOp first = expr.ops.front();
  if (first == BinaryOp::kAnd || first == BinaryOp::kOr) return Logic(expr);
  Value left = Evaluate(expr.children[0]);
  for (std::size_t i = 0; i < expr.ops.size(); ++i) {
    left = Apply(SiteOf(expr), expr.ops[i], left, Evaluate(expr.children[i + 1]));
  }
  return left;
}

// Ends at the first operand that decides: what follows is not even looked at.
Value Evaluator::Logic(const Expr& expr) {
  const bool deciding = expr.ops.front() == BinaryOp::kOr;
  bool result = !deciding;
  for (const script::ExprId child : expr.children) {
    const bool operand = Condition(SiteOf(expr), Evaluate(child));
    if (operand == deciding) result = deciding;
    if (result == deciding && planted_ != Fault::kAndTakesBothSides) break;
  }
  return Value::Bool(result);
}

}  // namespace palena::twin
