// palenad as a user meets it: a process, its ready line, its complaints, its end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/daemon_fixture.h"

namespace palena::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

// Cannot start: status 2, one line on standard error that holds `reason`, nothing else.
void ExpectRefuses(const std::vector<std::string>& arguments, const std::string& reason) {
  const Ended ended = RunToEnd("palenad", arguments);
  EXPECT_EQ(ended.status, 2) << ended.out << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, MatchesRegex("palenad: [^\n]+\n"));
  EXPECT_THAT(ended.err, HasSubstr(reason));
}

// With everything else in order.
void ExpectRefusesFlags(const std::vector<std::string>& flags, const std::string& reason) {
  const base::TempDir directory;
  std::vector<std::string> arguments = {"--data-dir", directory / "data"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  ExpectRefuses(arguments, reason);
}

void ExpectRefusesDirectory(const std::string& data_dir, const std::string& reason) {
  ExpectRefuses({"--listen", "127.0.0.1:0", "--data-dir", data_dir}, reason);
}

TEST(DaemonTest, SaysInOneLineThatItCanServe) {
  const Daemon daemon({"--shards", "2", "--node-id", "7"});
  EXPECT_THAT(daemon.ready(),
              MatchesRegex("ready listen=127\\.0\\.0\\.1:[0-9]+ node_id=7 boot_id=[0-9a-f]+ "
                           "shards=2"));
  EXPECT_EQ(daemon.Palena({"ping"}).status, 0);
}

TEST(DaemonTest, ServesHttpWhenAskedToAndSaysWhere) {
  const Daemon daemon({"--shards", "2", "--http", "127.0.0.1:0"});
  EXPECT_THAT(daemon.ready(), MatchesRegex("ready listen=[0-9.:]+ node_id=1 boot_id=[0-9a-f]+ "
                                           "shards=2 http=127\\.0\\.0\\.1:[0-9]+"));
  EXPECT_THAT(daemon.ready(), Not(HasSubstr("http=" + daemon.address())));
}

TEST(DaemonTest, RefusesHttpWhereItMayNotServe) {
  const Daemon daemon({"--http", "127.0.0.1:0"});
  const std::string taken = daemon.ready().substr(daemon.ready().find("http=") + 5);
  ExpectRefusesFlags({"--listen", "127.0.0.1:0", "--http", taken},
                     "--http: cannot listen on " + taken);
  ExpectRefusesFlags({"--http", "0.0.0.0:0"}, "--insecure");
  ExpectRefusesFlags({"--http", "80"}, "--http: \"80\" is no address");
  ExpectRefusesFlags({"--http-max-connections", "0"}, "--http-max-connections");
}

TEST(DaemonTest, HelpAndVersionAreAnsweredWithoutANode) {
  const Ended help = RunToEnd("palenad", {"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("--data-dir"));
  const Ended version = RunToEnd("palenad", {"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("palenad "));
}

// See docs/testing.md.
TEST(DaemonTest, HostileModeIsThereAndNotAdvertised) {
  EXPECT_THAT(RunToEnd("palenad", {"--help"}).out, Not(HasSubstr("hostile")));
  const Daemon hostile({"--shards", "1", "--hostile"});
  ASSERT_EQ(hostile.Palena({"eval", "for i in 1..100 do let x = i end eset k 1"}).status, 0);
  EXPECT_EQ(hostile.Palena({"eval", "eget k"}).out, "1\n");
  const std::string counters = hostile.Palena({"info", "--json"}).out;
  EXPECT_THAT(counters, HasSubstr("\"runs_fast_path\":0"));
  EXPECT_THAT(counters, Not(HasSubstr("\"slices\":0")));
  EXPECT_THAT(counters, Not(HasSubstr("\"programs_evicted\":0")));
}

TEST(DaemonTest, RefusesBadFlagsInOneLine) {
  ExpectRefusesFlags({"--nonsense"}, "--nonsense");
  ExpectRefusesFlags({"stray"}, "stray");
  ExpectRefusesFlags({"--shards", "0"}, "--shards");
  ExpectRefusesFlags({"--shards", "1000"}, "--shards");
  ExpectRefusesFlags({"--shards", "many"},
                     "--shards: \"many\" is not a whole number from 1 to 256");
  ExpectRefusesFlags({"--node-id", "0"}, "--node-id");
  ExpectRefusesFlags({"--node-id", "65536"}, "--node-id");
  ExpectRefusesFlags({"--eviction", "sometimes"}, "--eviction: 'sometimes' is none of: lru, none");
  ExpectRefusesFlags({"--eviction", "1"}, "'1' is none of");
  ExpectRefusesFlags({"--fast-path", "maybe"}, "--fast-path: 'maybe' is none of: off, on");
  ExpectRefusesFlags({"--max-memory", "lots"}, "--max-memory: \"lots\" is no size");
  ExpectRefusesFlags({"--max-memory", "1.5GiB"}, "--max-memory: \"1.5GiB\" is no size");
  ExpectRefusesFlags({"--max-memory", "1k", "--shards", "2"},
                     "--max-memory): 1024 bytes are too few for 2 shards; give at least 2097152");
  ExpectRefusesFlags({"--revision-retention-count", "few"},
                     "--revision-retention-count: \"few\" is not a whole number");
  ExpectRefusesFlags({"--revision-retention-age", "7"},
                     "--revision-retention-age: \"7\" is no time; write a whole number of ms, s");
  ExpectRefusesFlags({"--max-connections", "0"}, "--max-connections");
  ExpectRefusesFlags({"--data-dir"}, "--data-dir");
}

TEST(DaemonTest, RefusesAddressesThatItCannotOrMustNotServeOn) {
  ExpectRefusesFlags({"--listen", "127.0.0.1:70000"}, "70000");
  ExpectRefusesFlags({"--listen", "127.0.0.1:port"}, "port");
  ExpectRefusesFlags({"--listen", "127.0.0.1"}, "127.0.0.1");
  ExpectRefusesFlags({"--listen", ""}, "--listen: ");
  ExpectRefusesFlags({"--listen", "bad"}, "--listen: \"bad\" is no address");
  ExpectRefusesFlags({"--listen", "0.0.0.0:0"}, "--insecure");
  ExpectRefusesFlags({"--listen", "[::]:0"}, "--insecure");
  ExpectRefusesFlags({"--listen", "192.0.2.1:0", "--insecure"}, "192.0.2.1");
}

TEST(DaemonTest, RefusesAPortThatIsTaken) {
  const Daemon daemon;
  ExpectRefusesFlags({"--listen", daemon.address()}, daemon.address());
}

TEST(DaemonTest, ServesBeyondLoopbackWhenItIsTold) {
  const base::TempDir directory;
  Process process("palenad", {"--listen", "0.0.0.0:0", "--insecure", "--data-dir",
                              directory / "data", "--shards", "1"});
  EXPECT_THAT(process.ReadLine(), StartsWith("ready listen=0.0.0.0:"));
  process.Signal(SIGINT);
  EXPECT_EQ(process.Wait(), 0);
}

TEST(DaemonTest, RefusesADataDirectoryThatItCannotUse) {
  const base::TempDir directory;
  const std::string file = directory / "file";
  std::ofstream(file) << "text";
  ExpectRefusesDirectory(file, "is not a directory");
  ExpectRefusesDirectory(file + "/data", file);
  ExpectRefusesDirectory(directory / "missing/data", "create its parent");
  ExpectRefusesDirectory("/proc/palena-data", "/proc/palena-data");
  ExpectRefusesDirectory(directory.path(), "holds no data of a node, but other files: file");
  ExpectRefusesDirectory("", "--data-dir: the directory's name is empty");
}

TEST(DaemonTest, RefusesADataDirectoryThatAnotherOneUses) {
  const Daemon daemon;
  ExpectRefusesDirectory(daemon.data_dir(),
                         "'" + daemon.data_dir() + "' is in use by another process; stop it");
  EXPECT_EQ(daemon.Palena({"ping"}).status, 0);
}

TEST(DaemonTest, TakesFlagsFromAFileAndRefusesUnknownOnes) {
  const base::TempDir directory;
  std::ofstream(directory / "good.toml") << "listen = \"127.0.0.1:0\"\nshards = 3\n";
  Process process("palenad",
                  {"--config", directory / "good.toml", "--data-dir", directory / "data"});
  EXPECT_THAT(process.ReadLine(), HasSubstr(" shards=3"));
  std::ofstream(directory / "bad.toml") << "lisssten = \"127.0.0.1:0\"\n";
  ExpectRefusesFlags({"--config", directory / "bad.toml"}, "lisssten");
  std::ofstream(directory / "worse.toml") << "shards = 1000\n";
  ExpectRefusesFlags({"--config", directory / "worse.toml"}, "shards");
  ExpectRefusesFlags({"--config", directory / "missing.toml"}, "missing.toml");
  ExpectRefusesFlags({"--config", directory.path()}, "is a folder");
  ExpectRefusesFlags({"--config", ""}, "--config");
}

TEST(DaemonTest, HelpFitsIntoATerminal) {
  for (const auto& [program, arguments] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"palenad", {"--help"}},
           {"palena-bench", {"--help"}},
           {"palena", {"--help"}},
           {"palena", {"run", "--help"}},
           {"palena", {"eval", "--help"}},
           {"palena", {"batch", "--help"}}}) {
    std::istringstream help(RunToEnd(program, arguments).out);
    for (std::string line; std::getline(help, line);) {
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // begins a character
      });
      EXPECT_LE(columns, 100) << program << ": " << line;
      EXPECT_THAT(line, testing::Not(testing::ContainsRegex("UINT|FLOAT|TEXT|kb\\(")));
    }
  }
}

TEST(DaemonTest, DoesNotStartWhenNobodyCouldReadThatItIsReady) {
  const base::TempDir directory;
  const Ended ended = RunOnFullDisk(
      "palenad", {"--listen", "127.0.0.1:0", "--data-dir", directory / "data", "--shards", "1"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, MatchesRegex("palenad: the ready line cannot be written [^\n]+\n"));
  EXPECT_EQ(RunOnFullDisk("palenad", {"--help"}).status, 4);
}

TEST(DaemonTest, ASecondSignalEndsItAtOnceAndSaysSo) {
  Daemon daemon;
  // While it is stopped they gather, so that the second cannot come after the end. Two kinds: one
  // that is sent twice may arrive once.
  for (const int signal : {SIGSTOP, SIGINT, SIGTERM}) daemon.process().Signal(signal);
  EXPECT_EQ(daemon.Stop(SIGCONT), 1);
  EXPECT_THAT(daemon.process().err(), MatchesRegex("palenad: a second signal[^\n]+\n"));
}

TEST(DaemonTest, EndsBySignalInTimeAndKeepsWhatIsPersistent) {
  Daemon daemon;
  ASSERT_EQ(daemon.Palena({"eval", "set kept \"yes\" eset gone \"yes\""}).status, 0);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(daemon.Stop(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_THAT(daemon.process().err(), IsEmpty());

  daemon.Start();
  EXPECT_EQ(daemon.Palena({"eval", "get kept"}).out, "yes\n");
  EXPECT_THAT(daemon.Palena({"eval", "--json", "eget gone"}).out,
              StartsWith(R"({"type":"does_not_exist")"));
}

TEST(DaemonTest, KeepsWhatWasAnsweredWhenItIsKilled) {
  Daemon daemon;
  ASSERT_EQ(daemon.Palena({"eval", "set kept \"yes\""}).status, 0);
  EXPECT_EQ(daemon.Stop(SIGKILL), 128 + SIGKILL);
  daemon.Start();
  EXPECT_EQ(daemon.Palena({"eval", "get kept"}).out, "yes\n");
}

TEST(DaemonTest, EveryStartHasABootIdOfItsOwn) {
  Daemon daemon;
  const std::string first = daemon.ready().substr(daemon.ready().find("boot_id"));
  ASSERT_EQ(daemon.Stop(SIGINT), 0);
  daemon.Start();
  EXPECT_NE(daemon.ready().substr(daemon.ready().find("boot_id")), first);
}

}  // namespace
}  // namespace palena::app
