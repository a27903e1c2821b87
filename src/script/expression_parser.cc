#include "script/expression_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"

namespace palena::script {

struct ExpressionParser::Operator {
  TokenKind token;
  BinaryOp op;
  int level;  // a greater one binds tighter
};

namespace {

// What stands before any operator: closes every chain.
constexpr int kWeakest = 0;

bool IsWord(const Token& token, std::string_view word) {
  return token.kind == TokenKind::kIdentifier && !token.in_backticks &&
         absl::EqualsIgnoreCase({token.text.data(), token.text.size()}, {word.data(), word.size()});
}

// The guard that `token` makes with a `not` before it; `deleted` and `extended` need the word,
// since `!deleted` negates a variable.
std::optional<Guard> GuardAfterNot(const Token& token, bool after_word) {
  if (token.kind == TokenKind::kFound) return Guard::kNotFound;
  if (token.kind == TokenKind::kSet) return Guard::kNotSet;
  if (after_word && IsWord(token, "deleted")) return Guard::kNotDeleted;
  if (after_word && IsWord(token, "extended")) return Guard::kNotExtended;
  return std::nullopt;
}

}  // namespace

const ExpressionParser::Operator* ExpressionParser::FindOperator(TokenKind kind) {
  static constexpr Operator kOperators[] = {
      {TokenKind::kRange, BinaryOp::kRange, 1},
      {TokenKind::kOr, BinaryOp::kOr, 2},
      {TokenKind::kAnd, BinaryOp::kAnd, 3},
      {TokenKind::kAssign, BinaryOp::kEqual, 4},
      {TokenKind::kEqual, BinaryOp::kEqual, 4},
      {TokenKind::kNotEqual, BinaryOp::kNotEqual, 4},
      {TokenKind::kNotEqualAngled, BinaryOp::kNotEqual, 4},
      {TokenKind::kLess, BinaryOp::kLess, 5},
      {TokenKind::kLessEqual, BinaryOp::kLessEqual, 5},
      {TokenKind::kGreater, BinaryOp::kGreater, 5},
      {TokenKind::kGreaterEqual, BinaryOp::kGreaterEqual, 5},
      {TokenKind::kPlus, BinaryOp::kAdd, 6},
      {TokenKind::kMinus, BinaryOp::kSubtract, 6},
      {TokenKind::kStar, BinaryOp::kMultiply, 7},
      {TokenKind::kSlash, BinaryOp::kDivide, 7},
  };
  const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                   [kind](const Operator& row) { return row.token == kind; });
  return found == std::end(kOperators) ? nullptr : found;
}

bool ExpressionParser::CanBegin(const Token& token) {
  switch (token.kind) {
    case TokenKind::kIdentifier:
    case TokenKind::kPlaceholder:
    case TokenKind::kInteger:
    case TokenKind::kDouble:
    case TokenKind::kString:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kNull:
    case TokenKind::kLeftParen:
    case TokenKind::kLeftBracket:
    case TokenKind::kMinus:
    case TokenKind::kBang:
    case TokenKind::kNot:
      return true;
    default:
      return false;
  }
}

// Operator precedence with the waiting chains on a stack of our own: the usual function per
// precedence level would cost seven frames a parenthesis.
ExprId ExpressionParser::Parse() {
  const std::size_t open_before = open_chains_.size();
  while (true) {
    Operand operand;
    operand.line = cursor_.line();
    operand.id = ParsePrefixed();
    if (operand.id == kNoNode) return kNoNode;
    const Operator* op = FindOperator(cursor_.token().kind);
    const int level = op == nullptr ? kWeakest : op->level;
    if (!CloseChains(open_before, level, operand)) return kNoNode;
    if (op == nullptr) return operand.id;
    if (!AddOperator(open_before, *op, operand)) return kNoNode;
    cursor_.Skip();
  }
}

// Ends the chains that bind tighter than `level`: each takes `operand` and becomes the operand.
bool ExpressionParser::CloseChains(std::size_t open_before, int level, Operand& operand) {
  while (open_chains_.size() > open_before && open_chains_.back().level > level) {
    const ExprId chain = open_chains_.back().chain;
    if (!AddChild(chain, operand.id)) return false;
    operand = {chain, tree_.exprs[chain].line};
    open_chains_.pop_back();
  }
  return true;
}

// Goes on with the innermost chain if it is of the operator's level, otherwise begins one.
bool ExpressionParser::AddOperator(std::size_t open_before, const Operator& op,
                                   const Operand& left) {
  if (open_chains_.size() == open_before || open_chains_.back().level < op.level) {
    open_chains_.push_back({op.level, NewExpr(ExprKind::kChain, left.line)});
  }
  const ExprId chain = open_chains_.back().chain;
  tree_.exprs[chain].ops.push_back(op.op);
  return AddChild(chain, left.id);
}

ExprId ExpressionParser::ParsePrefixed() {
  const std::size_t prefixes_before = prefixes_.size();
  ExprId operand = kNoNode;
  if (!TakePrefixes(operand)) return kNoNode;
  if (operand == kNoNode) operand = ParseIndexed();
  return operand == kNoNode ? kNoNode : ApplyPrefixes(prefixes_before, operand);
}

// Signs and negations before an operand. `guard` is set when the last of them turned out to begin
// one: then the operand is complete.
bool ExpressionParser::TakePrefixes(ExprId& guard) {
  while (true) {
    const Prefix prefix = {cursor_.Is(TokenKind::kMinus) ? ExprKind::kNegate : ExprKind::kNot,
                           cursor_.line()};
    const bool is_word = cursor_.Is(TokenKind::kNot);
    if (!is_word && !cursor_.Is(TokenKind::kMinus) && !cursor_.Is(TokenKind::kBang)) return true;
    cursor_.Skip();
    if (prefix.kind == ExprKind::kNot) guard = TakeGuard(is_word, prefix.line);
    if (guard != kNoNode) return true;
    if (!cursor_.EnterOperand()) return false;
    prefixes_.push_back(prefix);
  }
}

ExprId ExpressionParser::TakeGuard(bool after_word, int line) {
  const std::optional<Guard> guard = GuardAfterNot(cursor_.token(), after_word);
  if (!guard.has_value()) return kNoNode;
  cursor_.Skip();
  const ExprId id = NewExpr(ExprKind::kGuard, line);
  tree_.exprs[id].guard = *guard;
  return id;
}

ExprId ExpressionParser::ApplyPrefixes(std::size_t prefixes_before, ExprId operand) {
  while (prefixes_.size() > prefixes_before) {
    const ExprId id = NewExpr(prefixes_.back().kind, prefixes_.back().line);
    if (!AddChild(id, operand)) return kNoNode;
    operand = id;
    prefixes_.pop_back();
    cursor_.LeaveOperands();
  }
  return operand;
}

ExprId ExpressionParser::ParseIndexed() {
  const int line = cursor_.line();
  ExprId operand = ParsePrimary();
  while (operand != kNoNode && cursor_.Is(TokenKind::kLeftBracket)) {
    operand = ParseIndex(operand, line);
  }
  return operand;
}

ExprId ExpressionParser::ParseIndex(ExprId array, int line) {
  const ExprId id = NewExpr(ExprKind::kIndex, line);
  if (!AddChild(id, array) || !cursor_.EnterOperand()) return kNoNode;
  cursor_.Skip();
  const ExprId index = Parse();
  if (index == kNoNode || !cursor_.Expect(TokenKind::kRightBracket)) return kNoNode;
  cursor_.LeaveOperands();
  return AddChild(id, index) ? id : kNoNode;
}

ExprId ExpressionParser::ParsePrimary() {
  switch (cursor_.token().kind) {
    case TokenKind::kIdentifier:
      return ParseNamed();
    case TokenKind::kLeftBracket:
      return ParseArray();
    case TokenKind::kLeftParen:
      return ParseParenthesised();
    default:
      return ParseLiteral();
  }
}

// A variable or, when a parenthesis follows, a call.
ExprId ExpressionParser::ParseNamed() {
  if (cursor_.token().text.empty()) {
    cursor_.FailSyntax("a name is empty");
    return kNoNode;
  }
  const ExprId id = NewExpr(ExprKind::kVariable, cursor_.line());
  tree_.exprs[id].text = cursor_.token().text;
  cursor_.Skip();
  if (!cursor_.Is(TokenKind::kLeftParen)) return id;
  tree_.exprs[id].kind = ExprKind::kCall;
  return ParseList(id, TokenKind::kRightParen) ? id : kNoNode;
}

ExprId ExpressionParser::ParseArray() {
  const ExprId id = NewExpr(ExprKind::kArray, cursor_.line());
  return ParseList(id, TokenKind::kRightBracket) ? id : kNoNode;
}

ExprId ExpressionParser::ParseParenthesised() {
  if (!cursor_.EnterOperand()) return kNoNode;
  cursor_.Skip();
  const ExprId inner = Parse();
  if (inner == kNoNode || !cursor_.Expect(TokenKind::kRightParen)) return kNoNode;
  cursor_.LeaveOperands();
  return inner;
}

ExprId ExpressionParser::ParseLiteral() {
  static constexpr std::pair<TokenKind, ExprKind> kKinds[] = {
      {TokenKind::kPlaceholder, ExprKind::kParameter},
      {TokenKind::kInteger, ExprKind::kInteger},
      {TokenKind::kDouble, ExprKind::kDouble},
      {TokenKind::kString, ExprKind::kString},
      {TokenKind::kTrue, ExprKind::kBool},
      {TokenKind::kFalse, ExprKind::kBool},
      {TokenKind::kNull, ExprKind::kNull}};
  const TokenKind kind = cursor_.token().kind;
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [kind](const auto& row) { return row.first == kind; });
  if (found == std::end(kKinds)) {
    cursor_.FailExpected("an expression");
    return kNoNode;
  }
  const ExprId id = NewExpr(found->second, cursor_.line());
  Token token = cursor_.Take();
  Expr& expr = tree_.exprs[id];
  expr.boolean = kind == TokenKind::kTrue;
  expr.integer = token.integer;
  expr.real = token.real;
  if (kind == TokenKind::kString || kind == TokenKind::kPlaceholder) {
    expr.text = std::move(token.text);
  }
  return id;
}

// From the opening mark, which is the current token, to the closing one: expressions and commas.
bool ExpressionParser::ParseList(ExprId parent, TokenKind closing) {
  if (!cursor_.EnterOperand()) return false;
  cursor_.Skip();
  if (!cursor_.Is(closing)) {
    do {
      const ExprId element = Parse();
      if (element == kNoNode || !AddChild(parent, element)) return false;
    } while (cursor_.Accept(TokenKind::kComma));
  }
  cursor_.LeaveOperands();
  if (cursor_.Accept(closing)) return true;
  return cursor_.FailExpected("',' or " + DescribeKind(closing));
}

ExprId ExpressionParser::NewExpr(ExprKind kind, int line) {
  Expr expr;
  expr.kind = kind;
  expr.line = line;
  tree_.exprs.push_back(std::move(expr));
  heights_.push_back(0);
  return static_cast<ExprId>(tree_.exprs.size() - 1);
}

bool ExpressionParser::AddChild(ExprId parent, ExprId child) {
  tree_.exprs[parent].children.push_back(child);
  heights_[parent] = std::max(heights_[parent], heights_[child] + 1);
  return cursor_.AllowsHeight(heights_[parent]);
}

}  // namespace palena::script
