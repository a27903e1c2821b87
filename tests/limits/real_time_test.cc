// In real time, over TCP: the stamp of each run is its model's clock.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "limits/door.h"
#include "limits/model.h"
#include "limits/scripts.h"

namespace palena::limits {
namespace {

constexpr int kTakes = 2'000;

// So tight that takes are allowed and refused all the time: a few milliseconds until more is there.
struct Rule {
  std::string limiter;
  Parameters parameters;
};

std::vector<Rule> Rules() {
  return {
      {"fixed_window", {{"limit", "20"}, {"window_ms", "10"}}},
      {"first_hit_window", {{"limit", "20"}, {"window_ms", "10"}}},
      {"sliding_window", {{"limit", "20"}, {"window_ms", "12"}, {"segments", "4"}}},
      {"sliding_log", {{"limit", "20"}, {"window_ms", "10"}}},
      {"token_bucket", {{"capacity", "20"}, {"refill_tokens", "5"}, {"refill_ms", "3"}}},
      {"gcra", {{"max_burst", "19"}, {"count", "5"}, {"period_ms", "3"}}},
      {"concurrency_acquire", {{"limit", "3"}, {"lease_ms", "2"}}},
  };
}

class RealTime : public testing::TestWithParam<Rule> {};

INSTANTIATE_TEST_SUITE_P(Limiters, RealTime, testing::ValuesIn(Rules()),
                         [](const auto& test) { return test.param.limiter; });

TEST_P(RealTime, EveryAnswerIsTheModelsAtTheStampOfItsRun) {
  const std::string& limiter = GetParam().limiter;
  for (const Keys keys : {Keys::kEphemeral, Keys::kPersistent}) {
    OverTcp door(false);  // a sync for each take would be most of the time
    const std::unique_ptr<Caller> caller = door.NewCaller();
    const std::unique_ptr<Model> model = MakeModel(limiter);
    const std::string script = ScriptFor(LimiterSource(limiter), keys);
    int allowed = 0;
    for (int i = 0; i < kTakes && !HasFailure(); ++i) {
      Call call{limiter, GetParam().parameters};
      call.parameters.emplace_back("key", "k");
      call.parameters.emplace_back("cost", std::to_string(i % 7));
      call.parameters.emplace_back("owner", i % 7 == 0 ? "" : "owner" + std::to_string(i % 5));
      const Result result = caller->Run(script, call.parameters);
      std::vector<Int> answer;
      for (const Value& value : result.values) answer.emplace_back(value.value.value_or("0"));
      EXPECT_EQ(answer, model->Answer(call, result.stamp.ms).values) << "take " << i;
      allowed += result.text() == "1" ? 1 : 0;
    }
    EXPECT_GT(allowed, 20);
  }
}

}  // namespace
}  // namespace palena::limits
