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

TEST(CasesTest, TheFileHoldsAllCases) {
  EXPECT_THAT(AllCases(), SizeIs(kCases));
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
  EXPECT_EQ(report.sum().passed, 1U);
  EXPECT_EQ(report.sum().total, 2U);
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_THAT(report.failures.front(), HasSubstr("a-2 step 1 of 1"));
  EXPECT_THAT(report.ToText(), HasSubstr("a: 1 of 2 passed"));
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
