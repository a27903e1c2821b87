#pragma once

// Tree to program. Recursion follows the script's real nesting, at most base::kNestingDepthMax;
// statement lists and operator chains are loops, so a flat script of any length is flat work.

#include <memory>
#include <string_view>
#include <vector>

#include "model/script_or.h"
#include "script/analyser.h"
#include "script/answer_liveness.h"
#include "script/ast.h"
#include "script/bound_variables.h"
#include "script/code_builder.h"
#include "script/program.h"

namespace palena::script {

class Compiler {
 public:
  // `tree` has been analysed, with `analysis` as the outcome; `text` is its source. Fails only when
  // the script needs more than 65,535 registers or constants (Code::kLimit).
  static model::ScriptOr<std::shared_ptr<const Program>> Compile(std::string_view text,
                                                                 const Tree& tree,
                                                                 Analysis analysis);

 private:
  Compiler(const Tree& tree, const Analysis& analysis);

  // Statements. Each leaves the temporaries as it found them. True when control never goes on
  // behind what was compiled.
  bool CompileList(const std::vector<StmtId>& list);
  bool CompileStatement(StmtId id);
  void CompileLet(const Stmt& stmt, bool answers);
  void CompileRead(const Stmt& stmt, bool answers);
  bool CompileWrite(const Stmt& stmt, bool answers);
  void CompileSet(const Stmt& stmt, std::uint8_t flags);
  std::uint8_t CompileFlag(const Stmt& stmt, const Flag& flag);
  bool CompileIf(const Stmt& stmt);
  void CompileFor(const Stmt& stmt);
  void CompileReturn(const Stmt& stmt);
  Opcode ReadOpcode(const Stmt& stmt) const;
  // The `as of` of a read, its own or that of the block it stands in.
  bool IsAsOf(const Stmt& stmt) const;
  Operand TimeOf(const Stmt& stmt);
  // Flags and register of a read or write that a `let` may bind.
  std::uint8_t KeyFlags(const Stmt& stmt, bool answers) const;
  std::uint16_t BindingOf(const Stmt& stmt) const;
  void EmitKeyed(Opcode op, const Stmt& stmt, std::uint8_t flags, Operand c = {});

  // Expressions. Evaluate gives the place of the value: a constant, a variable, or a new temporary.
  // EvaluateInto puts it into `out`, which is written by the last instruction only.
  Operand Evaluate(ExprId id);
  std::uint16_t EvaluateToRegister(ExprId id);
  void EvaluateInto(ExprId id, std::uint16_t out);
  Operand VariableOperand(const Expr& expr);
  void EvaluateUnary(Opcode op, const Expr& expr, std::uint16_t out);
  void EvaluateIndex(const Expr& expr, std::uint16_t out);
  void EvaluateArray(const Expr& expr, std::uint16_t out);
  void EvaluateCall(const Expr& expr, std::uint16_t out);
  void RaiseInCall(const Expr& expr, std::string_view message);
  std::uint16_t EvaluateArguments(const Expr& expr);
  void EvaluateChain(const Expr& expr, std::uint16_t out);
  void EvaluateShortCircuit(const Expr& expr, std::uint16_t out);
  void EvaluateTest(ExprId id, int line, std::uint16_t out);
  // A register for intermediate values of an expression that ends in `out`: `out` itself unless it
  // is a variable, which the rest of the expression may still read.
  std::uint16_t Accumulator(std::uint16_t out);

  const Tree& tree_;
  std::size_t variables_;
  const BeginOption* snapshot_;  // of the block that is the script; null: it is none, or has none
  AnswerLiveness answers_;
  BoundVariables bound_;
  CodeBuilder code_;
};

}  // namespace palena::script
