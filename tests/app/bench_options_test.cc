#include "app/bench_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "app/bench_report.h"

namespace palena::app {
namespace {

using testing::HasSubstr;

BenchParse Parse(std::vector<const char*> arguments, std::string* err_text = nullptr) {
  arguments.insert(arguments.begin(), "palena-bench");
  std::ostringstream out;
  std::ostringstream err;
  BenchParse parse = ParseBench(static_cast<int>(arguments.size()), arguments.data(), out, err);
  if (err_text != nullptr) *err_text = err.str();
  return parse;
}

TEST(BenchOptionsTest, ReadsTheFlags) {
  const BenchParse parse = Parse({"--script", "f.pal", "-p", "@key=rl:{n}", "-p", "limit=5",
                                  "--pipeline", "16", "--seconds", "0.5"});
  ASSERT_TRUE(parse.options);
  EXPECT_EQ(parse.options->pipeline, 16u);
  EXPECT_EQ(parse.options->seconds, 0.5);
  EXPECT_THAT(parse.options->templates,
              testing::ElementsAre(testing::Pair("@key", "rl:{n}"), testing::Pair("@limit", "5")));
}

TEST(BenchOptionsTest, RefusesBadUsageWithTwo) {
  EXPECT_EQ(Parse({}).exit_status, 2);
  EXPECT_EQ(Parse({"--script", "f", "--connections", "0"}).exit_status, 2);
  EXPECT_EQ(Parse({"--script", "f", "-p", "novalue"}).exit_status, 2);
  std::string err;
  EXPECT_EQ(Parse({"--script", "f", "--connections", "2", "--threads", "3"}, &err).exit_status, 2);
  EXPECT_THAT(err, HasSubstr("3 threads for 2 connections"));
  EXPECT_EQ(Parse({"--script", "f", "--requests", "1", "--threads", "2"}).exit_status, 2);
}

TEST(BenchOptionsTest, TakesTheParametersOfAScriptForRedisInTheirOrder) {
  const BenchParse parse = Parse({"--target", "redis", "--evalsha", "f.lua", "-p", "key=rl:{n}",
                                  "-p", "limit=5", "-p", "a=1", "--numkeys", "2"});
  ASSERT_TRUE(parse.options);
  EXPECT_EQ(parse.options->target, BenchTarget::kRedis);
  EXPECT_EQ(parse.options->connect, "127.0.0.1:6379");
  EXPECT_EQ(parse.options->script_file, "f.lua");
  EXPECT_EQ(parse.options->script_keys, 2u);
  EXPECT_EQ(parse.options->templates.size(), 3u);
}

TEST(BenchOptionsTest, TakesOneParameterForTheKeyUnlessToldOtherwise) {
  const std::vector<const char*> flags = {"--target", "redis", "--evalsha", "f.lua"};
  EXPECT_EQ(Parse(flags).options->script_keys, 0u);
  std::vector<const char*> with_two = flags;
  for (const char* flag : {"-p", "key=k", "-p", "limit=5"}) with_two.push_back(flag);
  EXPECT_EQ(Parse(with_two).options->script_keys, 1u);
}

TEST(BenchOptionsTest, SplitsAPlainCommandIntoWords) {
  const BenchParse parse = Parse({"--target", "redis", "--command", " SET  rl:{n} 1"});
  ASSERT_TRUE(parse.options);
  EXPECT_EQ(parse.options->script_file, "");
  EXPECT_THAT(parse.options->command, testing::ElementsAre("SET", "rl:{n}", "1"));
}

TEST(BenchOptionsTest, RefusesFlagsOfTheOtherTarget) {
  std::string err;
  EXPECT_EQ(Parse({"--evalsha", "f.lua", "--script", "f"}, &err).exit_status, 2);
  EXPECT_THAT(err, HasSubstr("go with --target redis"));
  const auto refused = [&err](std::vector<const char*> flags) {
    flags.insert(flags.begin(), {"--target", "redis"});
    EXPECT_EQ(Parse(flags, &err).exit_status, 2);
    return err;
  };
  EXPECT_THAT(refused({"--script", "f"}), HasSubstr("for Redis give --evalsha"));
  EXPECT_THAT(refused({"--command", "GET k", "--persistent"}), HasSubstr("is for Palena"));
  EXPECT_THAT(refused({}), HasSubstr("either --evalsha or --command"));
  EXPECT_THAT(refused({"--evalsha", "f", "--command", "GET k"}), HasSubstr("either"));
  EXPECT_THAT(refused({"--command", "GET k", "-p", "a=1"}), HasSubstr("words of --command"));
  EXPECT_THAT(refused({"--command", "  "}), HasSubstr("no word"));
  EXPECT_THAT(refused({"--evalsha", "f", "--numkeys", "2", "-p", "a=1"}),
              HasSubstr("--numkeys 2 for 1 -p"));
  EXPECT_EQ(Parse({"--target", "other", "--script", "f"}, &err).exit_status, 2);
  EXPECT_THAT(err, HasSubstr("--target: 'other' is none of: palena, redis"));
}

TEST(BenchReportTest, IsOneLineOfJson) {
  BenchReport report;
  report.seconds = 2;
  report.cpu_seconds = 1;
  for (int i = 0; i < 10; ++i) {
    report.tally.Add({.id = 0, .is_ok = true, .type = "get", .first_value = "1", .reason = {}},
                     100);
  }
  const std::string json = ReportJson(report, {});
  EXPECT_THAT(json, HasSubstr(R"({"seconds":2.0,"answers":10,"per_second":5.0,)"
                              R"("latency_us":{"p50":0.1,"p90":0.1,"p99":0.1,"p99.9":0.1,)"
                              R"("max":0.1},"types":{"get":10},"first_values":{"1":10},)"
                              R"("failed":0,"lost":0,"first_failure":"",)"
                              R"("client_cpu_share":0.5,"client_cpu_us_per_answer":100000.0,)"));
  EXPECT_TRUE(report.is_all_ok());
}

TEST(BenchReportTest, IsNotOkWithAFailureOrWithoutAnyAnswer) {
  BenchReport report;
  EXPECT_FALSE(report.is_all_ok());
  report.tally.Add({.id = 0, .is_ok = false, .type = "errored", .first_value = {}, .reason = {}},
                   100);
  EXPECT_FALSE(report.is_all_ok());
}

}  // namespace
}  // namespace palena::app
