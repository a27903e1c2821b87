#include "app/bench_redis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace palena::app {
namespace {

using StepKind = BenchProtocol::StepKind;

constexpr std::string_view kSha = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";

std::string Loaded() {
  return "$40\r\n" + std::string(kSha) + "\r\n";
}

BenchProtocol::Step Next(RedisProtocol& protocol, std::string_view input) {
  std::string out;
  return protocol.Next(input, out);
}

std::string Request(RedisProtocol& protocol, std::uint64_t id, std::vector<std::string> values) {
  std::string out;
  protocol.AppendRequest(out, id, values);
  return out;
}

TEST(BenchRedisTest, LoadsTheScriptThenRunsItByItsSha) {
  RedisProtocol protocol({.script = "return 1", .script_keys = 1, .values_count = 2});
  std::string out;
  protocol.Start(out);
  EXPECT_EQ(out, "*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$8\r\nreturn 1\r\n");
  EXPECT_EQ(Next(protocol, Loaded()).kind, StepKind::kReady);
  EXPECT_EQ(Request(protocol, 0, {"rl:5", ""}), "*5\r\n$7\r\nEVALSHA\r\n$40\r\n" +
                                                    std::string(kSha) +
                                                    "\r\n$1\r\n1\r\n$4\r\nrl:5\r\n$0\r\n\r\n");
}

TEST(BenchRedisTest, SendsAPlainCommandAsItIs) {
  RedisProtocol protocol({.script = {}, .script_keys = 1, .values_count = 2});
  std::string out;
  protocol.Start(out);
  EXPECT_EQ(out, "*1\r\n$4\r\nPING\r\n");
  EXPECT_EQ(Next(protocol, "+PONG\r\n").kind, StepKind::kReady);
  EXPECT_EQ(Request(protocol, 0, {"GET", "rl:5"}), "*2\r\n$3\r\nGET\r\n$4\r\nrl:5\r\n");
}

TEST(BenchRedisTest, EndsWhenTheBeginningIsRefused) {
  RedisProtocol scripted({.script = "retur", .script_keys = 1, .values_count = 1});
  EXPECT_EQ(Next(scripted, "-ERR Error compiling script\r\n").error, "ERR Error compiling script");
  EXPECT_EQ(Next(scripted, "+OK\r\n").kind, StepKind::kBad);
  RedisProtocol plain({.script = {}, .script_keys = 1, .values_count = 1});
  EXPECT_EQ(Next(plain, "HTTP/1.1 400\r\n").kind, StepKind::kBad);
  EXPECT_EQ(Next(plain, "-NOAUTH Authentication required.\r\n").error,
            "NOAUTH Authentication required.");
}

class BenchRedisAnswerTest : public testing::Test {
 protected:
  BenchRedisAnswerTest() { Next(protocol_, "+PONG\r\n"); }

  RedisProtocol protocol_{{.script = {}, .script_keys = 1, .values_count = 1}};
};

TEST_F(BenchRedisAnswerTest, GivesAnswersTheIdsOfTheRequestsInTheirOrder) {
  Request(protocol_, 7, {"PING"});
  Request(protocol_, 3, {"PING"});
  const BenchProtocol::Step first = Next(protocol_, ":1\r\n$1\r\nx\r\n");
  EXPECT_EQ(first.kind, StepKind::kAnswer);
  EXPECT_EQ(first.answer.id, 7u);
  EXPECT_EQ(first.answer.type, "integer");
  EXPECT_EQ(first.answer.first_value, "1");
  EXPECT_EQ(first.consumed_bytes, 4u);
  const BenchProtocol::Step second = Next(protocol_, "$1\r\nx\r\n");
  EXPECT_EQ(second.answer.id, 3u);
  EXPECT_EQ(second.answer.first_value, "x");
}

TEST_F(BenchRedisAnswerTest, CountsAnErrorReplyAsFailedWithItsText) {
  Request(protocol_, 1, {"NONSENSE"});
  const BenchProtocol::Step step = Next(protocol_, "-ERR unknown command\r\n");
  EXPECT_EQ(step.kind, StepKind::kAnswer);
  EXPECT_FALSE(step.answer.is_ok);
  EXPECT_EQ(step.answer.reason, "ERR unknown command");
}

TEST_F(BenchRedisAnswerTest, WaitsForTheRestOfAReply) {
  Request(protocol_, 1, {"GET"});
  const BenchProtocol::Step step = Next(protocol_, "$10\r\nabc");
  EXPECT_EQ(step.kind, StepKind::kNeedMore);
  EXPECT_EQ(step.needed_bytes, 17u);
  EXPECT_EQ(Next(protocol_, "$10\r\n0123456789\r\n").answer.id, 1u);
}

TEST_F(BenchRedisAnswerTest, EndsAtABadReplyAndAtOneThatNobodyAskedFor) {
  EXPECT_EQ(Next(protocol_, ":1\r\n").kind, StepKind::kBad);
  Request(protocol_, 1, {"GET"});
  const BenchProtocol::Step step = Next(protocol_, "$-5\r\n");
  EXPECT_EQ(step.kind, StepKind::kBad);
  EXPECT_EQ(step.error, "the server sent a negative length");
}

}  // namespace
}  // namespace palena::app
