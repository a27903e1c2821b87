#include "limits/limits_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/read_file.h"
#include "base/temp_dir.h"

namespace palena::limits {
namespace {

constexpr const char* kFile = "limits.toml";

std::string Complaint(std::string_view text) {
  const auto set = ParseLimits(text, kFile);
  return set.ok() ? "accepted" : std::string(set.status().message());
}

// A good limit, with `lines` at its end: from line 6 on.
std::string Login(const std::string& lines) {
  return "[limits.login]\nlimiter = \"fixed_window\"\nkey = \"login:{subject}\"\nlimit = 10\n"
         "window_ms = 60000\n" +
         lines;
}

void Write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

TEST(LimitsFileTest, ReadsWhatEveryKeySays) {
  const auto set = ParseLimits(R"(
[limits.login]
limiter    = "fixed_window"
key        = "rate_limit:{user_type}:{subject}:{path}"
limit      = 10
window_ms  = 60000
durability = "persistent"
shadow     = true
on_error   = "allow"
)",
                               kFile);
  ASSERT_TRUE(set.ok()) << set.status();
  const Limit* const login = (*set)->Find("login");
  ASSERT_NE(login, nullptr);
  EXPECT_EQ(login->limiter, "fixed_window");
  EXPECT_EQ(login->key.text(), "rate_limit:{user_type}:{subject}:{path}");
  EXPECT_EQ(login->durability, model::Durability::kPersistent);
  EXPECT_TRUE(login->is_shadow);
  EXPECT_EQ(login->on_error, OnError::kAllow);
  EXPECT_EQ(login->quota, 10);
  EXPECT_EQ(login->window_ms, 60'000);
  EXPECT_FALSE(login->has_leases());
  EXPECT_EQ((*set)->Find("logon"), nullptr);
}

TEST(LimitsFileTest, TakesTheCarefulChoiceForWhatIsLeftOut) {
  const auto set = ParseLimits(Login(""), kFile);
  ASSERT_TRUE(set.ok()) << set.status();
  const Limit& login = (*set)->limits().front();
  EXPECT_EQ(login.durability, model::Durability::kEphemeral);
  EXPECT_FALSE(login.is_shadow);
  EXPECT_EQ(login.on_error, OnError::kDeny);
}

TEST(LimitsFileTest, KeepsTheOrderOfTheFile) {
  const auto set = ParseLimits(
      "limits.z = {limiter = \"fixed_window\", key = \"z\", limit = 1, window_ms = 1}\n"
      "limits.a = {limiter = \"fixed_window\", key = \"a\", limit = 1, window_ms = 1}\n",
      kFile);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ((*set)->limits().front().name, "z");
}

TEST(LimitsFileTest, AcceptsAFileWithoutLimits) {
  EXPECT_EQ(Complaint(""), "accepted");
}

TEST(LimitsFileTest, KnowsWindowAndQuotaOfEveryBuiltInLimiter) {
  const auto set = ParseLimits(R"(
[limits.bucket]
limiter = "token_bucket"
key = "b:{subject}"
capacity = 20
refill_tokens = 5
refill_ms = 1000
[limits.gone]
limiter = "token_bucket"
key = "g:{subject}"
capacity = 20
refill_tokens = 0
refill_ms = 1000
[limits.slots]
limiter = "concurrency"
key = "s:{subject}"
limit = 3
lease_ms = 5000
)",
                               kFile);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ((*set)->Find("bucket")->quota, 20);
  EXPECT_EQ((*set)->Find("bucket")->window_ms, 4'000);
  EXPECT_EQ((*set)->Find("gone")->window_ms, 0);
  EXPECT_EQ((*set)->Find("slots")->quota, 3);
  EXPECT_EQ((*set)->Find("slots")->window_ms, 5'000);
  EXPECT_TRUE((*set)->Find("slots")->has_leases());
}

TEST(LimitsFileTest, NamesFileLineAndReasonOfWhatIsNoToml) {
  EXPECT_EQ(Complaint("[limits.login]\nlimit = = 3\n"),
            "limits.toml:2: Error while parsing value: could not determine value type");
  EXPECT_THAT(Complaint(Login("limit = 11\n")), testing::StartsWith("limits.toml:6: "));
  EXPECT_THAT(Complaint("[limits.a]\n[limits.a]\n"), testing::StartsWith("limits.toml:2: "));
}

TEST(LimitsFileTest, NamesFileLineAndReasonOfWhatIsNoLimit) {
  EXPECT_EQ(Complaint("limit = 3\n"),
            "limits.toml:1: unknown key \"limit\"; beside tables [limits.NAME] there is limiters; "
            "did you mean limits?");
  EXPECT_EQ(Complaint("limits = 3\n"),
            "limits.toml:1: limits is no table; write [limits.NAME] above each limit");
  EXPECT_EQ(Complaint("[limits]\nlogin = 3\n"),
            "limits.toml:2: limits.login is no table; write [limits.NAME] above each");
  EXPECT_EQ(Complaint("\n[limits.\"a b\"]\n"),
            "limits.toml:2: [limits.a b] a name is of at most 64 letters, digits, _, - and .");
  EXPECT_EQ(Complaint("\n[limits.login]\nkey = \"k\"\n"),
            "limits.toml:2: [limits.login] has no limiter; write limiter = \"…\"");
  EXPECT_EQ(Complaint("[limits.login]\nlimiter = \"fixed_window\"\n"),
            "limits.toml:1: [limits.login] has no key; write key = \"…\"");
  EXPECT_EQ(Complaint("[limits.login]\nlimiter = 3\nkey = \"k\"\n"),
            "limits.toml:2: [limits.login] limiter is 3, not a \"text\"");
}

TEST(LimitsFileTest, NamesFileLineAndReasonOfAWrongChoice) {
  EXPECT_EQ(Complaint(Login("durability = \"forever\"\n")),
            "limits.toml:6: [limits.login] durability is \"forever\"; it is \"ephemeral\" or "
            "\"persistent\"");
  EXPECT_EQ(Complaint(Login("on_error = false\n")),
            "limits.toml:6: [limits.login] on_error is \"false\"; it is \"deny\" or \"allow\"");
  EXPECT_EQ(Complaint(Login("shadow = \"yes\"\n")),
            "limits.toml:6: [limits.login] shadow is yes; it is true or false, without quotes");
}

TEST(LimitsFileTest, NamesFileLineAndReasonOfAWrongKey) {
  EXPECT_EQ(Complaint("[limits.a]\nlimiter = \"fixed_window\"\nkey = \"{a}{b}\"\n"),
            "limits.toml:3: [limits.a] key \"{a}{b}\": put a : between {a} and {b}, or two callers "
            "may share a counter");
}

TEST(LimitsFileTest, NamesFileLineAndReasonOfAWrongLimiter) {
  EXPECT_EQ(Complaint("[limits.a]\nkey = \"k\"\nlimiter = \"fixed_windw\"\n"),
            "limits.toml:3: [limits.a] there is no limiter \"fixed_windw\"; did you mean "
            "fixed_window?");
  EXPECT_EQ(
      Complaint("[limits.a]\nkey = \"k\"\nlimiter = \"../a\"\n"),
      "limits.toml:3: [limits.a] limiter \"../a\" is no name; a name is of letters, digits, _ "
      "and -, without .pal");
}

TEST(LimitsFileTest, NamesFileLineAndReasonOfAWrongParameter) {
  EXPECT_EQ(Complaint(Login("windw_ms = 3\n")),
            "limits.toml:6: [limits.login] unknown key \"windw_ms\"; did you mean window_ms?");
  EXPECT_EQ(
      Complaint(Login("segments = 3\n")),
      "limits.toml:6: [limits.login] unknown key \"segments\"; the parameters of fixed_window "
      "are limit, window_ms");
  EXPECT_EQ(Complaint(Login("cost = 3\n")),
            "limits.toml:6: [limits.login] cost is what each call says; leave it out");
  EXPECT_EQ(Complaint(Login("weight = 1.5\n")),
            "limits.toml:6: [limits.login] weight is a number with a fraction; write a whole "
            "number, a \"text\", true or false");
  EXPECT_EQ(Complaint("[limits.a]\nlimiter = \"fixed_window\"\nkey = \"k\"\nlimit = 3\n"),
            "limits.toml:1: [limits.a] has no window_ms; fixed_window takes limit, window_ms");
}

// There is no second set of rules: what the script says is told at the line of the parameter.
TEST(LimitsFileTest, LetsTheScriptJudgeItsParameters) {
  const std::string begin = "[limits.a]\nlimiter = \"fixed_window\"\nkey = \"k\"\n";
  EXPECT_THAT(
      Complaint(begin + "limit = 3\nwindow_ms = 0\n"),
      testing::StartsWith("limits.toml:5: [limits.a] @window_ms must be 1 or more: 0 at line "));
  EXPECT_THAT(
      Complaint(begin + "limit = -1\nwindow_ms = 5\n"),
      testing::StartsWith("limits.toml:4: [limits.a] @limit must be 0 or more: -1 at line "));
  EXPECT_THAT(Complaint(begin + "window_ms = 5\nlimit = \"ten\"\n"),
              testing::StartsWith("limits.toml:5: [limits.a] "));
}

TEST(LimitsFileTest, RefusesLimitsWhoseCallersCouldShareAKey) {
  const std::string rest = "limit = 1\nwindow_ms = 1\nlimiter = \"fixed_window\"\n";
  const std::string first = "[limits.a]\nkey = \"k:{subject}\"\n" + rest;
  EXPECT_EQ(Complaint(first + "[limits.b]\nkey = \"k:{user}\"\n" + rest),
            "limits.toml:6: [limits.b] may share a key with [limits.a]: k:{user} and k:{subject}; "
            "begin each with a word of its own, such as b:");
  EXPECT_EQ(Complaint(first + "[limits.b]\nkey = \"k:{user}:x\"\n" + rest), "accepted");
  EXPECT_EQ(
      Complaint(first + "[limits.b]\nkey = \"k:{user}\"\ndurability = \"persistent\"\n" + rest),
      "accepted");
}

TEST(LimitsFileTest, RefusesMoreLimitsThanAllowed) {
  std::string text;
  for (std::size_t i = 0; i <= kLimitsMax; ++i) {
    const std::string name = "a" + std::to_string(i);
    text += "[limits." + name +
            "]\nlimiter = \"fixed_window\"\nlimit = 1\nwindow_ms = 1\nkey = \"" + name +
            ":{subject}\"\n";
  }
  EXPECT_EQ(Complaint(text), "limits.toml:5001: 1001 limits, at most 1000 are allowed");
  EXPECT_EQ(Complaint(text.substr(0, text.rfind("[limits."))), "accepted");
}

TEST(LimitsFileTest, SaysWhyAFileCannotBeRead) {
  const base::TempDir folder;
  EXPECT_EQ(ReadLimitsFile(folder / "none.toml").status().message(),
            folder / "none.toml" + " cannot be read: No such file or directory");
  EXPECT_EQ(ReadLimitsFile(folder.path()).status().message(),
            folder.path() + " is a folder; name a file");
  Write(folder / "long.toml", std::string(kLimitsFileBytesMax + 1, '\n'));
  EXPECT_EQ(ReadLimitsFile(folder / "long.toml").status().message(),
            folder / "long.toml" + " has more than the 1048576 bytes that are allowed");
}

// A folder of the user's own, beside the file.
class OwnLimitersTest : public testing::Test {
 protected:
  OwnLimitersTest() { std::filesystem::create_directory(folder_ / "mine"); }

  void Script(const std::string& name, const std::string& text) {
    Write(folder_ / "mine/" + name + ".pal", text);
  }
  // What the file says of a limit of this limiter.
  std::string Complaint(const std::string& limiter, const std::string& lines = "") {
    const std::string file = folder_ / "limits.toml";
    Write(file, "limiters = \"mine\"\n[limits.a]\nlimiter = \"" + limiter +
                    "\"\nkey = \"a:{subject}\"\n" + lines);
    const auto set = ReadLimitsFile(file);
    if (set.ok()) return "accepted";
    const std::string message(set.status().message());
    EXPECT_TRUE(message.starts_with(file)) << message;
    std::string rest = message.substr(file.size());
    const std::size_t place = rest.find(folder_.path());
    if (place != std::string::npos) rest.replace(place, folder_.path().size(), "FOLDER");
    return rest;
  }

  base::TempDir folder_;
};

constexpr const char* kGenerous =
    "if @cost == 0 then return [1, 1000, 1000, 0, hlc()] end\n"
    "eset @key @cost norev ex 1000\nreturn [1, 1000, 1000, 0, hlc()]\n";

TEST_F(OwnLimitersTest, AreFoundBesideTheFile) {
  Script("generous", kGenerous);
  EXPECT_EQ(Complaint("generous"), "accepted");
  EXPECT_EQ(Complaint("fixed_window", "limit = 1\nwindow_ms = 1\n"), "accepted");
}

TEST_F(OwnLimitersTest, GoBeforeBuiltInOnes) {
  Script("fixed_window", kGenerous);
  EXPECT_EQ(Complaint("fixed_window"), "accepted");
}

TEST_F(OwnLimitersTest, AreToldWithTheirFileAndLineWhenTheyDoNotCompile) {
  Script("bad", "let a = 1\nlet let\n");
  EXPECT_THAT(Complaint("bad"), testing::StartsWith(":3: [limits.a] FOLDER/mine/bad.pal: "));
  EXPECT_THAT(Complaint("bad"), testing::HasSubstr("at line 2"));
}

TEST_F(OwnLimitersTest, AreRefusedWhenTheyAreNoLimiters) {
  Script("shy", "return 1 + to_int(@cost) + length(@key)\n");
  EXPECT_EQ(Complaint("shy"),
            ":3: [limits.a] shy is no limiter: a limiter answers [allowed, limit, remaining, "
            "retry_after_ms, reset_at_ms], whole numbers");
  Script("keyless", "return to_int(@cost)\n");
  EXPECT_EQ(Complaint("keyless"),
            ":3: [limits.a] FOLDER/mine/keyless.pal: it has no parameter @key, which is where a "
            "limit keeps its state");
  Script("costless", "eget @key return [1, 1, 1, 0, 0]\n");
  EXPECT_THAT(Complaint("costless"), testing::HasSubstr("a limiter has a parameter @cost"));
  Script("begins", "begin set @key @cost commit end\n");
  EXPECT_THAT(Complaint("begins"), testing::HasSubstr("a begin block cannot be taken together"));
  Script("lasting", "set @key @cost return [1, 1, 1, 0, 0]\n");
  EXPECT_THAT(Complaint("lasting"),
              testing::HasSubstr("at line 1 it uses persistent keys, while durability is"));
  EXPECT_EQ(Complaint("lasting", "durability = \"persistent\"\n"),
            ":3: [limits.a] lasting writes at @cost 0, which is a peek and must not");
  Script("slow", "sleep 10 eset @key @cost return [1, 1, 1, 0, 0]\n");
  EXPECT_THAT(Complaint("slow"), testing::HasSubstr("it waits, where it must answer at once"));
}

TEST_F(OwnLimitersTest, NeedAllThreeScriptsForLeases) {
  Script("seat_acquire", "eget @key return [1, 1, 1, 0, length(@owner)]\n");
  EXPECT_EQ(Complaint("seat"), ":3: [limits.a] there is no script seat_renew.pal");
  Script("seat_renew", "eget @key return length(@owner) > 100\n");
  Script("seat_release", "eget @key return 0 * length(@owner)\n");
  EXPECT_EQ(Complaint("seat"),
            ":3: [limits.a] renew and release answer 1 or 0, and this one does not");
  Script("seat_renew", "eget @key return 0 * length(@owner)\n");
  EXPECT_EQ(Complaint("seat"), "accepted");
  EXPECT_EQ(Complaint("seat_acquire"), "accepted");
}

TEST_F(OwnLimitersTest, AreMissedWithTheNameOfTheFolder) {
  const auto set = ParseLimits("\nlimiters = \"none\"\n", folder_ / "limits.toml");
  EXPECT_EQ(set.status().message(),
            folder_ / "limits.toml" + ":2: limiters: there is no folder " + (folder_ / "none"));
}

}  // namespace
}  // namespace palena::limits
