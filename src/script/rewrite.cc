#include "script/rewrite.h"

#include "script/lexer.h"

namespace palena::script {
namespace {

bool IsEphemeralForm(TokenKind kind) {
  switch (kind) {
    case TokenKind::kESet:
    case TokenKind::kEGet:
    case TokenKind::kEDelete:
    case TokenKind::kEExtend:
    case TokenKind::kEExists:
    case TokenKind::kEScan:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string RewriteEphemeralToPersistent(std::string_view source) {
  std::string rewritten;
  rewritten.reserve(source.size());
  std::size_t copied = 0;
  Lexer lexer(source);
  for (Token token = lexer.Next();
       token.kind != TokenKind::kEndOfScript && token.kind != TokenKind::kBad;
       token = lexer.Next()) {
    if (!IsEphemeralForm(token.kind)) continue;
    // The plain form is the word without its first letter, an 'e'.
    const std::size_t word = lexer.used_bytes() - token.text.size();
    rewritten.append(source.substr(copied, word - copied));
    copied = word + 1;
  }
  return rewritten.append(source.substr(copied));
}

}  // namespace palena::script
