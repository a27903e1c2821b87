#include "app/document_scripts.h"

#include <memory>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "app/cli_print.h"

namespace palena::app {
namespace {

std::optional<std::string> After(std::string_view prefix, const std::string& line) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return line.substr(prefix.size());
}

// "@a=1 @b=x".
Parameters ParametersOf(const std::string& text) {
  Parameters parameters;
  for (const std::string& word : std::vector<std::string>(absl::StrSplit(text, ' '))) {
    parameters.push_back(absl::StrSplit(word, absl::MaxSplits('=', 1)));
  }
  return parameters;
}

class DocumentReader {
 public:
  void Read(const std::string& line) {
    if (line == "```palena") return Begin();
    if (!in_block_) return ReadProse(line);
    if (line == "```") return End();
    if (const auto parameters = After("# with ", line)) {
      current_.parameters = ParametersOf(*parameters);
    } else if (const auto answers = After("# answers: ", line)) {
      current_.answers = absl::StrSplit(*answers, ", then ");
      Take();
    } else if (!line.empty() || !current_.script.empty()) {
      absl::StrAppend(&current_.script, line, "\n");
    }
  }

  std::vector<DocumentScript> scripts;

 private:
  void Begin() {
    in_block_ = true;
    current_ = {++blocks_, {}, {}, {}};
  }
  void End() {
    if (!current_.script.empty()) Take();
    in_block_ = false;
  }
  void Take() {
    scripts.push_back(std::move(current_));
    current_ = {blocks_, {}, {}, {}};
  }
  void ReadProse(const std::string& line) {
    static const std::regex kClaim("`([^`]+)` → `([^`]+)`");
    for (std::sregex_iterator claim(line.begin(), line.end(), kClaim), end; claim != end; ++claim) {
      scripts.push_back({++blocks_, "return " + (*claim)[1].str(), {}, {(*claim)[2].str()}});
    }
  }

  bool in_block_ = false;
  int blocks_ = 0;
  DocumentScript current_;
};

std::unique_ptr<Node> FreshNode() {
  auto node = Node::Open({.threading = Threading::kInline});
  return node.ok() ? std::move(*node) : nullptr;
}

}  // namespace

std::vector<DocumentScript> ScriptsOf(const std::string& document) {
  DocumentReader reader;
  std::istringstream in(document);
  for (std::string line; std::getline(in, line);) reader.Read(line);
  return std::move(reader.scripts);
}

std::string Shown(const Result& result, const std::string& script) {
  std::ostringstream out;
  std::ostringstream err;
  Printer{out, err}.Print(result, script);
  const std::string failure = err.str();
  if (!failure.empty()) return failure.substr(0, failure.find('\n'));
  std::string answer = out.str();
  if (answer.ends_with('\n')) answer.pop_back();
  return absl::StrReplaceAll(answer, {{"\n", ", "}});
}

std::vector<std::string> WrongAnswers(const std::vector<DocumentScript>& scripts) {
  std::vector<std::string> wrong;
  std::unique_ptr<Node> node;
  int block = 0;
  for (const DocumentScript& shown : scripts) {
    if (std::exchange(block, shown.block) != shown.block) node = FreshNode();
    if (shown.answers.empty()) wrong.push_back(shown.script + "says no answer");
    for (const std::string& expected : shown.answers) {
      const std::string answer = Shown(node->Execute(shown.script, shown.parameters), shown.script);
      if (answer == expected) continue;
      wrong.push_back(absl::StrCat(shown.script, "\nanswers: ", answer, "\nnot:     ", expected));
    }
  }
  return wrong;
}

}  // namespace palena::app
