#include "script/token.h"

#include "absl/strings/match.h"
#include "script/quote.h"

namespace palena::script {
namespace {

struct Keyword {
  TokenKind kind;
  std::string_view text;
};

constexpr Keyword kKeywords[] = {
#define X(name, text) {TokenKind::name, text},
    PALENA_KEYWORD_TOKENS(X) PALENA_KEYWORD_ALIASES(X)
#undef X
};

std::string_view KindText(TokenKind kind) {
  switch (kind) {
#define X(name, text)   \
  case TokenKind::name: \
    return text;
    PALENA_OPEN_TOKENS(X) PALENA_SYMBOL_TOKENS(X) PALENA_KEYWORD_TOKENS(X)
#undef X
  }
  return "";
}

bool IsOpen(TokenKind kind) {
  return kind <= TokenKind::kString;
}

}  // namespace

TokenKind KeywordOrIdentifier(std::string_view word) {
  for (const Keyword& keyword : kKeywords) {
    if (absl::EqualsIgnoreCase({keyword.text.data(), keyword.text.size()},
                               {word.data(), word.size()})) {
      return keyword.kind;
    }
  }
  return TokenKind::kIdentifier;
}

std::string DescribeKind(TokenKind kind) {
  if (IsOpen(kind)) return std::string(KindText(kind));
  return QuoteText(KindText(kind), '\'');
}

std::string DescribeToken(const Token& token) {
  switch (token.kind) {
    case TokenKind::kIdentifier:
    case TokenKind::kPlaceholder:
    case TokenKind::kInteger:
    case TokenKind::kDouble:
      return QuoteText(token.text, '\'');
    case TokenKind::kString:
      return "string " + QuoteText(token.text, '"');
    default:
      return DescribeKind(token.kind);
  }
}

}  // namespace palena::script
