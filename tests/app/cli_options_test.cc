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

std::string Complaint(std::vector<const char*> arguments) {
  const Parsed parsed = Parse(std::move(arguments));
  EXPECT_EQ(parsed.parse.exit_status, kExitUsage);
  EXPECT_THAT(parsed.err, MatchesRegex("palena: [^\n]+ \\(see palena --help\\)\n"));
  return parsed.err;
}

TEST(CliOptionsTest, AnUnknownCommandIsNamedBesideThoseThatThereAre) {
  const std::string complaint = Complaint({"evl", "get a"});
  EXPECT_THAT(complaint, HasSubstr("unknown command \"evl\"; did you mean eval?"));
  EXPECT_THAT(complaint, HasSubstr("run, eval, batch, ping, info, limits, repl"));
}

TEST(CliOptionsTest, AFlagInTheWrongPlaceIsToldItsPlace) {
  EXPECT_THAT(Complaint({"--json", "eval", "x"}),
              HasSubstr("--json stands behind its command: palena eval --json"));
  EXPECT_THAT(Complaint({"--persistent"}),
              HasSubstr("--persistent stands behind a command that takes it: run "));
  EXPECT_THAT(Complaint({"ping", "--persistent"}),
              HasSubstr("ping takes no --persistent; these commands do: run "));
  EXPECT_THAT(Complaint({"batch", "--json"}), HasSubstr("batch answers in JSON always"));
  EXPECT_THAT(Complaint({"eval", "x", "--jsn"}),
              HasSubstr("unknown flag --jsn; did you mean --json?"));
}

TEST(CliOptionsTest, ABadValueIsNamedWithItsFlagAndWhatIsAllowed) {
  EXPECT_THAT(Complaint({"eval", "x", "--timeout-ms", "abc"}),
              HasSubstr("--timeout-ms: \"abc\" is not a whole number from 0 to 300000"));
  EXPECT_THAT(Complaint({"batch", "--pipeline", "0"}),
              HasSubstr("--pipeline: \"0\" is not a whole number from 1 to "));
  EXPECT_THAT(Complaint({"eval", "x", "-p"}),
              HasSubstr("--param: its value is missing, write --param name=value"));
  EXPECT_THAT(Complaint({"eval", "get", "a"}), HasSubstr("unexpected argument \"a\""));
}

TEST(CliOptionsTest, AParameterIsGivenOnce) {
  EXPECT_THAT(Complaint({"eval", "x", "-p", "k=5", "-p", "@k=6"}),
              HasSubstr("-p: @k is given twice"));
}

}  // namespace
}  // namespace palena::app
