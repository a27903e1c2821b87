#pragma once

#include <cstddef>
#include <string_view>

#include "model/result.h"
#include "script/token.h"

namespace palena::script {

// Text to tokens, one at a time (language.md 1). Pure; `source` must outlive the lexer.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  // The next token. At the end of the text kEndOfScript, with the line of the last token; from the
  // first place that is no token on kBad, and error() tells why. Both repeat for ever.
  Token Next();

  // After kBad. Code::kSyntax with the line.
  const model::ScriptError& error() const { return error_; }

  // How much of the source the tokens so far have used up: the last one ends here.
  std::size_t used_bytes() const { return at_; }

 private:
  void SkipBlanks();
  Token NextWord();
  Token NextPlaceholder();
  Token NextNumber();
  Token NextQuoted();
  Token NextSymbol();
  // A token of the next `bytes` bytes, which are used up.
  Token Take(TokenKind kind, std::size_t bytes);
  Token Refuse(std::string message);
  Token RefuseCharacter();

  std::string_view rest() const { return source_.substr(at_); }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  int last_token_line_ = 1;
  model::ScriptError error_;
};

}  // namespace palena::script
