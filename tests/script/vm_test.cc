// The VM as its users see it: limits, stopping and going on, reuse, programs and their parameters.
// What scripts answer is told by cases/*.pal.

#include "script/vm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "script/program.h"
#include "script_runner.h"

namespace palena::script {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

hlc::Stamp AtMs(std::int64_t ms) {
  return {hlc::HybridTime::FromMs(ms), 0};
}

std::shared_ptr<const Program> MustCompile(std::string_view source) {
  auto program = Compile(source);
  EXPECT_TRUE(program.ok()) << program.error().ToReason();
  return *program;
}

std::string Repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() + piece.size() <= bytes) text += piece;
  return text;
}

std::string ValueText(const model::Result& result) {
  return result.values.empty() ? "none" : result.values[0].value.view().ToText();
}

// Ten thousand million rounds.
constexpr const char* kEndless =
    "let n = 0\nfor i in 1..100000 do\n for j in 1..100000 do\n  let n = j\n end\nend";

TEST(VmTest, StopsAtItsBudgetAndGoesOn) {
  const auto program = MustCompile("let a = 1 let b = a + 1 return b");
  MapHost host;
  Vm vm;
  ASSERT_TRUE(host.Begin(*program, {}, AtMs(1)));
  vm.Start(*program, {}, AtMs(1), host);
  EXPECT_EQ(vm.Resume(1), Vm::State::kOutOfSteps);
  EXPECT_EQ(vm.Resume(1), Vm::State::kOutOfSteps);
  EXPECT_EQ(vm.Resume(1), Vm::State::kFinished);
  EXPECT_EQ(vm.Resume(1), Vm::State::kFinished);
  EXPECT_TRUE(vm.succeeded());
}

TEST(VmTest, AsksABlockedHostAgain) {
  const auto program = MustCompile("set k 1 cmprev -1");
  MapHost host;
  host.blocks_first = true;
  Vm vm;
  ASSERT_TRUE(host.Begin(*program, {}, AtMs(1)));
  vm.Start(*program, {}, AtMs(1), host);
  EXPECT_EQ(vm.Resume(100), Vm::State::kBlocked);
  EXPECT_EQ(vm.Resume(100), Vm::State::kFinished);
  model::Result result;
  ASSERT_TRUE(vm.WriteResult(result));
  EXPECT_EQ(result.type, model::ResultType::kSet);
}

TEST(VmTest, SleepsAndGoesOnBehindTheSleep) {
  const auto program = MustCompile("let a = 1 sleep @ms return a");
  const MapHost::Parameters parameters{"250"};
  MapHost host;
  Vm vm;
  ASSERT_TRUE(host.Begin(*program, parameters, AtMs(1)));
  vm.Start(*program, parameters, AtMs(1), host);
  EXPECT_EQ(vm.Resume(100), Vm::State::kSleeping);
  EXPECT_EQ(vm.sleep_ms(), 250);
  EXPECT_EQ(vm.Resume(100), Vm::State::kFinished);
  EXPECT_TRUE(vm.succeeded());
}

TEST(VmTest, DoesNotSleepForNothing) {
  const auto program = MustCompile("sleep 0 return 1");
  MapHost host;
  Vm vm;
  vm.Start(*program, {}, AtMs(1), host);
  EXPECT_EQ(vm.Resume(100), Vm::State::kFinished);
}

// What a script that ran to its end wants.
bool WantsCommit(std::string_view script) {
  const auto program = MustCompile(script);
  MapHost host;
  Vm vm;
  EXPECT_TRUE(host.Begin(*program, {}, AtMs(1)));
  vm.Start(*program, {}, AtMs(1), host);
  EXPECT_EQ(vm.Resume(100), Vm::State::kFinished);
  EXPECT_TRUE(vm.succeeded()) << script;
  return vm.wants_commit();
}

TEST(VmTest, PlainScriptWantsItsWritesUnlessItRollsBack) {
  EXPECT_TRUE(WantsCommit("set k 1"));
  EXPECT_TRUE(WantsCommit("set k 1 return 5"));
  EXPECT_TRUE(WantsCommit("set k 1 commit rollback"));
  EXPECT_FALSE(WantsCommit("set k 1 rollback commit"));
}

TEST(VmTest, BlockWantsItsWritesWhenItCommits) {
  EXPECT_TRUE(WantsCommit("begin set k 1 commit end"));
  EXPECT_FALSE(WantsCommit("begin set k 1 end"));
  EXPECT_FALSE(WantsCommit("begin set k 1 return 5 end"));
  EXPECT_TRUE(WantsCommit("begin (autoCommit=true) set k 1 return 5 end"));
  EXPECT_FALSE(WantsCommit("begin (autoCommit=true) set k 1 rollback end"));
}

TEST(VmTest, ForgetsHowTheRunBeforeEnded) {
  const auto rolled_back = MustCompile("let a = 1 rollback");
  const auto plain = MustCompile("return 1");
  MapHost host;
  Vm vm;
  vm.Start(*rolled_back, {}, AtMs(1), host);
  vm.Resume(100);
  EXPECT_FALSE(vm.wants_commit());
  vm.Start(*plain, {}, AtMs(1), host);
  vm.Resume(100);
  EXPECT_TRUE(vm.wants_commit());
}

TEST(VmTest, SnapshotBlockFailsWhereItWouldWrite) {
  ScriptRunner runner;
  const model::Result result = runner.Run("begin (snapshot=5)\n get k\n set k 1 / 0\nend");
  EXPECT_EQ(result.type, model::ResultType::kAborted);
  EXPECT_EQ(result.code, model::Code::kSnapshotWrite);
  EXPECT_EQ(result.reason, "writes are not allowed in a snapshot (AS OF) transaction at line 3");
}

TEST(VmTest, ListsAtMost4096KeysAndSaysSo) {
  ScriptRunner runner;
  for (int i = 0; i <= 4096; ++i) runner.Run("eset @k 1", {{"k", "b/" + std::to_string(i)}});
  const model::Result all = runner.Run("eget by bucket b");
  EXPECT_EQ(all.values.size(), 4096U);
  EXPECT_TRUE(all.truncated);
  EXPECT_EQ(ValueText(runner.Run("let a = escan by prefix 'b/' return truncated(a)")), "true");
  runner.Run("edelete 'b/0'");
  EXPECT_FALSE(runner.Run("eget by bucket b").truncated);
}

TEST(VmTest, ListingsUseMemoryAndSteps) {
  ScriptRunner runner;
  runner.Run("set 'b/1' @v", {{"v", std::string(base::kValueBytesMax, 'x')}});
  EXPECT_EQ(runner.Run("for i in 1..100 do\n let a = get by bucket b\nend").reason,
            "Script memory limit exceeded: 16777216 at line 2");
  EXPECT_EQ(runner.Run("for i in 1..100 do\n get by bucket b\nend return 1").reason, "");
}

TEST(VmTest, CountsTheSameStepsInPieces) {
  const std::string script = "for i in 1..50 do set k i end";
  ScriptRunner whole;
  ScriptRunner pieces(true);
  whole.Run(script);
  pieces.Run(script);
  EXPECT_EQ(whole.steps(), pieces.steps());
}

TEST(VmTest, EndsARunThatHasUsedItsStepsOverAllSlices) {
  const auto program = MustCompile(kEndless);
  MapHost host;
  Vm vm;
  vm.Start(*program, {}, AtMs(1), host);
  std::uint64_t slices = 1;
  while (vm.Resume(base::kSliceSteps) == Vm::State::kOutOfSteps) ++slices;
  EXPECT_FALSE(vm.succeeded());
  EXPECT_THAT(vm.error().ToReason(), StartsWith("Step limit exceeded: 10000000 at line "));
  EXPECT_EQ(vm.error().code, model::Code::kLimit);
  EXPECT_EQ(slices, base::kRunStepsMax / base::kSliceSteps);
}

TEST(VmTest, EndsARunThatHasUsedItsMemory) {
  ScriptRunner runner;
  const model::Result result = runner.Run(
      "let a = '0123456789abcdef'\n"
      "for i in 1..100 do\n"
      "  let a = concat(a, a)\n"
      "end");
  EXPECT_EQ(result.reason, "Script memory limit exceeded: 16777216 at line 3");
  EXPECT_EQ(result.code, model::Code::kLimit);
}

TEST(VmTest, ReadsIntoVariablesUseMemory) {
  ScriptRunner runner;
  runner.Run("set k @v", {{"v", std::string(base::kValueBytesMax, 'x')}});
  const model::Result result = runner.Run("for i in 1..100 do\n let v = get k\nend");
  EXPECT_EQ(result.reason, "Script memory limit exceeded: 16777216 at line 2");
}

TEST(VmTest, RefusesALargeValue) {
  ScriptRunner runner;
  EXPECT_EQ(runner.Run("set k @v", {{"v", std::string(base::kValueBytesMax, 'x')}}).type,
            model::ResultType::kSet);
  const model::Result refused =
      runner.Run("set k @v", {{"v", std::string(base::kValueBytesMax + 1, 'x')}});
  EXPECT_THAT(refused.reason, StartsWith("Value too large: 1048577 bytes, at most 1048576"));
  EXPECT_EQ(refused.code, model::Code::kLimit);
}

TEST(VmTest, RefusesALargeResult) {
  ScriptRunner runner;
  const std::string part(std::size_t{1} << 20, 'x');
  EXPECT_EQ(runner.Run("return [@p, @p, @p]", {{"p", part}}).values.size(), 3U);
  const model::Result refused = runner.Run(
      "let a = 1\nreturn [@p,@p,@p,@p, @p,@p,@p,@p, @p,@p,@p,@p, @p,@p,@p,@p]", {{"p", part}});
  EXPECT_EQ(refused.reason, "Result too large: 16777216 at line 2");
  EXPECT_EQ(refused.code, model::Code::kLimit);
}

TEST(VmTest, RefusesALargeThrow) {
  ScriptRunner runner;
  const std::string text(base::kResultBytesMax, 'x');
  EXPECT_THAT(runner.Run("throw @p", {{"p", text}}).reason, StartsWith("Result too large"));
}

TEST(VmTest, LeavesNothingOfTheRunBefore) {
  ScriptRunner runner;
  runner.Run("let a = 5 set k 1 ex 50 let b = 2 return a");
  EXPECT_EQ(runner.Run("return b").reason, "Undefined variable: b at line 1");
  EXPECT_EQ(runner.Run("return not set").reason, "Invalid NOT SET expression at line 1");
  EXPECT_EQ(ValueText(runner.Run("if false then set k 1 end")), "");
}

TEST(VmTest, ForgetsTheArgumentsOfASetThatFailed) {
  ScriptRunner runner;
  runner.Run("set k to_int('x') ex 50 cmp 'never' cmprev 7");
  const model::Result result = runner.Run("set k 1");
  EXPECT_EQ(result.type, model::ResultType::kSet);
  EXPECT_EQ(result.values[0].expires_ms, 0);
}

TEST(VmTest, KeepsWhatItReadBeforeAWrite) {
  ScriptRunner runner;
  const std::string text(1000, 'x');
  runner.Run("set k @v", {{"v", text}});
  EXPECT_EQ(ValueText(runner.Run("let a = get k set k 'short' return a")), text);
}

TEST(VmTest, KeepsCountersAsIntegers) {
  ScriptRunner runner;
  runner.Run("eset k 41");
  const model::Result result = runner.Run("eget k");
  EXPECT_TRUE(result.values[0].value.is_integer);
  EXPECT_EQ(ValueText(result), "41");
}

TEST(VmTest, ReportsTheHostsFailureWithTheLine) {
  class FailingHost final : public Host {
   public:
    HostStatus Get(KeySlot, model::VersionView&) override { return HostStatus::kFailed; }
    HostStatus GetAt(KeySlot, std::int64_t, model::VersionView&) override {
      return HostStatus::kFailed;
    }
    HostStatus GetAsOf(KeySlot, std::int64_t, model::VersionView&) override {
      return HostStatus::kFailed;
    }
    HostStatus List(KeySlot, Listing&) override { return HostStatus::kFailed; }
    HostStatus ListAsOf(KeySlot, std::int64_t, Listing&) override { return HostStatus::kFailed; }
    HostStatus Set(KeySlot, const SetArguments&, WriteResult&) override {
      return HostStatus::kFailed;
    }
    HostStatus Delete(KeySlot, WriteResult&) override { return HostStatus::kFailed; }
    HostStatus Extend(KeySlot, std::int64_t, WriteResult&) override { return HostStatus::kFailed; }
    std::string_view KeyText(KeySlot) const override { return {}; }
    const model::ScriptError& error() const override { return error_; }

   private:
    model::ScriptError error_{model::Code::kOutOfMemory, "Out of memory", 0, {}};
  };
  const auto program = MustCompile("let a = 1\nset k a");
  FailingHost host;
  Vm vm;
  vm.Start(*program, {}, AtMs(1), host);
  EXPECT_EQ(vm.Resume(100), Vm::State::kFinished);
  EXPECT_FALSE(vm.succeeded());
  EXPECT_EQ(vm.error().ToReason(), "Out of memory at line 2");
  EXPECT_EQ(vm.error().code, model::Code::kOutOfMemory);
}

TEST(ProgramTest, FindsParametersWithAndWithoutAt) {
  const auto program = MustCompile("return [@b, @a, @limit, @limits, @b]");
  EXPECT_THAT(program->parameters(), ElementsAre("@b", "@a", "@limit", "@limits"));
  EXPECT_EQ(program->FindParameter("limit"), 2);
  EXPECT_EQ(program->FindParameter("@limit"), 2);
  EXPECT_EQ(program->FindParameter("@a"), 1);
  EXPECT_EQ(program->FindParameter("lim"), -1);
  EXPECT_EQ(program->FindParameter("@z"), -1);
  EXPECT_EQ(program->FindParameter(""), -1);
}

TEST(ProgramTest, IsKnownByTheHashOfItsText) {
  const auto one = MustCompile("return 1");
  EXPECT_EQ(one->id(), MustCompile("return 1")->id());
  EXPECT_NE(one->id(), MustCompile("return  1")->id());
  EXPECT_EQ(one->text(), "return 1");
}

TEST(ProgramTest, RefusesALongText) {
  EXPECT_TRUE(Compile("return 1" + std::string(base::kScriptBytesMax - 8, ' ')).ok());
  const auto refused = Compile("return 1" + std::string(base::kScriptBytesMax - 7, ' '));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, model::Code::kTooLarge);
  EXPECT_THAT(refused.error().message, HasSubstr("65537"));
}

TEST(ProgramTest, SharesEqualConstants) {
  const auto program =
      MustCompile("return [1, 1, 'a', 'a', 1.0, 1.0, '1', true, true, null, null]");
  EXPECT_EQ(program->constants().size(), 6U);
}

// Flat scripts of the greatest size: every piece over and over.
class FlatScriptTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(FlatScriptTest, CompilesAndRuns) {
  const auto [start, piece] = GetParam();
  const std::string end = std::string_view(start).ends_with('[') ? "1]" : " ";
  const std::size_t room = base::kScriptBytesMax - std::string_view(start).size() - end.size();
  ScriptRunner runner;
  const model::Result result = runner.Run(start + Repeated(piece, room) + end);
  EXPECT_EQ(result.reason, "");
}

INSTANTIATE_TEST_SUITE_P(
    Pieces, FlatScriptTest,
    testing::Values(std::pair("let a = 1 return 0", "+a"),
                    std::pair("let a = true return a", "&&a"),
                    std::pair("let a = false return a", "||a"), std::pair("", "get k "),
                    std::pair("", "let a=1 "), std::pair("", "if true then let a=1 end "),
                    std::pair("", "for i in [1] do let a=i end "), std::pair("return [", "1,"),
                    std::pair("let a = [1] return [", "a[0],"), std::pair("", "eset k 1 nx xx "),
                    std::pair("let a = 5 return [", "--------a,"),
                    std::pair("", "let a=upper('x')")));

}  // namespace
}  // namespace palena::script
