#pragma once

#include <cstddef>
#include <vector>

#include "script/ast.h"
#include "script/token_cursor.h"

namespace palena::script {

// The expressions of the grammar (language.md 2.1). An operator chain of any length takes no stack;
// a level of nesting takes a few small frames, whatever mix of precedences it holds.
class ExpressionParser {
 public:
  // Reads from `cursor` and adds nodes to `tree`; both must outlive the parser.
  ExpressionParser(TokenCursor& cursor, Tree& tree) : cursor_(cursor), tree_(tree) {}

  // Can an expression begin with this token?
  static bool CanBegin(const Token& token);

  // One expression, as long as it can be. kNoNode when the cursor has failed.
  ExprId Parse();

 private:
  struct Operator;
  // A chain that still waits for the operand after its last operator.
  struct OpenChain {
    int level = 0;
    ExprId chain = kNoNode;
  };
  struct Prefix {
    ExprKind kind = ExprKind::kNot;
    int line = 0;
  };
  // An operand and the line of its first token, which for `(a)` is not the line of `a`.
  struct Operand {
    ExprId id = kNoNode;
    int line = 0;
  };

  static const Operator* FindOperator(TokenKind kind);
  bool CloseChains(std::size_t open_before, int level, Operand& operand);
  bool AddOperator(std::size_t open_before, const Operator& op, const Operand& left);

  ExprId ParsePrefixed();
  bool TakePrefixes(ExprId& guard);
  ExprId TakeGuard(bool after_word, int line);
  ExprId ApplyPrefixes(std::size_t prefixes_before, ExprId operand);
  ExprId ParseIndexed();
  ExprId ParseIndex(ExprId array, int line);
  ExprId ParsePrimary();
  ExprId ParseNamed();
  ExprId ParseArray();
  ExprId ParseParenthesised();
  ExprId ParseLiteral();
  bool ParseList(ExprId parent, TokenKind closing);

  ExprId NewExpr(ExprKind kind, int line);
  bool AddChild(ExprId parent, ExprId child);

  TokenCursor& cursor_;
  Tree& tree_;
  std::vector<int> heights_;  // of each node: levels of nodes below it
  // Of the expressions being parsed, innermost last. On the heap, so that precedence costs no
  // stack.
  std::vector<OpenChain> open_chains_;
  std::vector<Prefix> prefixes_;
};

}  // namespace palena::script
