#include "script/token_cursor.h"

#include <utility>

#include "base/limits.h"

namespace palena::script {

Token TokenCursor::Take() {
  Token token = std::move(token_);
  Skip();
  return token;
}

bool TokenCursor::Accept(TokenKind kind) {
  if (!Is(kind)) return false;
  Skip();
  return true;
}

bool TokenCursor::Expect(TokenKind kind) {
  return Accept(kind) || FailExpected(DescribeKind(kind));
}

bool TokenCursor::FailExpected(std::string_view what) {
  if (Is(TokenKind::kBad)) return Fail(lexer_.error().code, lexer_.error().message);
  return FailSyntax("unexpected " + DescribeToken(token_) + ", expected " + std::string(what));
}

bool TokenCursor::FailSyntax(std::string message) {
  return Fail(model::Code::kSyntax, "Syntax error, " + std::move(message));
}

bool TokenCursor::EnterBlock() {
  return ++blocks_ + operands_ <= base::kNestingDepthMax || FailTooDeep();
}

bool TokenCursor::EnterOperand() {
  return blocks_ + ++operands_ <= base::kNestingDepthMax || FailTooDeep();
}

bool TokenCursor::AllowsHeight(int height) {
  return blocks_ + height <= base::kNestingDepthMax || FailTooDeep();
}

bool TokenCursor::Fail(model::Code code, std::string message) {
  if (!failed_) error_ = {code, std::move(message), line(), ""};
  failed_ = true;
  return false;
}

bool TokenCursor::FailTooDeep() {
  return Fail(model::Code::kLimit,
              "Nesting too deep: more than " + std::to_string(base::kNestingDepthMax) + " levels");
}

}  // namespace palena::script
