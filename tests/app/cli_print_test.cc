#include "app/cli_print.h"

#include <gtest/gtest.h>

#include <sstream>

namespace palena::app {
namespace {

struct Printed {
  std::string out;
  std::string err;
};

Printed Print(const Result& result, std::string_view script = {}, bool is_terminal = false) {
  std::ostringstream out;
  std::ostringstream err;
  Printer{out, err, is_terminal}.Print(result, script);
  return {out.str(), err.str()};
}

Result Answer(std::vector<Value> values, ResultType type = ResultType::kGet) {
  Result result;
  result.type = type;
  result.values = std::move(values);
  return result;
}

TEST(PrinterTest, ShowsValuesOneALine) {
  EXPECT_EQ(Print(Answer({{"", "1"}, {"", std::nullopt}, {"", ""}})).out, "1\n(null)\n\n");
}

TEST(PrinterTest, NamesTheKeysWhenThereAreSeveral) {
  EXPECT_EQ(Print(Answer({{"a", "1"}})).out, "1\n");
  EXPECT_EQ(Print(Answer({{"a", "1"}, {"b", "2"}})).out, "a = 1\nb = 2\n");
}

TEST(PrinterTest, ShowsWhatAWriteDid) {
  EXPECT_EQ(Print(Answer({{"k", std::nullopt, 4}}, ResultType::kSet)).out, "set revision=4\n");
  EXPECT_EQ(Print(Answer({{"k", std::nullopt, -1}}, ResultType::kDoesNotExist)).out,
            "does_not_exist\n");
}

TEST(PrinterTest, ShowsTheLineThatIsToBlame) {
  Result result = Answer({}, ResultType::kErrored);
  result.code = "RUNTIME";
  result.reason = "Division by zero at line 2";
  result.line = 2;
  const Printed printed = Print(result, "let a = 0\nreturn 1 / a\n");
  EXPECT_EQ(printed.out, "");
  EXPECT_EQ(printed.err, "errored RUNTIME: Division by zero at line 2\n    2 | return 1 / a\n");
}

TEST(PrinterTest, KeepsControlCharactersAwayFromTerminalsOnly) {
  const Result result = Answer({{"", "\x1B[2J"}});
  EXPECT_EQ(Print(result, {}, true).out, "\\x1B[2J\n");
  EXPECT_EQ(Print(result, {}, false).out, "\x1B[2J\n");
}

TEST(LineOfTest, FindsLinesAndNothingBeyond) {
  EXPECT_EQ(LineOf("a\nb\nc", 2), "b");
  EXPECT_EQ(LineOf("a\nb\nc", 3), "c");
  EXPECT_EQ(LineOf("a\nb\nc", 4), "");
  EXPECT_EQ(LineOf("a", 0), "");
}

}  // namespace
}  // namespace palena::app
