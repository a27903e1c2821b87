// Several programs as one run (model::ManyRequestView): all or none, in order, at one instant.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "engine/engine_fixture.h"

namespace palena::engine {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A counter with a limit, as limiters are: what is refused writes nothing, a cost of 0 looks only.
constexpr std::string_view kTake =
    "let current = eget @key\n"
    "if not found then\n"
    "  let used = 0\n"
    "else\n"
    "  let used = to_int(current)\n"
    "end\n"
    "if used + to_int(@cost) > to_int(@limit) then\n"
    "  return [0, used]\n"
    "end\n"
    "if to_int(@cost) > 0 then\n"
    "  eset @key used + to_int(@cost)\n"
    "end\n"
    "return [1, used + to_int(@cost)]";

struct TestCall {
  std::string script;
  TestParameters parameters = {};
  bool is_required = true;
};
using TestCalls = std::vector<TestCall>;

TestCall Take(std::string_view key, int limit, int cost = 1) {
  return {std::string(kTake),
          {{"key", std::string(key)},
           {"limit", std::to_string(limit)},
           {"cost", std::to_string(cost)}}};
}
TestCall Shadow(TestCall call) {
  call.is_required = false;
  return call;
}

// Owns what a ManyCall refers to.
class CallList {
 public:
  explicit CallList(const TestCalls& calls) {
    parameters_.reserve(calls.size());
    for (const TestCall& call : calls) {
      std::vector<model::ParameterView>& views = parameters_.emplace_back();
      for (const auto& [name, value] : call.parameters) views.push_back({name, -1, value});
      ProgramCall& one = calls_.emplace_back();
      one.request.script = call.script;
      one.request.parameters = views;
      one.is_required = call.is_required;
    }
  }
  std::span<const ProgramCall> view() const { return calls_; }

 private:
  std::vector<std::vector<model::ParameterView>> parameters_;
  std::vector<ProgramCall> calls_;
};

struct Setting {
  unsigned shards = 1;
  bool fast_path = true;
};

class ManyTest : public testing::TestWithParam<Setting> {
 protected:
  ManyTest()
      : node_(TestEngineOptions{.shards = GetParam().shards, .fast_path = GetParam().fast_path}) {}

  std::uint64_t Send(const TestCalls& calls, const TestCalls& otherwise = {},
                     std::uint64_t lane = 0, std::int64_t timeout_ms = 0) {
    const CallList call_list(calls);
    const CallList otherwise_list(otherwise);
    const ReplyTo reply_to{&node_.sink, 0, ++node_.last_request};
    node_.engine->ExecuteFromOutside(
        ManyCall{call_list.view(), otherwise_list.view(), timeout_ms, reply_to, lane});
    return node_.last_request;
  }
  model::Result Run(const TestCalls& calls, const TestCalls& otherwise = {}) {
    const std::uint64_t request = Send(calls, otherwise);
    node_.Settle();
    const model::Result* const result = node_.sink.Find(request);
    PALENA_CHECK(result != nullptr);
    return *result;
  }
  std::string Value(const std::string& key) { return node_.Text("eget @k", {{"k", key}}); }
  // The answers' values, as text.
  static std::vector<std::string> TextOf(const std::vector<model::Result>& results) {
    std::vector<std::string> texts;
    for (const model::Result& result : results) {
      std::string& text = texts.emplace_back();
      for (const model::ResultValue& value : result.values) {
        text += (text.empty() ? "" : " ") + value.value.view().ToText();
      }
    }
    return texts;
  }

  TestEngine node_;
};

INSTANTIATE_TEST_SUITE_P(Settings, ManyTest,
                         testing::Values(Setting{1, true}, Setting{1, false}, Setting{4, true}),
                         [](const auto& setting) {
                           return std::string(setting.param.fast_path ? "Fast" : "General") +
                                  std::to_string(setting.param.shards);
                         });

TEST_P(ManyTest, AppliesAllWhenAllPass) {
  const model::Result result = Run({Take("user", 10), Take("tenant", 100, 5)});
  EXPECT_EQ(result.type, model::ResultType::kGet);
  EXPECT_EQ(result.applied, model::Applied::kYes);
  EXPECT_THAT(TextOf(result.many->calls), ElementsAre("1 1", "1 5"));
  EXPECT_THAT(result.many->refused, IsEmpty());
  EXPECT_EQ(Value("user"), "1");
  EXPECT_EQ(Value("tenant"), "5");
}

TEST_P(ManyTest, AppliesNothingWhenOneRefuses) {
  node_.Run("eset tenant 100\neset user 3");
  const model::Result result = Run({Take("user", 10), Take("tenant", 100), Take("other", 1)});
  EXPECT_EQ(result.type, model::ResultType::kGet);
  EXPECT_EQ(result.applied, model::Applied::kNo);
  EXPECT_EQ(result.code, model::Code::kNone);
  EXPECT_THAT(result.many->refused, ElementsAre(1));
  EXPECT_THAT(TextOf(result.many->calls), ElementsAre("1 4", "0 100", "1 1"));
  EXPECT_THAT(result.many->calls, Each(Field(&model::Result::applied, model::Applied::kNo)));
  EXPECT_EQ(Value("user"), "3");
  EXPECT_EQ(Value("other"), "");
  EXPECT_EQ(node_.Run("eget user").values[0].revision, 0);
}

TEST_P(ManyTest, NamesEveryOneThatRefuses) {
  const model::Result result = Run({Take("a", 0), Take("b", 1), Take("c", 0)});
  EXPECT_THAT(result.many->refused, ElementsAre(0, 2));
}

TEST_P(ManyTest, LaterOnesSeeWhatEarlierOnesWrote) {
  const model::Result result = Run({Take("k", 10, 3), Take("k", 10, 3), Take("k", 10, 3)});
  EXPECT_THAT(TextOf(result.many->calls), ElementsAre("1 3", "1 6", "1 9"));
  EXPECT_EQ(Value("k"), "9");
  EXPECT_EQ(Run({Take("k", 11), Take("k", 11), Take("k", 11)}).many->refused,
            std::vector<std::uint32_t>{2});
  EXPECT_EQ(Value("k"), "9");
}

TEST_P(ManyTest, IsOneInstant) {
  const model::Result result =
      Run({{"eset k 1\nlet t = hlc()\nreturn [1, t]"}, {"eset k 2\nlet t = hlc()\nreturn [1, t]"}});
  const std::vector<model::Result>& calls = result.many->calls;
  EXPECT_EQ(calls[0].values[1].value.view().ToText(), calls[1].values[1].value.view().ToText());
  EXPECT_EQ(calls[0].stamp, result.stamp);
  EXPECT_EQ(calls[1].stamp, result.stamp);
}

TEST_P(ManyTest, VariablesAndGuardsAreOfOneProgram) {
  const std::string reason = Run({{"let x = eget k\nreturn 1"}, {"return x"}}).reason;
  EXPECT_THAT(reason, HasSubstr("calls[1]: Undefined variable: x at line 1"));
  EXPECT_THAT(Run({{"eget k\nreturn 1"}, {"if not found then return 1 end"}}).reason,
              HasSubstr("calls[1]: Invalid NOT FOUND expression"));
}

TEST_P(ManyTest, AnErrorAnywhereFailsTheWholeAndIsNamed) {
  const model::Result result =
      Run({Take("k", 10), {"eset j 1\n\nthrow \"no\""}, Take("i", 10)}, {{"return 1"}});
  EXPECT_EQ(result.type, model::ResultType::kErrored);
  EXPECT_EQ(result.code, model::Code::kThrown);
  EXPECT_EQ(result.applied, model::Applied::kNo);
  EXPECT_EQ(result.reason, "calls[1]: no at line 3");
  EXPECT_EQ(result.line, 3);
  EXPECT_EQ(result.many->failed, 1);
  EXPECT_THAT(result.many->calls, IsEmpty());
  EXPECT_EQ(Value("k"), "");
}

TEST_P(ManyTest, WhatMakesARunRefusedBeforeItBeginsIsNamedAsWell) {
  EXPECT_EQ(Run({{"return 1"}, {"retrn 1"}}).many->failed, 1);
  EXPECT_THAT(Run({{"return 1"}, {"eset @k 1\nreturn 1"}}).reason,
              HasSubstr("calls[1]: Undefined parameter: @k at line 1"));
  const model::Result bad = Run({{"return 0"}}, {{"return 1"}, {"eget @k", {{"k", ""}}}});
  EXPECT_THAT(bad.reason, HasSubstr("otherwise[1]: Invalid key: empty at line 1"));
  EXPECT_EQ(bad.many->failed, 2);
}

TEST_P(ManyTest, AnUnknownProgramIsNamed) {
  ProgramCall unknown;
  unknown.request.program_id.emplace();
  node_.engine->ExecuteFromOutside(
      ManyCall{{&unknown, 1}, {}, 0, {&node_.sink, 0, ++node_.last_request}, 0});
  const model::Result* const result = node_.sink.Find(node_.last_request);
  EXPECT_EQ(result->code, model::Code::kUnknownProgram);
  EXPECT_EQ(result->many->failed, 0);
}

TEST_P(ManyTest, OnlyAFirstValueOfOnePasses) {
  for (const char* passes : {"return 1", "return \"1\"", "return [1, 7]", "eset k 1\neget k"}) {
    EXPECT_EQ(Run({{passes}}).applied, model::Applied::kYes) << passes;
  }
  for (const char* refuses : {"return 2", "return true", "return null", "return []", "eset k 1",
                              "eget nothing", "return \"01\"", "return [0, 1]"}) {
    EXPECT_EQ(Run({{refuses}}).applied, model::Applied::kNo) << refuses;
  }
}

TEST_P(ManyTest, WhatIsNotRequiredNeverRefusesTheRest) {
  const model::Result result = Run({Shadow(Take("shadow", 0)), Take("k", 1)});
  EXPECT_EQ(result.applied, model::Applied::kYes);
  EXPECT_THAT(result.many->refused, IsEmpty());
  EXPECT_THAT(TextOf(result.many->calls), ElementsAre("0 0", "1 1"));
  EXPECT_EQ(Value("k"), "1");
  const model::Result refused = Run({Shadow(Take("shadow", 9)), Take("k", 1)});
  EXPECT_EQ(refused.applied, model::Applied::kNo);
  EXPECT_EQ(Value("shadow"), "");
}

TEST_P(ManyTest, WhatIsNotRequiredIsAppliedWithTheRest) {
  Run({Shadow({"eset k 1\nreturn 0"}), {"return 1"}});
  EXPECT_EQ(Value("k"), "1");
}

TEST_P(ManyTest, TheOtherListRunsOnlyAfterARefusalAndOnTheStateBefore) {
  const TestCalls peeks = {Take("a", 5, 0), Take("b", 1, 0)};
  const model::Result passed = Run({Take("a", 5, 2), Take("b", 1)}, peeks);
  EXPECT_EQ(passed.applied, model::Applied::kYes);
  EXPECT_THAT(passed.many->otherwise, IsEmpty());
  const model::Result refused = Run({Take("a", 5, 2), Take("b", 1)}, peeks);
  EXPECT_EQ(refused.applied, model::Applied::kNo);
  EXPECT_THAT(TextOf(refused.many->calls), ElementsAre("1 4", "0 1"));
  EXPECT_THAT(TextOf(refused.many->otherwise), ElementsAre("1 2", "1 1"));
  EXPECT_THAT(refused.many->otherwise, Each(Field(&model::Result::stamp, refused.stamp)));
}

TEST_P(ManyTest, WritesOfTheOtherListAreSeenByItAndNeverApplied) {
  const model::Result result =
      Run({{"return 0"}}, {{"eset k 1\nset p 1\nreturn 0"}, {"eget k"}, {"get p"}});
  EXPECT_THAT(TextOf(result.many->otherwise), ElementsAre("0", "1", "1"));
  EXPECT_EQ(Value("k"), "");
  EXPECT_EQ(node_.Text("get p"), "");
  EXPECT_EQ(node_.Metric("log_commits"), 0);
}

TEST_P(ManyTest, AnErrorInTheOtherListFailsTheWhole) {
  const model::Result result = Run({{"return 0"}}, {{"return 1"}, {"throw \"no\""}});
  EXPECT_EQ(result.reason, "otherwise[1]: no at line 1");
  EXPECT_EQ(result.many->failed, 2);
}

TEST_P(ManyTest, CommitEndsItsProgramAndRollbackFailsTheWhole) {
  const model::Result result = Run({{"eset k 1\nlet x = 1\ncommit\neset k 2"}, {"return 1"}});
  EXPECT_EQ(result.applied, model::Applied::kYes);
  EXPECT_EQ(Value("k"), "1");
  const model::Result failed = Run({{"eset k 3\nreturn 1"}, {"eset k 4\nrollback"}});
  EXPECT_EQ(failed.code, model::Code::kRolledBack);
  EXPECT_EQ(failed.reason, "calls[1]: Transaction aborted");
  EXPECT_EQ(Value("k"), "1");
}

TEST_P(ManyTest, ABeginBlockIsRefusedAndNamed) {
  const model::Result result = Run({{"return 1"}, {"begin\n eset k 1\n commit\nend"}});
  EXPECT_EQ(result.code, model::Code::kMalformed);
  EXPECT_THAT(result.reason, HasSubstr("calls[1]: A `begin` block cannot be one of several"));
}

TEST_P(ManyTest, SleepersKeepTheirKeysAndGoOn) {
  const std::uint64_t sent = Send({Take("k", 2), {"sleep 50\nreturn 1"}, Take("k", 2)});
  node_.Settle();
  const std::uint64_t reader = node_.Send("eget k");
  node_.Settle();
  EXPECT_EQ(node_.sink.Find(reader), nullptr);
  node_.clock.AdvanceMs(51);
  node_.Settle();
  EXPECT_EQ(node_.sink.Find(sent)->applied, model::Applied::kYes);
  EXPECT_EQ(TestEngine::TextOf(*node_.sink.Find(reader)), "2");
}

TEST_P(ManyTest, ATimeoutFailsTheWholeAndNamesWhoWasAtWork) {
  const std::uint64_t sent = Send({Take("k", 2), {"sleep 500\nreturn 1"}}, {}, 0, 100);
  node_.Settle();
  node_.clock.AdvanceMs(101);
  node_.Settle();
  const model::Result& result = *node_.sink.Find(sent);
  EXPECT_EQ(result.code, model::Code::kTimeout);
  EXPECT_EQ(result.reason, "calls[1]: Transaction aborted by timeout");
  EXPECT_EQ(Value("k"), "");
}

TEST_P(ManyTest, StepsOfAllCountTogether) {
  const TestCall long_loop = {"let n = 0\nfor i in 1..99000 do\n let n = n + 1\nend\nreturn 1"};
  const model::Result enough = Run(TestCalls(8, long_loop));
  EXPECT_EQ(enough.applied, model::Applied::kYes);
  const model::Result result = Run(TestCalls(32, long_loop));
  EXPECT_EQ(result.code, model::Code::kLimit);
  EXPECT_THAT(result.reason, HasSubstr("Step limit exceeded: 10000000"));
  EXPECT_GT(result.many->failed, 8);
}

TEST_P(ManyTest, AnswersOfAllMustFitTogether) {
  node_.Run("eset k @v", {{"v", std::string(base::kValueBytesMax, 'x')}});
  const TestCall large = {"let v = eget k\nreturn [1, v]"};
  EXPECT_EQ(Run(TestCalls(15, large)).many->calls.size(), 15U);
  const model::Result result = Run(TestCalls(17, large));
  EXPECT_EQ(result.code, model::Code::kLimit);
  EXPECT_EQ(result.reason, "calls[15]: Result too large: 16777216 at line 2");
}

TEST_P(ManyTest, ListsHaveABoundedLength) {
  EXPECT_EQ(Run({}).code, model::Code::kMalformed);
  EXPECT_THAT(Run(TestCalls(base::kCallsMax, {"return 1"})).many->calls, SizeIs(base::kCallsMax));
  const model::Result result = Run(TestCalls(base::kCallsMax + 1, {"return 1"}));
  EXPECT_EQ(result.code, model::Code::kMalformed);
  EXPECT_EQ(result.reason, "Too many calls in one list: 33, at most 32");
  EXPECT_EQ(Run({{"return 1"}}, TestCalls(33, {"return 1"})).code, model::Code::kMalformed);
}

TEST_P(ManyTest, ManyKeysAreFoundByEveryProgram) {
  TestCalls calls;
  for (int i = 0; i < 32; ++i) {
    std::string script = "eset @own 1\n";
    for (int k = 0; k < 32; ++k) script += "eset k" + std::to_string(k + i) + " 1\n";
    calls.push_back({script + "return 1", {{"own", "own" + std::to_string(i)}}});
  }
  EXPECT_EQ(Run(calls).applied, model::Applied::kYes);
  EXPECT_EQ(node_.Run("escan by prefix k").values.size(), 63U);
  EXPECT_EQ(node_.Run("escan by prefix own").values.size(), 32U);
}

TEST_P(ManyTest, RangesSeeWhatTheProgramsBeforeWrote) {
  node_.Run("eset `b/1` 'x'");
  const model::Result result =
      Run({{"eset `b/2` 'y'\nreturn 1"}, {"let all = eget by bucket b\nreturn [1, count(all)]"}});
  EXPECT_THAT(TextOf(result.many->calls), ElementsAre("1", "1 2")) << result.reason;
}

TEST_P(ManyTest, TheReplyWaitsForTheLogWhenAnyOfThemWrotePersistentKeys) {
  const std::uint64_t sent = Send({{"set p 1\nreturn 1"}, {"eset e 1\nreturn 1"}});
  while (node_.RunShards() || node_.reader.RunReady()) {
  }
  EXPECT_EQ(node_.sink.Find(sent), nullptr);
  node_.Settle();
  EXPECT_EQ(node_.sink.Find(sent)->applied, model::Applied::kYes);
  EXPECT_EQ(node_.Metric("log_commits"), 1);
}

TEST_P(ManyTest, ARefusalWaitsForWhatItRead) {
  node_.Send("set p 1");
  const std::uint64_t sent = Send({{"let p = get p\nreturn [0, p]"}});
  while (node_.RunShards() || node_.reader.RunReady()) {
  }
  EXPECT_EQ(node_.sink.Find(sent), nullptr);
  node_.Settle();
  EXPECT_EQ(node_.sink.Find(sent)->applied, model::Applied::kNo);
}

TEST_P(ManyTest, RunsOfOneLaneStartInOrder) {
  std::vector<std::uint64_t> sent;
  sent.push_back(Send({{"sleep 5\nreturn 1"}, {"eset k 1\nreturn 1"}}, {}, 7));
  sent.push_back(Send({{"let v = eget k\nreturn v"}}, {}, 7));
  sent.push_back(node_.Send("eget k", {}, 7));
  node_.Settle();
  node_.clock.AdvanceMs(6);
  node_.Settle();
  EXPECT_THAT(TextOf(node_.sink.Find(sent[1])->many->calls), ElementsAre("1"));
  EXPECT_EQ(TestEngine::TextOf(*node_.sink.Find(sent[2])), "1");
}

TEST_P(ManyTest, ADrainingNodeRefuses) {
  node_.engine->Drain([] {});
  EXPECT_EQ(Run({{"return 1"}}).code, model::Code::kDraining);
}

TEST_P(ManyTest, ADroppedLaneLeavesNothing) {
  Send({Take("k", 2), {"sleep 50\nreturn 1"}}, {}, 9);
  node_.Settle();
  node_.engine->DropLane(9);
  node_.clock.AdvanceMs(51);
  node_.Settle();
  EXPECT_EQ(Value("k"), "");
}

TEST_P(ManyTest, AShardTakesThemInItsOwnTurns) {
  const TestCalls takes = {Take("k", 10), Take("j", 10)};
  const CallList calls(takes);
  Shard& shard = node_.engine->shard(0);
  shard.BeginTurn();
  shard.Execute(ManyCall{calls.view(), {}, 0, {&node_.sink, 0, ++node_.last_request}, 1});
  shard.ExecuteNow(ManyCall{calls.view(), {}, 0, {&node_.sink, 0, ++node_.last_request}, 1});
  shard.EndTurn();
  node_.Settle();
  EXPECT_EQ(Value("k"), "2");
  EXPECT_EQ(Value("j"), "2");
}

TEST_P(ManyTest, RunObjectsAreReusedWithoutATrace) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Run({Take("k", 9), Take("k", 9)}, {Take("k", 9, 0)}).applied, model::Applied::kYes);
    EXPECT_EQ(node_.Text("return @x", {{"x", "5"}}), "5");
    EXPECT_EQ(Run({{"return 0"}}).applied, model::Applied::kNo);
    EXPECT_FALSE(node_.Run("eget k").many.has_value());
  }
  EXPECT_EQ(Value("k"), "6");
}

TEST_P(ManyTest, TheFastPathIsTakenWhenAllKeysAreOfOneShard) {
  PALENA_SKIP_IF_HOSTILE("the fast path is off");
  Run({Take("k", 2), Take("k", 2)});
  EXPECT_EQ(node_.Metric("runs_fast_path"), GetParam().fast_path ? 1 : 0);
}

}  // namespace
}  // namespace palena::engine
