// palena-bench against a node: processes, real sockets, exit statuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/daemon_fixture.h"

namespace palena::app {
namespace {

using testing::HasSubstr;

class BenchTest : public testing::Test {
 protected:
  // Runs `script`, which stands on standard input, on the node.
  Ended Bench(const std::string& script, const std::vector<std::string>& flags) const {
    std::vector<std::string> arguments = {"--connect", daemon_.address(), "--script", "-"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return RunToEnd("palena-bench", arguments, script);
  }
  std::string Value(const std::string& script) const {
    return daemon_.Palena({"eval", script}).out;
  }

  Daemon daemon_;
};

constexpr const char* kCount =
    "let n = eget @k if not found then eset @k 1 return 1 end "
    "eset @k to_int(n) + 1 return 1";

TEST_F(BenchTest, EveryRequestIsSentOnceAndAnswered) {
  const Ended ended = Bench(kCount, {"-p", "k=counter", "--requests", "2000", "--connections", "20",
                                     "--pipeline", "8", "--threads", "2", "--json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr(R"("answers":2000,)"));
  EXPECT_THAT(ended.out, HasSubstr(R"("failed":0,"lost":0,)"));
  EXPECT_EQ(Value("eget counter"), "2000\n");
}

TEST_F(BenchTest, TheSameScriptRunsOnPersistentKeysWhenAskedTo) {
  const Ended ended =
      Bench(kCount, {"-p", "k=counter", "--persistent", "--requests", "50", "--connections", "2"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Value("get counter"), "50\n");
  EXPECT_EQ(Value("eget counter"), "does_not_exist\n");
}

TEST_F(BenchTest, AnOpenLoopSaysHowLateItWas) {
  const Ended ended = Bench(kCount, {"-p", "k=counter", "--requests", "200", "--connections", "4",
                                     "--rate", "4000", "--json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr(R"("answers":200,)"));
  EXPECT_THAT(ended.out, HasSubstr(R"("lateness_us":{"p50":)"));
  EXPECT_EQ(Value("eget counter"), "200\n");
}

// An answer of several reads, a request of several writes.
TEST_F(BenchTest, LargeValuesGoThroughInPieces) {
  const std::string value(100'000, 'x');
  const std::string requests = base::IsHostile() ? "40" : "400";
  const Ended ended =
      Bench("eset @k @v", {"-p", "k=large:{n}", "-p", "v=" + value, "--keys", "4", "--requests",
                           requests, "--connections", "4", "--pipeline", "16", "--json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const Ended read = Bench("eget @k", {"-p", "k=large:{n}", "--keys", "4", "--requests", requests,
                                       "--connections", "4", "--pipeline", "16", "--json"});
  EXPECT_EQ(read.status, 0) << read.err;
  EXPECT_THAT(read.out, HasSubstr("\"types\":{\"get\":" + requests + "}"));
}

TEST_F(BenchTest, AFailedAnswerFailsTheRun) {
  const Ended ended = Bench("return 1 / 0", {"--requests", "10", "--connections", "1"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr("failed 10"));
}

TEST_F(BenchTest, ARefusedScriptEndsItWithOneLine) {
  const Ended ended = Bench("return (", {"--requests", "10"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, testing::MatchesRegex("palena-bench: [^\n]+\n"));
}

TEST_F(BenchTest, ParametersThatTheScriptDoesNotReadOrLacksAreBadUsage) {
  const Ended missing = Bench(kCount, {"--requests", "10"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("the script needs -p @k="));
  const Ended unknown = Bench("return 1", {"-p", "k=1", "--requests", "10"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("the script has no parameter @k"));
}

TEST_F(BenchTest, EndsWhenAllConnectionsAreLostAndCountsTheTimeThatItMeasured) {
  PALENA_SKIP_IF_HOSTILE(
      "asking for the counter takes the generator's program out of a cache of one");
  Process bench("palena-bench", {"--connect", daemon_.address(), "--script", "-", "-p", "k=counter",
                                 "--warmup", "0", "--seconds", "600", "--json"});
  bench.Write(kCount);
  bench.CloseInput();
  // Bounded: a generator that could not begin never counts.
  for (int looks = 0; looks < 300 && Value("eget counter") == "does_not_exist\n"; ++looks) {
  }
  daemon_.Stop(SIGKILL);
  EXPECT_EQ(bench.Wait(), 3) << bench.err();
  EXPECT_THAT(bench.err(), testing::MatchesRegex("palena-bench: all connections to [^\n]+ were "
                                                 "lost, after [0-9.]+ s: [^\n]+\n"));
  EXPECT_THAT(bench.out(), testing::StartsWith("{\"seconds\":"));
}

TEST_F(BenchTest, AFullServerIsSaidToBeFull) {
  const Daemon daemon({"--shards", "1", "--max-connections", "3"});
  const Ended ended =
      RunToEnd("palena-bench", {"--connect", daemon.address(), "--script", "-", "--requests", "10"},
               "return 1");
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.err, HasSubstr("its connection limit may be reached"));
}

TEST_F(BenchTest, WithoutAServerItNamesTheAddress) {
  const std::string address = daemon_.address();
  daemon_.Stop();
  const Ended ended = RunToEnd("palena-bench", {"--connect", address, "--script", "-"}, "return 1");
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.err, testing::StartsWith("palena-bench: cannot connect to " + address +
                                             ": Connection refused; is a server running there?"));
  EXPECT_THAT(ended.err, HasSubstr("--connect"));
}

TEST_F(BenchTest, ANodeIsNoRedis) {
  const Ended ended = RunToEnd("palena-bench", {"--connect", daemon_.address(), "--target", "redis",
                                                "--command", "GET k", "--requests", "1"});
  EXPECT_NE(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("palena-bench: "));
}

}  // namespace
}  // namespace palena::app
