// Script files with their expectations inside: cases/*.pal. A file is one story over one store, its
// steps parted by lines `# ---`. The first lines of a step may be
//
//   # param @name = text         a parameter of this step
//   # advance: 100               milliseconds pass before it
//   # expect: TYPE VALUE… FIELD=…
//
// A VALUE is a word, a "quoted text" or `null`; all values must be listed (`none` for no value at
// all), except that a type alone leaves them open. Fields are of the first value: rev, key, expires
// (0 or +MS from now), modified (0 or now), and code of the result. Of a failure the only value is
// the whole reason.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "script_runner.h"

namespace palena::script {
namespace {

namespace fs = std::filesystem;

struct Expectation {
  std::string type;
  std::vector<std::string> values;  // as written in the file, unquoted
  std::vector<std::pair<std::string, std::string>> fields;
};

struct ScriptStep {
  std::string text;  // the lines above included, so that its line 1 is the step's first
  ScriptRunner::Parameters parameters;
  std::int64_t advance_ms = 0;
  Expectation expectation;
};

// The next word or quoted text of `line`, whose closing quote is one that a blank or the end
// follows.
std::string TakeToken(std::string_view& line, bool& is_quoted) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  is_quoted = line.starts_with('"');
  if (is_quoted) line.remove_prefix(1);
  const std::size_t end = is_quoted ? std::min(line.find("\" "), line.rfind('"')) : line.find(' ');
  std::string token(line.substr(0, end));
  line.remove_prefix(end == line.npos ? line.size() : end + 1);
  return token;
}

Expectation ParseExpectation(std::string_view line) {
  Expectation expectation;
  bool is_quoted = false;
  expectation.type = TakeToken(line, is_quoted);
  while (line.find_first_not_of(' ') != line.npos) {
    const std::string token = TakeToken(line, is_quoted);
    const std::size_t equals = is_quoted ? token.npos : token.find('=');
    if (equals == token.npos) {
      expectation.values.push_back(token);
    } else {
      expectation.fields.emplace_back(token.substr(0, equals), token.substr(equals + 1));
    }
  }
  return expectation;
}

void ParseDirective(const std::string& line, ScriptStep& step) {
  const auto after = [&line](std::string_view prefix) { return line.substr(prefix.size()); };
  if (line.starts_with("# expect: ")) {
    step.expectation = ParseExpectation(after("# expect: "));
  } else if (line.starts_with("# advance: ")) {
    step.advance_ms = std::stoll(after("# advance: "));
  } else if (line.starts_with("# param ")) {
    const std::string parameter = after("# param ");
    const std::size_t equals = parameter.find(" =");
    step.parameters[parameter.substr(0, equals)] =
        parameter.substr(std::min(equals + 3, parameter.size()));
  }
}

std::vector<ScriptStep> ParseSteps(const fs::path& path) {
  std::vector<ScriptStep> steps(1);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line == "# ---") {
      steps.emplace_back();
      continue;
    }
    ParseDirective(line, steps.back());
    steps.back().text += line + "\n";
  }
  return steps;
}

std::string TextOf(const model::ResultValue& value) {
  return value.is_null ? "null" : value.value.view().ToText();
}

std::string FieldOf(const model::Result& result, const std::string& name, std::int64_t now_ms) {
  if (name == "code") return std::string(model::CodeName(result.code));
  if (result.values.empty()) return "no value";
  const model::ResultValue& first = result.values[0];
  if (name == "rev") return std::to_string(first.revision);
  if (name == "key") return first.key;
  if (name == "expires") {
    return first.expires_ms == 0 ? "0" : "+" + std::to_string(first.expires_ms - now_ms);
  }
  if (name == "modified") {
    return first.last_modified_ms == now_ms ? "now" : std::to_string(first.last_modified_ms);
  }
  return "no such field";
}

std::vector<std::string> ValuesOf(const model::Result& result) {
  if (!result.reason.empty()) return {result.reason};
  if (result.values.empty()) return {"none"};
  std::vector<std::string> values;
  for (const model::ResultValue& value : result.values) values.push_back(TextOf(value));
  return values;
}

void Check(const model::Result& result, const Expectation& expected, std::int64_t now_ms) {
  EXPECT_EQ(model::ResultTypeName(result.type), expected.type) << result.reason;
  if (!expected.values.empty()) {
    EXPECT_EQ(ValuesOf(result), expected.values);
  }
  for (const auto& [name, value] : expected.fields) {
    EXPECT_EQ(FieldOf(result, name, now_ms), value) << name;
  }
}

void RunCase(const fs::path& path, bool in_pieces) {
  ScriptRunner runner(in_pieces);
  for (const ScriptStep& step : ParseSteps(path)) {
    SCOPED_TRACE(path.filename().string() + (in_pieces ? ", in pieces:\n" : ":\n") + step.text);
    ASSERT_FALSE(step.expectation.type.empty()) << "a step without `# expect:`";
    runner.AdvanceMs(step.advance_ms);
    Check(runner.Run(step.text, step.parameters), step.expectation, runner.now_ms());
  }
}

std::vector<fs::path> Cases() {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(PALENA_SOURCE_DIR "/tests/script/cases")) {
    if (entry.path().extension() == ".pal") cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

class ScriptCaseTest : public testing::TestWithParam<fs::path> {};

TEST_P(ScriptCaseTest, AnswersAsItSays) {
  RunCase(GetParam(), false);
}

TEST_P(ScriptCaseTest, AnswersTheSameInPieces) {
  RunCase(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(Cases, ScriptCaseTest, testing::ValuesIn(Cases()),
                         [](const auto& script) { return script.param.stem().string(); });

}  // namespace
}  // namespace palena::script
