#include "app/cli_repl.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "app/cli_commands.h"
#include "app/cli_parameters.h"
#include "model/request.h"
#include "script/lexer.h"

namespace palena::app {
namespace {

constexpr const char* kHelp = R"(A line is a script:  eset counter 1 ex 60000
  It goes on in the next line when it ends with \, or while an if, for or begin lacks its end.
  Ctrl-C drops what was typed, Ctrl-D leaves.
Commands:
  .set name=value   a parameter for the scripts that follow: they call it @name
  .unset name       forget it
  .params           show the parameters
  .json             results as JSON, or for people again
  .ping  .info      a round trip; the node's counters
  .help  .quit
)";

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

ExitStatus Repl::Run(Without without_connection) {
  ExitStatus worst = kExitAnswered;
  std::string text;
  std::string line;
  while (!wants_out_) {
    const LineSource::Read read = lines_.Next(text.empty() ? "palena> " : "   ...> ", line);
    if (read == LineSource::Read::kCancelled) {
      text.clear();
      continue;
    }
    const bool has_ended = read == LineSource::Read::kEnd;
    if (!has_ended) text += line;
    if (!has_ended && GoesOn(text)) {
      if (text.ends_with('\\')) text.pop_back();
      text += '\n';
      continue;
    }
    worst = std::max(worst, Handle(text));
    if (worst == kExitNoConnection && without_connection == Without::kEnd) return worst;
    if (has_ended) return worst;
    text.clear();
  }
  return worst;
}

bool Repl::GoesOn(std::string_view text) {
  if (Trimmed(text).starts_with('.')) return false;
  if (text.ends_with('\\')) return true;
  int open_blocks = 0;
  script::Lexer lexer(text);
  for (script::Token token = lexer.Next();; token = lexer.Next()) {
    switch (token.kind) {
      case script::TokenKind::kIf:
      case script::TokenKind::kFor:
      case script::TokenKind::kBegin:
        ++open_blocks;
        break;
      case script::TokenKind::kEnd:
        --open_blocks;
        break;
      case script::TokenKind::kBad:  // the server will say what is wrong
        return false;
      case script::TokenKind::kEndOfScript:
        return open_blocks > 0;
      default:
        break;
    }
  }
}

std::string_view Repl::CommandMeantBy(std::string_view text) {
  if (text == "help" || text == "?") return ".help";
  if (text == "exit" || text == "quit") return ".quit";
  return {};
}

ExitStatus Repl::Handle(const std::string& text) {
  const std::string_view trimmed = Trimmed(text);
  if (trimmed.empty()) return kExitAnswered;
  if (trimmed.starts_with('.')) return HandleCommand(trimmed);
  if (const std::string_view meant = CommandMeantBy(trimmed); !meant.empty()) {
    return Refuse(absl::StrCat("\"", std::string(trimmed), "\" is no script; the command is ",
                               std::string(meant)));
  }
  return RunScript(text);
}

ExitStatus Repl::HandleCommand(std::string_view text) {
  const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view name = text.substr(0, blank);
  const std::string_view argument = Trimmed(text.substr(blank));
  if (name == ".quit" || name == ".exit") {
    wants_out_ = true;
    return kExitAnswered;
  }
  if (name == ".help") return ShowHelp();
  if (name == ".set") return SetParameter(argument);
  if (name == ".unset") return UnsetParameter(argument);
  if (name == ".params") return ShowParameters();
  if (name == ".json") return SwitchJson();
  if (name == ".ping" || name == ".info") {
    before_request_();
    return name == ".ping" ? Ping(client_, options_, printer_)
                           : ShowInfo(client_, options_, printer_);
  }
  return Refuse(absl::StrCat("no command \"", std::string(name), "\"; .help lists them"));
}

ExitStatus Repl::RunScript(const std::string& script) {
  before_request_();
  return Execute(client_, script, options_, printer_);
}

ExitStatus Repl::ShowHelp() {
  printer_.out << kHelp << std::flush;
  return kExitAnswered;
}

ExitStatus Repl::SwitchJson() {
  options_.json = !options_.json;
  printer_.out << "results " << (options_.json ? "as JSON" : "for people") << std::endl;
  return kExitAnswered;
}

ExitStatus Repl::ShowParameters() {
  if (options_.parameters.empty()) printer_.out << "no parameters; .set name=value adds one\n";
  for (const auto& [name, value] : options_.parameters) {
    printer_.out << name << '=' << value << '\n';
  }
  printer_.out.flush();
  return kExitAnswered;
}

ExitStatus Repl::SetParameter(std::string_view text) {
  auto parameter = ParseParameter(text);
  if (!parameter && text.empty()) return Refuse("usage: .set name=value");
  if (!parameter) {
    return Refuse(
        absl::StrCat("\"", std::string(text), "\" is no parameter; usage: .set name=value"));
  }
  std::erase_if(options_.parameters, [&](const auto& p) { return p.first == parameter->first; });
  options_.parameters.push_back(*std::move(parameter));
  return kExitAnswered;
}

ExitStatus Repl::UnsetParameter(std::string_view name) {
  if (name.empty()) return Refuse("usage: .unset name");
  const std::string with_at = "@" + std::string(model::WithoutAt(name));
  const std::size_t erased =
      std::erase_if(options_.parameters, [&](const auto& p) { return p.first == with_at; });
  if (erased > 0) return kExitAnswered;
  return Refuse(absl::StrCat("there is no parameter ", with_at, "; .params shows them"));
}

ExitStatus Repl::Refuse(std::string_view why) {
  printer_.err << why << std::endl;
  return kExitUsage;
}

}  // namespace palena::app
