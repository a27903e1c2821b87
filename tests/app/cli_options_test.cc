#include "app/cli_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace palena::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Pair;

struct Parsed {
  CliParse parse;
  std::string out;
  std::string err;
};

Parsed Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "palena");
  std::ostringstream out;
  std::ostringstream err;
  CliParse parse = ParseCli(static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {std::move(parse), out.str(), err.str()};
}

TEST(CliOptionsTest, ReadsARunWithParameters) {
  const Parsed parsed =
      Parse({"run", "-p", "a=1", "f.pal", "-p", "@b=x=y", "--json", "--persistent"});
  ASSERT_TRUE(parsed.parse.options) << parsed.err;
  const CliOptions& options = *parsed.parse.options;
  EXPECT_EQ(options.command, Command::kRun);
  EXPECT_EQ(options.file, "f.pal");
  EXPECT_THAT(options.parameters, ElementsAre(Pair("@a", "1"), Pair("@b", "x=y")));
  EXPECT_TRUE(options.json && options.persistent);
}

TEST(CliOptionsTest, TakesGlobalFlagsOnBothSidesOfTheCommand) {
  EXPECT_EQ(Parse({"--connect", "h:1", "eval", "x"}).parse.options->connect, "h:1");
  EXPECT_EQ(Parse({"eval", "x", "--connect", "h:1"}).parse.options->connect, "h:1");
  EXPECT_EQ(Parse({"--connect", "h:1", "eval", "x", "--connect", "h:2"}).parse.options->connect,
            "h:2");
  EXPECT_EQ(Parse({"eval", "x"}).parse.options->connect, "127.0.0.1:7400");
}

TEST(CliOptionsTest, KeepsAScriptWithBracketsAndCommasWhole) {
  const Parsed parsed = Parse({"eval", "return [1, 2]", "-p", "k=[a,b]"});
  ASSERT_TRUE(parsed.parse.options) << parsed.err;
  EXPECT_EQ(parsed.parse.options->script, "return [1, 2]");
  EXPECT_THAT(parsed.parse.options->parameters, ElementsAre(Pair("@k", "[a,b]")));
}

TEST(CliOptionsTest, NeedsNoCommand) {
  EXPECT_EQ(Parse({}).parse.options->command, Command::kNone);
}

TEST(CliOptionsTest, HelpIsNoError) {
  const Parsed parsed = Parse({"--help"});
  EXPECT_FALSE(parsed.parse.options);
  EXPECT_EQ(parsed.parse.exit_status, kExitAnswered);
  EXPECT_THAT(parsed.out, HasSubstr("Examples:"));
}

TEST(CliOptionsTest, BadUsageExitsWithTwoAndSaysWhy) {
  EXPECT_EQ(Parse({"run"}).parse.exit_status, kExitUsage);
  EXPECT_EQ(Parse({"fly"}).parse.exit_status, kExitUsage);
  EXPECT_EQ(Parse({"eval", "x", "--pipeline", "2"}).parse.exit_status, kExitUsage);
  EXPECT_EQ(Parse({"batch", "--pipeline", "0"}).parse.exit_status, kExitUsage);
  const Parsed parsed = Parse({"eval", "x", "-p", "novalue"});
  EXPECT_EQ(parsed.parse.exit_status, kExitUsage);
  EXPECT_THAT(parsed.err, HasSubstr("\"novalue\" is not name=value"));
  EXPECT_THAT(parsed.err, MatchesRegex("palena: [^\n]+ \\(see palena --help\\)\n"));
}

}  // namespace
}  // namespace palena::app
