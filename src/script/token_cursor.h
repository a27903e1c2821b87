#pragma once

#include <string>
#include <string_view>

#include "model/result.h"
#include "script/lexer.h"
#include "script/token.h"

namespace palena::script {

// Where the parser stands in the text: the current token, how deep in blocks and expressions, and
// the first failure. Functions that can fail return false so that callers can `return Fail…()`;
// nothing is parsed after a failure.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view source) : lexer_(source), token_(lexer_.Next()) {}

  const Token& token() const { return token_; }
  bool Is(TokenKind kind) const { return token_.kind == kind; }
  int line() const { return token_.line; }

  void Skip() { token_ = lexer_.Next(); }
  Token Take();
  bool Accept(TokenKind kind);  // skips the token if it is one of this kind
  bool Expect(TokenKind kind);

  // "Syntax error, unexpected <token>, expected <what>" or, at kBad, the lexer's error.
  bool FailExpected(std::string_view what);
  bool FailSyntax(std::string message);

  // Nesting: each EnterBlock() and EnterOperand() that succeeds is undone by its counterpart. All
  // together may be base::kNestingDepthMax.
  bool EnterBlock();
  void LeaveBlock() { --blocks_; }
  bool EnterOperand();
  void LeaveOperands(int count = 1) { operands_ -= count; }
  // False, with the failure, when a node of this many levels below may not stand in this block.
  bool AllowsHeight(int height);

  bool failed() const { return failed_; }
  const model::ScriptError& error() const { return error_; }

 private:
  bool Fail(model::Code code, std::string message);
  bool FailTooDeep();

  Lexer lexer_;
  Token token_;
  int blocks_ = 0;
  int operands_ = 0;
  bool failed_ = false;
  model::ScriptError error_;
};

}  // namespace palena::script
