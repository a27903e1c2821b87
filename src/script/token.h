#pragma once

// Tokens: what the lexer makes of the text and the parser reads.

#include <cstdint>
#include <string>
#include <string_view>

namespace palena::script {

// Tokens that stand for more than one text: enumerator, what an error message calls it.
#define PALENA_OPEN_TOKENS(X)          \
  X(kEndOfScript, "end of script")     \
  X(kBad, "a character of no meaning") \
  X(kIdentifier, "a name")             \
  X(kPlaceholder, "a parameter")       \
  X(kInteger, "an integer")            \
  X(kDouble, "a number")               \
  X(kString, "a string")

// Operators and marks. The lexer takes the first row that fits: longer texts stand first.
#define PALENA_SYMBOL_TOKENS(X)  \
  X(kEqual, "==")                \
  X(kNotEqual, "!=")             \
  X(kNotEqualAngled, "<>")       \
  X(kLessEqual, "<=")            \
  X(kGreaterEqual, ">=")         \
  X(kAnd, "&&")                  \
  X(kOr, "||")                   \
  X(kRange, "..")                \
  X(kAssign, "=") /* or equal */ \
  X(kLess, "<")                  \
  X(kGreater, ">")               \
  X(kPlus, "+")                  \
  X(kMinus, "-")                 \
  X(kStar, "*")                  \
  X(kSlash, "/")                 \
  X(kBang, "!")                  \
  X(kLeftBracket, "[")           \
  X(kRightBracket, "]")          \
  X(kLeftParen, "(")             \
  X(kRightParen, ")")            \
  X(kComma, ",")

// Keywords, in any letter case.
#define PALENA_KEYWORD_TOKENS(X) \
  X(kLet, "let")                 \
  X(kSet, "set")                 \
  X(kGet, "get")                 \
  X(kESet, "eset")               \
  X(kEGet, "eget")               \
  X(kIf, "if")                   \
  X(kThen, "then")               \
  X(kElse, "else")               \
  X(kEnd, "end")                 \
  X(kFor, "for")                 \
  X(kDo, "do")                   \
  X(kIn, "in")                   \
  X(kNx, "nx")                   \
  X(kXx, "xx")                   \
  X(kEx, "ex")                   \
  X(kCmp, "cmp")                 \
  X(kCmpRev, "cmprev")           \
  X(kNoRev, "norev")             \
  X(kBegin, "begin")             \
  X(kCommit, "commit")           \
  X(kRollback, "rollback")       \
  X(kReturn, "return")           \
  X(kSleep, "sleep")             \
  X(kThrow, "throw")             \
  X(kDelete, "delete")           \
  X(kEDelete, "edelete")         \
  X(kExtend, "extend")           \
  X(kEExtend, "eextend")         \
  X(kExists, "exists")           \
  X(kEExists, "eexists")         \
  X(kScan, "scan")               \
  X(kEScan, "escan")             \
  X(kBy, "by")                   \
  X(kBucket, "bucket")           \
  X(kPrefix, "prefix")           \
  X(kAt, "at")                   \
  X(kAs, "as")                   \
  X(kOf, "of")                   \
  X(kTrue, "true")               \
  X(kFalse, "false")             \
  X(kNull, "null")               \
  X(kNot, "not")                 \
  X(kFound, "found")

// Second spellings of keywords.
#define PALENA_KEYWORD_ALIASES(X) \
  X(kDelete, "del")               \
  X(kEDelete, "edel")

enum class TokenKind : std::uint8_t {
#define X(name, text) name,
  PALENA_OPEN_TOKENS(X) PALENA_SYMBOL_TOKENS(X) PALENA_KEYWORD_TOKENS(X)
#undef X
};

struct Token {
  TokenKind kind = TokenKind::kEndOfScript;
  int line = 1;
  bool in_backticks = false;  // kIdentifier: never taken for a word with a meaning
  std::int64_t integer = 0;   // kInteger
  double real = 0;            // kDouble
  // kIdentifier, kString: decoded; kPlaceholder: with '@'; kInteger, kDouble: as written.
  std::string text;
};

// The keyword of this text, or kIdentifier.
TokenKind KeywordOrIdentifier(std::string_view word);

// How messages name a kind ("'then'", "a name") and a token ("'then'", "'counter'", "string
// \"a\"").
std::string DescribeKind(TokenKind kind);
std::string DescribeToken(const Token& token);

}  // namespace palena::script
