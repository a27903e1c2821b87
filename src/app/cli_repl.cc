#include "app/cli_repl.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "app/cli_commands.h"
#include "app/cli_json.h"
#include "app/cli_parameters.h"
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

void Repl::Run() {
  std::string text;
  std::string line;
  for (;;) {
    switch (lines_.Next(text.empty() ? "palena> " : "   ...> ", line)) {
      case LineSource::Read::kEnd:
        if (!Trimmed(text).empty()) Handle(text);
        return;
      case LineSource::Read::kCancelled:
        text.clear();
        continue;
      case LineSource::Read::kLine:
        text += line;
    }
    if (GoesOn(text)) {
      if (text.ends_with('\\')) text.pop_back();
      text += '\n';
      continue;
    }
    if (!Handle(text)) return;
    text.clear();
  }
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

bool Repl::Handle(const std::string& text) {
  const std::string_view trimmed = Trimmed(text);
  if (trimmed.empty()) return true;
  if (trimmed.starts_with('.')) return HandleCommand(trimmed);
  RunScript(text);
  return true;
}

bool Repl::HandleCommand(std::string_view text) {
  const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view name = text.substr(0, blank);
  const std::string_view argument = Trimmed(text.substr(blank));
  if (name == ".quit" || name == ".exit") return false;
  if (name == ".help") {
    ShowHelp();
  } else if (name == ".set") {
    SetParameter(argument);
  } else if (name == ".unset") {
    UnsetParameter(argument);
  } else if (name == ".params") {
    ShowParameters();
  } else if (name == ".json") {
    options_.json = !options_.json;
    printer_.out << "results " << (options_.json ? "as JSON" : "for people") << std::endl;
  } else if (name == ".ping") {
    Ping(client_, options_, printer_);
  } else if (name == ".info") {
    ShowInfo(client_, options_, printer_);
  } else {
    printer_.err << "no command \"" << name << "\"; .help lists them" << std::endl;
  }
  return true;
}

void Repl::RunScript(const std::string& script) {
  Execute(client_, script, options_, printer_);
}

void Repl::ShowHelp() {
  printer_.out << kHelp << std::flush;
}

void Repl::ShowParameters() {
  for (const auto& [name, value] : options_.parameters)
    printer_.out << name << '=' << value << '\n';
  printer_.out.flush();
}

void Repl::SetParameter(std::string_view text) {
  auto parameter = ParseParameter(text);
  if (!parameter) {
    printer_.err << "\"" << text << "\" is not name=value" << std::endl;
    return;
  }
  UnsetParameter(parameter->first);
  options_.parameters.push_back(*std::move(parameter));
}

void Repl::UnsetParameter(std::string_view name) {
  const std::string with_at = name.starts_with('@') ? std::string(name) : "@" + std::string(name);
  std::erase_if(options_.parameters, [&](const auto& p) { return p.first == with_at; });
}

}  // namespace palena::app
