#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/answer.h"
#include "conformance/case.h"
#include "conformance/run_cases.h"

namespace palena::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Case> AllCases() {
  auto cases = LoadCases(PALENA_SOURCE_DIR "/tests/conformance/cases.jsonl");
  EXPECT_TRUE(cases.ok()) << cases.status();
  return *std::move(cases);
}

std::string LineWith(const std::string& expect) {
  return R"({"id": "a-1", "group": "a", "store": "fresh", "note": "", "basis": "own", "steps": )"
         R"([{"script": "return 1", "expect": )" +
         expect + "}]}\n";
}

Case CaseOf(const std::string& script, Expectation expect = {}) {
  return {.id = "a-1", .group = "a", .note = "n", .steps = {{0, script, {}, std::move(expect)}}};
}

TEST(CasesTest, TheFileHoldsAllThatMustPassAndAllThatWait) {
  const std::vector<Case> cases = AllCases();
  const auto waiting = static_cast<std::size_t>(std::count_if(cases.begin(), cases.end(), Waits));
  EXPECT_EQ(waiting, kWaitingCases);
  EXPECT_EQ(cases.size() - waiting, kRequiredCases);
}

TEST(CasesTest, EveryFieldOfACaseIsRead) {
  const auto cases = ParseCases(
      R"({"id": "a-1", "group": "a", "store": "fresh", "note": "why", "steps": [{"script": "get k",)"
      R"( "params": {"@x": "5"}, "sleep_ms": 20, "expect": {"type": "get", "value": "v",)"
      R"( "revision": 2, "values": ["v"], "reason_contains": "r"}}]})");
  ASSERT_TRUE(cases.ok()) << cases.status();
  const Case& a_case = cases->front();
  EXPECT_EQ(a_case.note, "why");
  const Step& step = a_case.steps.front();
  EXPECT_EQ(step.sleep_ms, 20);
  EXPECT_THAT(step.parameters, ElementsAre(testing::Pair("@x", "5")));
  EXPECT_EQ(step.expect.value, "v");
  EXPECT_EQ(step.expect.revision, 2);
  EXPECT_EQ(step.expect.reason_contains, "r");
  EXPECT_THAT(*step.expect.values, ElementsAre("v"));
}

TEST(CasesTest, AnExpectationThatNobodyChecksIsRefused) {
  EXPECT_TRUE(ParseCases(LineWith(R"({"type": "get"})")).ok());
  const auto cases = ParseCases(LineWith(R"({"type": "get", "expires": 5})"));
  EXPECT_THAT(cases.status().message(), HasSubstr("line 1: unknown field \"expires\""));
}

TEST(CasesTest, BadLinesAreNamed) {
  const std::string good = LineWith(R"({"type": "get"})");
  EXPECT_THAT(ParseCases(good + "{").status().message(), HasSubstr("line 2"));
  EXPECT_THAT(ParseCases(LineWith("{}")).status().message(), HasSubstr("type"));
  EXPECT_THAT(ParseCases(LineWith(R"({"type": 5})")).status().message(), HasSubstr("line 1"));
  EXPECT_FALSE(LoadCases("no such file").ok());
}

TEST(WaitsTest, OnlyWholeWordsCount) {
  EXPECT_TRUE(Waits(CaseOf("get BY  bucket `b`")));
  EXPECT_TRUE(Waits(CaseOf("escan by\nprefix p")));
  EXPECT_TRUE(Waits(CaseOf("get k as of 5")));
  EXPECT_TRUE(Waits(CaseOf("begin set k 1 commit end")));
  EXPECT_TRUE(Waits(CaseOf("sleep 5")));
  EXPECT_FALSE(Waits(CaseOf("let beginning = 1 let sleeps = 2 let committed = 3 return 1")));
  EXPECT_FALSE(Waits(CaseOf("get `bucket`")));
}

TEST(DifferencesTest, AnAnswerThatHasAllThatIsExpectedHasNone) {
  const Expectation expect{.type = "get", .value = "v", .values = {{"v", ""}}, .revision = 3};
  EXPECT_THAT(Differences(expect, {"get", {{"v", 3}, {std::nullopt, -1}}, ""}), IsEmpty());
  EXPECT_THAT(Differences({.type = "errored", .reason_contains = "zero"},
                          {"errored", {}, "Division by zero at line 1"}),
              IsEmpty());
}

TEST(DifferencesTest, EmptyStandsForNullAndForNoValue) {
  const Expectation expect{.type = "get", .value = "", .revision = -1};
  EXPECT_THAT(Differences(expect, {"get", {{"", -1}}, ""}), IsEmpty());
  EXPECT_THAT(Differences(expect, {"get", {{std::nullopt, -1}}, ""}), IsEmpty());
  EXPECT_THAT(Differences(expect, {"get", {}, ""}), IsEmpty());
}

// Each line is an answer that must not pass.
TEST(DifferencesTest, EveryKindOfWrongAnswerIsNamed) {
  const Answer answer{"get", {{"v", 3}}, "why"};
  const auto only = [&](const Expectation& expect) {
    const std::vector<std::string> found = Differences(expect, answer);
    return found.size() == 1 ? found.front() : std::to_string(found.size()) + " differences";
  };
  EXPECT_EQ(only({.type = "set"}), "type: expected set, got get");
  EXPECT_EQ(only({.type = "get", .value = "w"}), "value: expected \"w\", got \"v\"");
  EXPECT_EQ(only({.type = "get", .value = ""}), "value: expected \"\", got \"v\"");
  EXPECT_EQ(only({.type = "get", .revision = 4}), "revision: expected 4, got 3");
  EXPECT_EQ(only({.type = "get", .values = {{"v", "w"}}}),
            "values: expected [\"v\", \"w\"], got [\"v\"]");
  EXPECT_EQ(only({.type = "get", .values = {std::vector<std::string>{}}}),
            "values: expected [], got [\"v\"]");
  EXPECT_EQ(only({.type = "get", .reason_contains = "how"}),
            "reason: expected a text with \"how\", got \"why\"");
}

TEST(AnswerTest, AResultOfTheModelKeepsTypeTextsRevisionsAndReason) {
  model::Result result;
  result.type = model::ResultType::kDoesNotExist;
  result.reason = "r";
  result.values.emplace_back();
  result.values.push_back(
      {.key = "n", .is_null = false, .value = model::Value::Integer(7), .revision = 2});
  EXPECT_EQ(Describe(Answer::From(result)), R"(does_not_exist ["", "7"] revision -1 "r")");
}

// Answers every script with its own text, and remembers how long it slept.
class EchoRunner : public Runner {
 public:
  Answer Run(const Step& step) override { return {"get", {{step.script, -1}}, ""}; }
  void Sleep(std::int64_t ms) override { slept_ms += ms; }

  std::int64_t slept_ms = 0;
};

TEST(RunCasesTest, CountsPerGroupAndNamesTheCaseThatFailed) {
  EchoRunner runner;
  std::vector<Case> cases = {CaseOf("1", {.type = "get", .value = "1"}),
                             CaseOf("2", {.type = "get", .value = "3"})};
  cases[1].id = "a-2";
  const Report report = RunCases(cases, runner);
  EXPECT_EQ(report.required_sum().passed, 1U);
  EXPECT_EQ(report.required_sum().total, 2U);
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_THAT(report.failures.front(), HasSubstr("a-2 step 1 of 1"));
  EXPECT_THAT(report.ToText(), HasSubstr("a: 1 of 2 passed"));
}

TEST(RunCasesTest, WaitingCasesAreReportedButFailNothing) {
  EchoRunner runner;
  const std::vector<Case> cases = {CaseOf("sleep 5", {.type = "errored"}),
                                   CaseOf("sleep 6", {.type = "get", .value = "sleep 6"})};
  const Report report = RunCases(cases, runner);
  EXPECT_THAT(report.failures, IsEmpty());
  EXPECT_EQ(report.required_sum().total, 0U);
  EXPECT_THAT(report.ToText(), HasSubstr("waiting, all: 1 of 2 match already"));
}

TEST(RunCasesTest, TimePassesBeforeAStepAndACaseEndsAtItsFirstDifference) {
  EchoRunner runner;
  Case a_case = CaseOf("1", {.type = "set"});
  a_case.steps.front().sleep_ms = 20;
  a_case.steps.push_back({.sleep_ms = 500, .script = "2", .parameters = {}, .expect = {}});
  RunCases(std::vector<Case>{a_case}, runner);
  EXPECT_EQ(runner.slept_ms, 20);
}

}  // namespace
}  // namespace palena::conformance
