#include <array>
#include <string>

#include "base/check.h"
#include "script/compiler.h"
#include "script/functions.h"

namespace palena::script {
namespace {

Opcode OpcodeOf(BinaryOp op) {
  static constexpr std::array kOpcodes = {
      Opcode::kRange,        Opcode::kHalt, Opcode::kHalt,      Opcode::kEqual,
      Opcode::kNotEqual,     Opcode::kLess, Opcode::kLessEqual, Opcode::kGreater,
      Opcode::kGreaterEqual, Opcode::kAdd,  Opcode::kSubtract,  Opcode::kMultiply,
      Opcode::kDivide};
  const Opcode opcode = kOpcodes[static_cast<std::size_t>(op)];
  PALENA_CHECK(opcode != Opcode::kHalt);  // && and || are jumps, not opcodes
  return opcode;
}

bool IsShortCircuit(const Expr& chain) {
  return chain.ops.front() == BinaryOp::kAnd || chain.ops.front() == BinaryOp::kOr;
}

// Whether the value can only be a boolean that carries no revision, so that && and || need not
// test it.
bool IsPlainBoolean(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kBool:
    case ExprKind::kNot:
    case ExprKind::kGuard:
      return true;
    case ExprKind::kChain:
      return expr.ops.back() >= BinaryOp::kOr && expr.ops.back() <= BinaryOp::kGreaterEqual;
    default:
      return false;
  }
}

}  // namespace

Operand Compiler::Evaluate(ExprId id) {
  const Expr& expr = tree_.expr(id);
  switch (expr.kind) {
    case ExprKind::kNull:
      return code_.Null();
    case ExprKind::kBool:
      return code_.Bool(expr.boolean);
    case ExprKind::kInteger:
      return code_.Long(expr.integer);
    case ExprKind::kDouble:
      return code_.Double(expr.real);
    case ExprKind::kString:
      return code_.Text(expr.text);
    case ExprKind::kVariable:
      return VariableOperand(expr);
    default:
      break;
  }
  const std::uint16_t out = code_.NewTemporaries();
  EvaluateInto(id, out);
  return Operand::Register(out);
}

Operand Compiler::VariableOperand(const Expr& expr) {
  const auto variable = static_cast<std::uint16_t>(expr.slot);
  if (!bound_.IsBound(expr.slot)) {
    code_.Emit(Opcode::kCheckVariable, expr.line).a = variable;
    bound_.Bind(expr.slot);  // whoever comes behind the check finds a value
  }
  return Operand::Register(variable);
}

std::uint16_t Compiler::EvaluateToRegister(ExprId id) {
  const Operand operand = Evaluate(id);
  if (!operand.is_constant) return operand.index;
  const std::uint16_t out = code_.NewTemporaries();
  code_.Emit(Opcode::kMove, tree_.expr(id).line, out, operand);
  return out;
}

void Compiler::EvaluateInto(ExprId id, std::uint16_t out) {
  const Expr& expr = tree_.expr(id);
  const std::size_t mark = code_.temporaries_mark();
  switch (expr.kind) {
    case ExprKind::kParameter:
      code_.Emit(Opcode::kParameter, expr.line, out,
                 Operand::Register(static_cast<std::uint16_t>(expr.slot)));
      break;
    case ExprKind::kArray:
      EvaluateArray(expr, out);
      break;
    case ExprKind::kCall:
      EvaluateCall(expr, out);
      break;
    case ExprKind::kIndex:
      EvaluateIndex(expr, out);
      break;
    case ExprKind::kNegate:
      EvaluateUnary(Opcode::kNegate, expr, out);
      break;
    case ExprKind::kNot:
      EvaluateUnary(Opcode::kNot, expr, out);
      break;
    case ExprKind::kGuard:
      code_.Emit(Opcode::kGuard, expr.line, out,
                 Operand::Register(static_cast<std::uint16_t>(expr.guard)));
      break;
    case ExprKind::kChain:
      IsShortCircuit(expr) ? EvaluateShortCircuit(expr, out) : EvaluateChain(expr, out);
      break;
    default:
      code_.Emit(Opcode::kMove, expr.line, out, Evaluate(id));
      break;
  }
  code_.ReleaseTemporaries(mark);
}

void Compiler::EvaluateUnary(Opcode op, const Expr& expr, std::uint16_t out) {
  code_.Emit(op, expr.line, out, Evaluate(expr.children[0]));
}

void Compiler::EvaluateIndex(const Expr& expr, std::uint16_t out) {
  const Operand array = Evaluate(expr.children[0]);
  const Operand index = Evaluate(expr.children[1]);
  code_.Emit(Opcode::kIndex, tree_.expr(expr.children[0]).line, out, array, index);
}

void Compiler::EvaluateArray(const Expr& expr, std::uint16_t out) {
  const auto count = static_cast<std::uint16_t>(expr.children.size());
  const std::uint16_t first = EvaluateArguments(expr);
  code_.Emit(Opcode::kArray, expr.line, out, Operand::Register(first), Operand::Register(count));
}

std::uint16_t Compiler::EvaluateArguments(const Expr& expr) {
  const std::size_t count = expr.children.size();
  if (count == 0) return 0;
  if (count == 1) return EvaluateToRegister(expr.children[0]);
  const std::uint16_t first = code_.NewTemporaries(count);
  for (std::size_t i = 0; i < count; ++i) {
    EvaluateInto(expr.children[i], static_cast<std::uint16_t>(first + i));
  }
  return first;
}

void Compiler::EvaluateCall(const Expr& expr, std::uint16_t out) {
  const Function* function = FindFunction(expr.text);
  if (function == nullptr) {
    return RaiseInCall(expr, "Undefined function " + expr.text + " expression");
  }
  const auto count = static_cast<int>(expr.children.size());
  if (count < function->arity_min || count > function->arity_max) {
    return RaiseInCall(
        expr, "Invalid number of arguments for '" + std::string(function->name) + "' function");
  }
  const std::uint16_t first = EvaluateArguments(expr);
  const auto place = static_cast<std::uint16_t>(function - Functions().data());
  code_.Emit(Opcode::kCall, expr.line, out, Operand::Register(first), Operand::Register(place))
      .flags = static_cast<std::uint8_t>(count);
}

void Compiler::RaiseInCall(const Expr& expr, std::string_view message) {
  // The arguments come first: one of them may fail in its own way.
  for (const ExprId argument : expr.children) {
    const std::size_t mark = code_.temporaries_mark();
    Evaluate(argument);
    code_.ReleaseTemporaries(mark);
  }
  code_.Emit(Opcode::kRaise, expr.line).a = code_.Text(message).index;
}

void Compiler::EvaluateChain(const Expr& expr, std::uint16_t out) {
  const std::size_t count = expr.children.size();
  const std::uint16_t accumulator = count > 2 ? Accumulator(out) : out;
  const std::size_t mark = code_.temporaries_mark();
  Operand left = Evaluate(expr.children[0]);
  for (std::size_t i = 1; i < count; ++i) {
    const Operand right = Evaluate(expr.children[i]);
    const std::uint16_t place = i + 1 == count ? out : accumulator;
    code_.Emit(OpcodeOf(expr.ops[i - 1]), expr.line, place, left, right);
    code_.ReleaseTemporaries(mark);
    left = Operand::Register(place);
  }
}

void Compiler::EvaluateShortCircuit(const Expr& expr, std::uint16_t out) {
  const bool is_and = expr.ops.front() == BinaryOp::kAnd;
  const std::uint16_t result = Accumulator(out);
  std::vector<std::size_t> exits;
  EvaluateTest(expr.children[0], expr.line, result);
  const std::size_t mark = bound_.EnterBranch();  // what comes now may be skipped
  for (std::size_t i = 1; i < expr.children.size(); ++i) {
    const Opcode leave = is_and ? Opcode::kJumpIfFalse : Opcode::kJumpIfTrue;
    exits.push_back(code_.EmitJump(leave, expr.line, result));
    EvaluateTest(expr.children[i], expr.line, result);
  }
  bound_.LeaveBranch(mark);
  for (const std::size_t place : exits) code_.PatchHere(place);
  if (result != out) code_.Emit(Opcode::kMove, expr.line, out, Operand::Register(result));
}

void Compiler::EvaluateTest(ExprId id, int line, std::uint16_t out) {
  const std::size_t mark = code_.temporaries_mark();
  if (IsPlainBoolean(tree_.expr(id))) {
    EvaluateInto(id, out);
  } else {
    code_.Emit(Opcode::kTest, line, out, Evaluate(id));
  }
  code_.ReleaseTemporaries(mark);
}

std::uint16_t Compiler::Accumulator(std::uint16_t out) {
  return out < variables_ ? code_.NewTemporaries() : out;
}

}  // namespace palena::script
