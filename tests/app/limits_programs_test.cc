// Named limits as somebody at a terminal meets them: palenad --limits and palena limits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <string>

#include "app/daemon_fixture.h"

namespace palena::app {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class LimitsProgramsTest : public testing::Test {
 protected:
  LimitsProgramsTest() { Write(10); }

  // A file in which `login` allows so many.
  void Write(int limit, const std::string& more = "") {
    std::ofstream(file_) << "[limits.login]\nlimiter = \"fixed_window\"\n"
                            "key = \"rate_limit:{user_type}:{subject}:{path}\"\nlimit = "
                         << limit
                         << "\nwindow_ms = 31536000000\n"
                            "[limits.slots]\nlimiter = \"concurrency\"\nkey = \"s:{subject}\"\n"
                            "limit = 1\nlease_ms = 600000\n"
                         << more;
  }
  static std::vector<std::string> Login(const std::string& action, const std::string& subject) {
    return {"limits", action,           "login",  "--subject", subject,
            "--part", "user_type=user", "--part", "path=/a/b"};
  }

  base::TempDir folder_;
  const std::string file_ = folder_ / "limits.toml";
};

TEST_F(LimitsProgramsTest, TenTakesPassAndTheEleventhIsRefused) {
  const Daemon daemon({"--shards", "2", "--limits", file_});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(daemon.Palena(Login("take", "anna")).status, 0);
  const Ended refused = daemon.Palena(Login("take", "anna"));
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.out, StartsWith("login: refused, limit=10 remaining=0 retry_after_ms="));
  EXPECT_EQ(daemon.Palena(Login("take", "bert")).status, 0);
  EXPECT_EQ(daemon.Palena(Login("peek", "anna")).status, 0) << "a peek is answered";
  EXPECT_EQ(daemon.Palena(Login("reset", "anna")).out, "login: reset\n");
  EXPECT_EQ(daemon.Palena(Login("take", "anna")).status, 0);
  EXPECT_THAT(daemon.Palena({"limits", "list"}).out, HasSubstr("allowed=12 denied=1 errors=0\n"));
}

TEST_F(LimitsProgramsTest, AnswersAsJson) {
  const Daemon daemon({"--shards", "2", "--limits", file_});
  std::vector<std::string> take = Login("take", "anna");
  take.insert(take.end(), {"--cost", "3", "--json"});
  EXPECT_THAT(daemon.Palena(take).out,
              MatchesRegex("\\{\"allowed\":true,\"limit\":10,\"remaining\":7,\"retry_after_ms\":0,"
                           "\"reset_at_ms\":[0-9]+,\"name\":\"login\"\\}\n"));
  EXPECT_EQ(daemon.Palena({"limits", "take", "slots", "--subject", "a", "--owner", "me"}).status,
            0);
  EXPECT_EQ(
      daemon.Palena({"limits", "renew", "slots", "--subject", "a", "--owner", "me", "--json"}).out,
      "{\"held\":true,\"name\":\"slots\"}\n");
  EXPECT_EQ(daemon.Palena({"limits", "release", "slots", "--subject", "a", "--owner", "x"}).status,
            1);
}

TEST_F(LimitsProgramsTest, SaysWhatCannotBeAsked) {
  const Daemon daemon({"--shards", "1", "--limits", file_});
  const Ended unknown = daemon.Palena({"limits", "take", "logon"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_EQ(unknown.err,
            "palena: There is no limit \"logon\"; `palena limits list` shows those that there "
            "are\n");
  const Ended missing = daemon.Palena({"limits", "take", "login", "--subject", "anna"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, HasSubstr("the part \"user_type\" is missing"));
  const Daemon without({"--shards", "1"});
  EXPECT_EQ(without.Palena({"limits", "list"}).out,
            "no limits: palenad was started without --limits\n");
}

TEST_F(LimitsProgramsTest, ChecksAFileWithoutANode) {
  const Ended good = RunToEnd("palena", {"limits", "check", file_});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_EQ(good.out, file_ +
                          ": 2 limits\n  login: fixed_window, at most 10 in 31536000000 ms\n"
                          "  slots: concurrency, at most 1 in 600000 ms\n");
  Write(-1);
  const Ended wrong = RunToEnd("palena", {"limits", "check", file_});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.err, StartsWith(file_ + ":4: [limits.login] @limit must be 0 or more: -1"));
  const Ended none = RunToEnd("palena", {"limits", "check", folder_ / "none.toml"});
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err, folder_ / "none.toml" + " cannot be read: No such file or directory\n");
}

TEST_F(LimitsProgramsTest, AWrongFileStopsTheStartWithFileLineAndReason) {
  Write(10, "[limits.x]\n");
  const Ended ended = RunToEnd(
      "palenad", {"--listen", "127.0.0.1:0", "--data-dir", folder_ / "data", "--limits", file_});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err,
            "palenad: " + file_ + ":11: [limits.x] has no limiter; write limiter = \"…\"\n");
}

TEST_F(LimitsProgramsTest, AHangupReadsTheFileAgainAndKeepsWhatWasUsed) {
  Daemon daemon({"--shards", "2", "--limits", file_});
  for (int i = 0; i < 4; ++i) daemon.Palena(Login("take", "anna"));
  Write(5);
  daemon.process().Signal(SIGHUP);
  std::string listed;
  for (int i = 0; i < 1'000 && listed.find(" limit=5 ") == std::string::npos; ++i) {
    listed = daemon.Palena({"limits", "list"}).out;
  }
  EXPECT_THAT(listed, HasSubstr(" limit=5 "));
  EXPECT_THAT(daemon.Palena(Login("take", "anna")).out, HasSubstr("limit=5 remaining=0"));
  EXPECT_EQ(daemon.Stop(), 0);
  EXPECT_EQ(daemon.process().err(), "palenad: limits reloaded from " + file_ + ": 2\n");
}

TEST_F(LimitsProgramsTest, AHangupWithAWrongFileChangesNothing) {
  Daemon daemon({"--shards", "2", "--limits", file_});
  Write(5, "[limits.x]\n");
  daemon.process().Signal(SIGHUP);
  EXPECT_THAT(daemon.Palena(Login("take", "anna")).out, HasSubstr("limit=10 remaining=9"));
  EXPECT_EQ(daemon.Stop(), 0);  // of two signals that wait the hangup is handled first
  EXPECT_EQ(daemon.process().err(), "palenad: the limits stay as they were: " + file_ +
                                        ":11: [limits.x] has no limiter; write limiter = \"…\"\n");
}

TEST_F(LimitsProgramsTest, PersistentLimitsSurviveAKill) {
  std::ofstream(file_) << "[limits.paid]\nlimiter = \"token_bucket\"\nkey = \"p:{subject}\"\n"
                          "capacity = 5\nrefill_tokens = 0\nrefill_ms = 1000\n"
                          "durability = \"persistent\"\n";
  Daemon daemon({"--shards", "2", "--limits", file_});
  EXPECT_EQ(daemon.Palena({"limits", "take", "paid", "--subject", "a", "--cost", "4"}).status, 0);
  daemon.Stop(SIGKILL);
  daemon.Start();
  EXPECT_EQ(daemon.Palena({"limits", "take", "paid", "--subject", "a", "--cost", "2"}).status, 1);
  EXPECT_EQ(daemon.Palena({"limits", "take", "paid", "--subject", "a", "--cost", "1"}).status, 0);
}

}  // namespace
}  // namespace palena::app
