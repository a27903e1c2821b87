// palena as other tools call it: processes, exit statuses, lines of JSON.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/daemon_fixture.h"

namespace palena::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class PalenaTest : public testing::Test {
 protected:
  Daemon daemon_;
};

TEST_F(PalenaTest, ExitsWith0WhenTheScriptWasAnswered) {
  EXPECT_EQ(daemon_.Palena({"eval", "return 1 + 1"}).out, "2\n");
  EXPECT_EQ(daemon_.Palena({"eval", "return 1 + 1"}).status, 0);
  EXPECT_EQ(daemon_.Palena({"eval", "eget missing"}).status, 0);
  EXPECT_EQ(daemon_.Palena({"ping"}).status, 0);
  EXPECT_EQ(daemon_.Palena({"info"}).status, 0);
}

TEST_F(PalenaTest, ExitsWith1WhenTheScriptFailedOrWasRefused) {
  for (const std::string script : {"return 1 / 0", "return (", "throw \"no\"", "eget @k"}) {
    EXPECT_EQ(daemon_.Palena({"eval", script}).status, 1) << script;
  }
  const Ended large = daemon_.Palena({"run", "-"}, std::string(70'000, '#') + "\nreturn 1");
  EXPECT_EQ(large.status, 1) << large.err;
}

TEST_F(PalenaTest, ExitsWith2ForBadUsage) {
  EXPECT_EQ(daemon_.Palena({"eval"}).status, 2);
  EXPECT_EQ(daemon_.Palena({"nonsense"}).status, 2);
  EXPECT_EQ(daemon_.Palena({"eval", "return 1", "-p", "novalue"}).status, 2);
  EXPECT_EQ(daemon_.Palena({"run", "/nonexistent.pal"}).status, 2);
  EXPECT_EQ(daemon_.Palena({"ping", "--nonsense"}).status, 2);
  EXPECT_EQ(daemon_.Palena({}).status, 2);
  EXPECT_EQ(RunToEnd("palena", {"--connect", "127.0.0.1:70000", "ping"}).status, 2);
}

TEST_F(PalenaTest, ExitsWith3WithoutAConnection) {
  const std::string address = daemon_.address();
  daemon_.Stop();
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"ping"}, {"info"}, {"eval", "return 1"}, {"batch"}}) {
    const Ended ended = daemon_.Palena(command);
    EXPECT_EQ(ended.status, 3) << command.front();
    EXPECT_THAT(ended.err, MatchesRegex("palena: [^\n]+\n"));
    EXPECT_THAT(ended.err, HasSubstr(address));
    EXPECT_THAT(ended.err, HasSubstr("is palenad running there?"));
    EXPECT_THAT(ended.err, HasSubstr("name another node with --connect"));
  }
}

TEST_F(PalenaTest, HelpAndVersionNeedNoNode) {
  const Ended help = RunToEnd("palena", {"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("batch"));
  EXPECT_EQ(RunToEnd("palena", {"--version"}).status, 0);
}

TEST_F(PalenaTest, ShowsAResultAsOneLineOfJson) {
  const std::string stamp = R"(,"stamp":\{"ms":[0-9]+,"counter":[0-9]+,"node":1\})";
  const std::string end = stamp + R"(,"truncated":false,"applied":"yes"\})"
                                  "\n";
  const std::string values =
      R"("values":\[\{"key":"","value":"1","revision":-1,"expires_ms":0,"last_modified_ms":0\}\])";
  EXPECT_THAT(
      daemon_.Palena({"eval", "--json", "return 1"}).out,
      MatchesRegex(R"(\{"type":"get","code":"",)" + values + R"(,"reason":"","line":0)" + end));
  EXPECT_THAT(daemon_.Palena({"eval", "--json", "eset k \"v\""}).out,
              MatchesRegex(R"(\{"type":"set","code":"","values":\[\{"key":"k","value":null,)"
                           R"("revision":0,"expires_ms":0,"last_modified_ms":[0-9]+\}\],)"
                           R"("reason":"","line":0)" +
                           end));
  EXPECT_THAT(daemon_.Palena({"eval", "--json", "eget missing"}).out,
              MatchesRegex(R"(\{"type":"does_not_exist","code":"","values":\[\{"key":"missing",)"
                           R"("value":null,"revision":-1,"expires_ms":0,"last_modified_ms":0\}\],)"
                           R"("reason":"","line":0)" +
                           end));
}

TEST_F(PalenaTest, ShowsAFailureAsOneLineOfJsonWithoutValues) {
  EXPECT_THAT(daemon_.Palena({"eval", "--json", "let x = 0\nreturn 1 / x"}).out,
              MatchesRegex(R"(\{"type":"errored","code":"RUNTIME","values":\[\],"reason":)"
                           R"("Division by zero at line 2","line":2,"stamp":\{[^}]*\},)"
                           R"("truncated":false,"applied":"no"\})"
                           "\n"));
}

TEST_F(PalenaTest, TellsNullAndEmptyAndBytesApart) {
  const auto value_of = [this](const std::string& script) {
    return daemon_.Palena({"eval", "--json", script}).out;
  };
  EXPECT_THAT(value_of("return null"), HasSubstr(R"("value":null)"));
  EXPECT_THAT(value_of("eset e '' eget e"), HasSubstr(R"("value":"")"));
  EXPECT_THAT(value_of("return '\\xFF'"), HasSubstr(R"("value":)"));
  const Ended bytes = daemon_.Palena({"eval", "--json", "return @b", "-p", "b=\xFF\xFE"});
  EXPECT_THAT(bytes.out, HasSubstr(R"("value_base64":"//4=")"));
}

TEST_F(PalenaTest, TakesParametersWithOrWithoutTheirSign) {
  EXPECT_EQ(daemon_.Palena({"eval", "return @a", "-p", "a=1=2"}).out, "1=2\n");
  EXPECT_EQ(daemon_.Palena({"eval", "return @a", "-p", "@a=x"}).out, "x\n");
}

TEST_F(PalenaTest, RunsAFileAndItsPersistentTwin) {
  const std::string recipe = PALENA_SOURCE_DIR "/scripts/recipes/fixed_window.pal";
  const std::vector<std::string> run = {"run",         recipe,    "-p", "counter_key=c",
                                        "-p",          "limit=1", "-p", "expires_ms=60000",
                                        "--persistent"};
  EXPECT_EQ(daemon_.Palena(run).out, "1\n");
  EXPECT_EQ(daemon_.Palena(run).out, "0\n");
  EXPECT_EQ(daemon_.Palena({"eval", "get c"}).out, "1\n");
  EXPECT_THAT(daemon_.Palena({"eval", "--json", "eget c"}).out, HasSubstr("does_not_exist"));
}

TEST_F(PalenaTest, BatchAnswersEveryLineInOrder) {
  const Ended ended =
      daemon_.Palena({"batch"},
                     "{\"script\":\"eset @k @v\",\"params\":{\"@k\":\"a\",\"v\":5}}\n"
                     "nonsense\n"
                     "{\"script\":\"eget a\"}\n"
                     "{\"script\":1}\n"
                     "{\"script\":\"return @t\",\"params\":{\"t\":true}}\n"
                     "{\"script\":\"return (\"}");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(Lines(ended.out),
              ElementsAre(StartsWith(R"({"type":"set")"),
                          StartsWith(R"({"type":"invalid_input","code":"MALFORMED","values":[])"),
                          HasSubstr(R"("value":"5")"), HasSubstr(R"("code":"MALFORMED")"),
                          HasSubstr(R"("value":"true")"), HasSubstr(R"("code":"SYNTAX")")));
}

TEST_F(PalenaTest, BatchAnswersInInputOrderWhenPipelined) {
  std::string input;
  for (int i = 0; i < 500; ++i) input += "{\"script\":\"return " + std::to_string(i) + "\"}\n";
  const Ended ended = daemon_.Palena({"batch", "--pipeline", "64"}, input);
  EXPECT_EQ(ended.status, 0);
  const std::vector<std::string> lines = Lines(ended.out);
  ASSERT_EQ(lines.size(), 500u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_THAT(lines[i], HasSubstr("\"value\":\"" + std::to_string(i) + "\""));
  }
}

TEST_F(PalenaTest, BatchFlushesEachAnswerBeforeTheNextLine) {
  Process batch("palena", {"--connect", daemon_.address(), "batch"});
  for (const std::string answer : {"1", "2", "3"}) {
    batch.Write("{\"script\":\"return " + answer + "\"}\n");
    EXPECT_THAT(batch.ReadLine(), HasSubstr("\"value\":\"" + answer + "\""));
  }
  batch.CloseInput();
  EXPECT_EQ(batch.Wait(), 0);
}

TEST_F(PalenaTest, ExitsWith4WhenTheAnswerCannotBeWritten) {
  const auto run = [this](std::vector<std::string> command, const std::string& input = {}) {
    command.insert(command.begin(), {"--connect", daemon_.address()});
    return RunOnFullDisk("palena", command, input);
  };
  const std::string complaint = "palena: standard output cannot be written\n";
  EXPECT_EQ(run({"eval", "return 1"}).err, complaint);
  EXPECT_EQ(run({"eval", "return 1"}).status, 4);
  EXPECT_EQ(run({"eval", "--json", "return 1"}).status, 4);
  EXPECT_EQ(run({"info"}).status, 4);
  const Ended batch = run({"batch"}, "{\"script\":\"return 1\"}\n{\"script\":\"return 2\"}\n");
  EXPECT_EQ(batch.status, 4);
  EXPECT_EQ(batch.err, complaint);
}

TEST_F(PalenaTest, RefusesAParameterThatTheScriptDoesNotRead) {
  const Ended ended = daemon_.Palena({"eval", "eset @k 1", "-p", "k=a", "-p", "extra=1"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.err, "palena: -p: the script has no parameter @extra; its parameters are @k\n");
  EXPECT_EQ(daemon_.Palena({"eval", "return 1", "-p", "a=1", "-p", "a=2"}).status, 2);
}

TEST_F(PalenaTest, APipedSessionEndsWithTheWorstOfItsLines) {
  EXPECT_EQ(daemon_.Palena({"repl"}, "return 1\neset k 2\n").status, 0);
  const Ended failed = daemon_.Palena({"repl"}, "return 1 / 0\nreturn 2\n");
  EXPECT_EQ(failed.status, 1);
  EXPECT_EQ(failed.out, "2\n");
  EXPECT_EQ(daemon_.Palena({"repl"}, "return 1 / 0").status, 1);
  EXPECT_EQ(daemon_.Palena({"repl"}, ".nonsense\n").status, 2);
  EXPECT_EQ(daemon_.Palena({"repl"}, ".quit\nreturn 1 / 0\n").status, 0);
}

TEST_F(PalenaTest, ASessionExplainsItsCommands) {
  EXPECT_EQ(daemon_.Palena({"repl"}, "quit\n").err,
            "\"quit\" is no script; the command is .quit\n");
  EXPECT_EQ(daemon_.Palena({"repl"}, ".set\n").err, "usage: .set name=value\n");
  EXPECT_EQ(daemon_.Palena({"repl"}, ".unset k\n").err,
            "there is no parameter @k; .params shows them\n");
  EXPECT_EQ(daemon_.Palena({"repl"}, ".params\n").out, "no parameters; .set name=value adds one\n");
  EXPECT_EQ(daemon_.Palena({"repl"}, ".set k=1\n.params\nreturn @k\n").out, "@k=1\n1\n");
}

TEST_F(PalenaTest, InfoIsOneObjectOfCounters) {
  const Ended ended = daemon_.Palena({"info", "--json"});
  EXPECT_THAT(ended.out, MatchesRegex("\\{[^\n]*\\}\n"));
  EXPECT_THAT(ended.out, HasSubstr(R"("connections_open":1)"));
}

}  // namespace
}  // namespace palena::app
