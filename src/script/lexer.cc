#include "script/lexer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "script/literals.h"
#include "script/quote.h"

namespace palena::script {
namespace {

struct Symbol {
  TokenKind kind;
  std::string_view text;
};

constexpr Symbol kSymbols[] = {
#define X(name, text) {TokenKind::name, text},
    PALENA_SYMBOL_TOKENS(X)
#undef X
};

bool BeginsName(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_';
}

bool ContinuesName(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::size_t NameBytes(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), ContinuesName) -
                                  text.begin());
}

}  // namespace

Token Lexer::Next() {
  SkipBlanks();
  if (at_ == source_.size()) {
    Token end;
    end.line = last_token_line_;
    return end;
  }
  const char c = source_[at_];
  if (BeginsName(c)) return NextWord();
  if (absl::ascii_isdigit(static_cast<unsigned char>(c))) return NextNumber();
  if (c == '"' || c == '\'' || c == '`') return NextQuoted();
  if (c == '@') return NextPlaceholder();
  return NextSymbol();
}

void Lexer::SkipBlanks() {
  for (; at_ < source_.size(); ++at_) {
    const char c = source_[at_];
    if (c == '#') {
      at_ = std::min(source_.find('\n', at_), source_.size());
      if (at_ == source_.size()) return;
      ++line_;
    } else if (c == '\n') {
      ++line_;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

Token Lexer::NextWord() {
  const std::string_view word = rest().substr(0, NameBytes(rest()));
  Token token = Take(KeywordOrIdentifier(word), word.size());
  token.text = word;
  return token;
}

// `@name`; an '@' that no name follows is the keyword `at`.
Token Lexer::NextPlaceholder() {
  const std::size_t name_bytes = NameBytes(rest().substr(1));
  if (name_bytes == 0) return Take(TokenKind::kAt, 1);
  const std::string_view text = rest().substr(0, 1 + name_bytes);
  Token token = Take(TokenKind::kPlaceholder, text.size());
  token.text = text;
  return token;
}

Token Lexer::NextNumber() {
  const NumberLiteral number = ReadNumber(rest());
  if (!number.problem.empty()) return Refuse("Syntax error, " + number.problem);
  const std::string_view text = rest().substr(0, number.bytes);
  Token token = Take(number.is_integer ? TokenKind::kInteger : TokenKind::kDouble, number.bytes);
  token.integer = number.integer;
  token.real = number.real;
  token.text = text;
  return token;
}

Token Lexer::NextQuoted() {
  QuotedLiteral quoted = ReadQuoted(rest());
  if (!quoted.problem.empty()) return Refuse("Syntax error, " + quoted.problem);
  const bool in_backticks = source_[at_] == '`';
  Token token = Take(in_backticks ? TokenKind::kIdentifier : TokenKind::kString, quoted.bytes);
  token.in_backticks = in_backticks;
  token.text = std::move(quoted.text);
  return token;
}

Token Lexer::NextSymbol() {
  for (const Symbol& symbol : kSymbols) {
    if (rest().starts_with(symbol.text)) return Take(symbol.kind, symbol.text.size());
  }
  return RefuseCharacter();
}

Token Lexer::Take(TokenKind kind, std::size_t bytes) {
  at_ += bytes;
  last_token_line_ = line_;
  Token token;
  token.kind = kind;
  token.line = line_;
  return token;
}

// The place is not used up: asked again, the lexer answers the same.
Token Lexer::Refuse(std::string message) {
  error_ = {model::Code::kSyntax, std::move(message), line_, ""};
  Token bad;
  bad.kind = TokenKind::kBad;
  bad.line = line_;
  return bad;
}

Token Lexer::RefuseCharacter() {
  const std::size_t bytes = std::max<std::size_t>(Utf8Bytes(rest()), 1);
  return Refuse("Unexpected character " + QuoteText(rest().substr(0, bytes), '\''));
}

}  // namespace palena::script
