// Claims about script::Compile: any bytes are a program or a typed refusal with a line of the text,
// in memory and time proportional to the text (the target's -timeout and -rss_limit_mb judge
// those); what compiles passes the verifier, can be dumped, and compiles to the same dump each
// time; its parameters are found by their names; lexing uses up the text in order; the plain form
// of a script (RewriteEphemeralToPersistent) compiles when the script does, has no e-form left, and
// moves no line. (Not only then: `not eset` is refused, and `not set` is a guard.)
//
// Input: the text of a script.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "base/check.h"
#include "base/limits.h"
#include "fuzz/input.h"
#include "script/dump.h"
#include "script/lexer.h"
#include "script/parser.h"
#include "script/program.h"
#include "script/rewrite.h"
#include "script/verifier.h"

namespace palena::script {
namespace {

using ProgramOrError = model::ScriptOr<std::shared_ptr<const Program>>;

int LinesOf(std::string_view text) {
  return 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void CheckTokens(std::string_view source) {
  const int lines = LinesOf(source);
  Lexer lexer(source);
  std::size_t used = 0;
  int line = 1;
  while (true) {
    const Token token = lexer.Next();
    PALENA_CHECK(token.line >= line && token.line <= lines);
    line = token.line;
    if (token.kind == TokenKind::kEndOfScript || token.kind == TokenKind::kBad) break;
    PALENA_CHECK(lexer.used_bytes() > used && lexer.used_bytes() <= source.size());
    used = lexer.used_bytes();
    PALENA_CHECK(!DescribeToken(token).empty());
  }
}

void CheckRefusal(const model::ScriptError& error, std::string_view source) {
  using model::Code;
  PALENA_CHECK(error.code == Code::kSyntax || error.code == Code::kRuntime ||
               error.code == Code::kLimit || error.code == Code::kTooLarge);
  PALENA_CHECK((error.code == Code::kTooLarge) == (source.size() > base::kScriptBytesMax));
  PALENA_CHECK(!error.message.empty());
  // The refusals that blame no line are about the text as a whole.
  PALENA_CHECK(error.line >= 0 && error.line <= LinesOf(source));
  PALENA_CHECK(error.line > 0 || error.code == Code::kTooLarge || error.code == Code::kLimit);
}

void CheckProgram(const Program& program, std::string_view source) {
  PALENA_CHECK(program.text() == source);
  PALENA_CHECK(Verify(CodeView(program)).empty());
  PALENA_CHECK(program.memory_bytes() <= 4096 + 256 * source.size());
  const int lines = LinesOf(source);
  for (const std::int32_t line : program.lines()) {
    PALENA_CHECK(line >= 1 && line <= lines);
  }
  for (std::size_t slot = 0; slot < program.parameters().size(); ++slot) {
    const std::string_view name = program.parameters()[slot];
    PALENA_CHECK(program.FindParameter(name) == static_cast<int>(slot));
    PALENA_CHECK(program.FindParameter(name.substr(1)) == static_cast<int>(slot));
  }
}

std::string DumpOf(const ProgramOrError& program) {
  return program.ok() ? DumpProgram(**program) : program.error().ToReason();
}

bool HasEphemeralForm(std::string_view source) {
  return RewriteEphemeralToPersistent(source) != source;
}

void CheckPlainForm(std::string_view source, bool compiles) {
  const std::string plain = RewriteEphemeralToPersistent(source);
  PALENA_CHECK(!HasEphemeralForm(plain));
  PALENA_CHECK(LinesOf(plain) == LinesOf(source) && plain.size() <= source.size());
  PALENA_CHECK(!compiles || Compile(plain).ok());
}

}  // namespace
}  // namespace palena::script

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace palena::script;
  const std::string_view source = palena::fuzz::TextOf(data, size);
  CheckTokens(source);
  if (const auto tree = Parse(source); tree.ok()) PALENA_CHECK(!DumpTree(*tree).empty());
  const ProgramOrError program = Compile(source);
  if (program.ok()) {
    CheckProgram(**program, source);
  } else {
    CheckRefusal(program.error(), source);
  }
  PALENA_CHECK(DumpOf(Compile(source)) == DumpOf(program));
  if (size <= palena::base::kScriptBytesMax) CheckPlainForm(source, program.ok());
  return 0;
}
