// Scripts that want to break the node, over TCP, on both paths: each ends in its typed answer, and
// the node serves on.

#include "server/hostile_scripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "base/hostile.h"
#include "base/limits.h"
#include "server/running_server.h"
#include "server/wire_client.h"

namespace palena::server {
namespace {

using model::Code;
using model::ResultType;
using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;

// Freed memory that sanitizers keep, to catch its use, is not the server's.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::int64_t kGrowthBytesMax = std::int64_t{1} << 30;
#else
constexpr std::int64_t kGrowthBytesMax = std::int64_t{256} << 20;
#endif

class HostileScriptTest : public testing::TestWithParam<bool> {
 protected:
  HostileScriptTest() : server_(clock_, {.shards = 1, .fast_path = GetParam()}) {}

  model::Result Run(const HostileScript& row) {
    return hostile_.Execute(row.script, row.parameters);
  }
  // The connection that was hostile is still good, and so is everybody else's.
  void ExpectServes() {
    EXPECT_TRUE(hostile_.Pings());
    const auto answer = other_->Execute("return 1 + 1");
    ASSERT_TRUE(answer.ok()) << answer.status().message();
    EXPECT_EQ(answer->text(), "2");
  }
  void ExpectNothingLeft() {
    for (const std::string key : {"stray", "far", "large", "none"}) {
      EXPECT_EQ(hostile_.Execute("eexists " + key).type, ResultType::kDoesNotExist) << key;
      EXPECT_EQ(hostile_.Execute("exists " + key).type, ResultType::kDoesNotExist) << key;
    }
  }

  base::ManualClock clock_;
  RunningServer server_;
  WireClient hostile_ = WireClient::Greeted(server_.address());
  std::unique_ptr<Client> other_ = server_.Connect();
};

INSTANTIATE_TEST_SUITE_P(Paths, HostileScriptTest, testing::Bool(), [](const auto& fast_path) {
  return std::string(fast_path.param ? "FastPath" : "GeneralPath");
});

TEST_P(HostileScriptTest, EachGetsItsTypedAnswerAndLeavesNothingBehind) {
  ExpectServes();
  const std::int64_t before_bytes = ResidentBytes();
  for (const HostileScript& row : AllHostileScripts()) {
    SCOPED_TRACE(row.name);
    const model::Result result = Run(row);
    EXPECT_EQ(model::ResultTypeName(result.type), model::ResultTypeName(row.type));
    EXPECT_EQ(model::CodeName(result.code), model::CodeName(row.code))
        << result.reason.substr(0, 200);
    EXPECT_EQ(result.line, row.line) << result.reason.substr(0, 200);
    EXPECT_TRUE(result.reason.find(row.reason) != std::string::npos)
        << result.reason.substr(0, 200);
    ExpectServes();
  }
  ExpectNothingLeft();
  EXPECT_LT(ResidentBytes() - before_bytes, kGrowthBytesMax);
}

TEST_P(HostileScriptTest, SixtyFourKibOfAnyByteIsRefused) {
  // Every byte; in hostile mode, where a frame takes its time, one in 17.
  for (int byte = 0; byte < 256; byte += base::IsHostile() ? 17 : 1) {
    SCOPED_TRACE(byte);
    const std::string script(base::kScriptBytesMax, static_cast<char>(byte));
    const model::Result result = hostile_.Execute(script);
    EXPECT_EQ(result.type, ResultType::kErrored);
    EXPECT_THAT(result.code, AnyOf(Eq(Code::kSyntax), Eq(Code::kLimit)));
    EXPECT_GE(result.line, 1) << result.reason.substr(0, 200);
    const model::Result longer = hostile_.Execute(script + script.back());
    EXPECT_EQ(longer.code, Code::kTooLarge);
    EXPECT_THAT(longer.reason, HasSubstr("65537 bytes, at most 65536"));
  }
  ExpectServes();
}

TEST_P(HostileScriptTest, AnEmptyScriptIsASyntaxError) {
  EXPECT_EQ(hostile_.Execute("").code, Code::kSyntax);
  EXPECT_EQ(hostile_.Execute("# nothing\n").code, Code::kSyntax);
  ExpectServes();
}

TEST_P(HostileScriptTest, RefusesWithTheLineToBlame) {
  const model::Result result = hostile_.Execute("let x = 0\n\nlet y = 1\nreturn y / x");
  EXPECT_EQ(result.code, Code::kRuntime);
  EXPECT_EQ(result.line, 4);
  const model::Result deep = hostile_.Execute("let x = 0\nreturn " + Times(1'000, "(") + "1");
  EXPECT_EQ(deep.code, Code::kLimit);
  EXPECT_EQ(deep.line, 2);
}

// Words of the language in random order: whatever they mean, they are answered.
TEST_P(HostileScriptTest, AnswersAnyMixtureOfWords) {
  static constexpr const char* kWords[] = {
      "let",    "set",   "eset",   "get",    "eget",   "if",     "then",  "else",   "end",
      "for",    "do",    "in",     "nx",     "xx",     "ex",     "cmp",   "cmprev", "norev",
      "return", "throw", "delete", "extend", "exists", "not",    "found", "at",     "as",
      "of",     "by",    "bucket", "prefix", "begin",  "commit", "sleep", "null",   "true",
      "x",      "y",     "stray",  "@p",     "1",      "0",      "\"a\"", "1.5",    "0x1",
      "=",      "==",    "<",      "+",      "-",      "*",      "/",     "..",     "(",
      ")",      "[",     "]",      ",",      "!",      "&&",     "||",    "`k`",    "to_int"};
  std::mt19937 random(20'240'601);
  std::uniform_int_distribution<std::size_t> word(0, std::size(kWords) - 1);
  for (int i = 0; i < 2'000; ++i) {
    std::string script;
    for (int n = 0; n < 12; ++n) script += std::string(kWords[word(random)]) + " ";
    const model::Result result = hostile_.Execute(script, {{"@p", "7"}});
    ASSERT_NE(result.reason, "closed") << script;
  }
  ExpectServes();
}

// Time is real here: the run ends by its timeout, long before it has used up its steps.
TEST(HostileScriptTimeTest, AnEndlessRunEndsByItsTimeout) {
  const base::SystemClock clock;
  const RunningServer server(clock, {});
  const auto client = server.Connect();
  const std::string endless =
      "eset stray 1 let r = 1..100000 for i in r do for j in r do let x = i * j end end";
  const auto result = client->Execute(endless, {}, {.timeout_ms = 1});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->code, "TIMEOUT");
  EXPECT_EQ(client->Execute("eexists stray")->type, palena::ResultType::kDoesNotExist);
}

}  // namespace
}  // namespace palena::server
