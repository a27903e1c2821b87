// The twin against the conformance cases: what checks the engine must itself be right where
// somebody has written down the answer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case.h"
#include "conformance/run_cases.h"
#include "twin/failure.h"
#include "twin/interpreter.h"
#include "twin/store.h"

namespace palena::twin {
namespace {

// Of the two cases whose runs sleep for a while.
constexpr std::string_view kNotAnswered = "not answered";

class TwinRunner final : public conformance::Runner {
 public:
  conformance::Answer Run(const conformance::Step& step) override {
    const Parameters parameters(step.parameters.begin(), step.parameters.end());
    const hlc::Stamp stamp{hlc::HybridTime::FromMs(now_ms_), 0};
    try {
      return Converted(twin::Run({step.script, parameters, stamp}, store_));
    } catch (const TooMuch&) {
      return {std::string(kNotAnswered), {}, ""};
    }
  }
  void Sleep(std::int64_t ms) override { now_ms_ += ms; }

 private:
  static conformance::Answer Converted(const Answer& answer) {
    conformance::Answer converted{
        std::string(model::ResultTypeName(answer.type)), {}, answer.reason};
    for (const AnswerValue& value : answer.values) {
      converted.values.push_back({value.value, value.revision});
    }
    return converted;
  }

  Store store_;
  std::int64_t now_ms_ = 1'700'000'000'000;
};

TEST(TwinCasesTest, TwinAnswersTheConformanceCasesAsTheyAsk) {
  const auto cases = conformance::LoadCases(PALENA_SOURCE_DIR "/tests/conformance/cases.jsonl");
  ASSERT_TRUE(cases.ok()) << cases.status();
  EXPECT_EQ(cases->size(), conformance::kCases);
  TwinRunner runner;
  std::vector<std::string> wrong;
  std::vector<std::string> not_answered;
  for (const std::string& failure : conformance::RunCases(*cases, runner).failures) {
    const bool has_answer = failure.find(kNotAnswered) == std::string::npos;
    (has_answer ? wrong : not_answered).push_back(failure);
  }
  EXPECT_THAT(wrong, testing::IsEmpty());
  EXPECT_THAT(not_answered, testing::ElementsAre(testing::StartsWith("expiry-031"),
                                                 testing::StartsWith("txn-036")));
}

}  // namespace
}  // namespace palena::twin
