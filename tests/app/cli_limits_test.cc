#include "app/cli_limits_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "app/cli_options.h"

namespace palena::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

struct Parsed {
  CliParse parse;
  std::string err;
};

Parsed Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), {"palena", "limits"});
  std::ostringstream out;
  std::ostringstream err;
  CliParse parse = ParseCli(static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {std::move(parse), err.str()};
}

LimitsOptions Limits(const std::vector<const char*>& arguments) {
  const Parsed parsed = Parse(arguments);
  EXPECT_TRUE(parsed.parse.options) << parsed.err;
  EXPECT_EQ(parsed.parse.options->command, Command::kLimits);
  return parsed.parse.options->limits;
}

std::string Complaint(const std::vector<const char*>& arguments) {
  const Parsed parsed = Parse(arguments);
  EXPECT_EQ(parsed.parse.exit_status, kExitUsage);
  return parsed.err;
}

TEST(CliLimitsTest, ReadsATakeWithItsParts) {
  const LimitsOptions take =
      Limits({"take", "login", "--subject", "a=b", "--part", "path=/x=y", "--cost", "3"});
  EXPECT_EQ(take.action, LimitsAction::kTake);
  EXPECT_EQ(take.name, "login");
  EXPECT_THAT(take.parts,
              testing::UnorderedElementsAre(Pair("subject", "a=b"), Pair("path", "/x=y")));
  EXPECT_EQ(take.cost, 3);
  EXPECT_EQ(Limits({"renew", "slots", "--owner", "me"}).owner, "me");
  EXPECT_EQ(Limits({"peek", "x"}).cost, 1);
  EXPECT_THAT(Limits({"reset", "x", "--part", "a="}).parts, ElementsAre(Pair("a", "")));
  EXPECT_EQ(Limits({"check", "f.toml"}).file, "f.toml");
  EXPECT_EQ(Limits({"list"}).action, LimitsAction::kList);
}

TEST(CliLimitsTest, TakesGlobalFlagsBehindIt) {
  EXPECT_EQ(Parse({"take", "x", "--connect", "h:1"}).parse.options->connect, "h:1");
  EXPECT_TRUE(Parse({"take", "x", "--json"}).parse.options->json);
}

TEST(CliLimitsTest, SaysWhatIsWrongAndWhatWasMeant) {
  EXPECT_THAT(Complaint({}),
              HasSubstr("limits needs a command behind it: list, check, take, peek"));
  EXPECT_THAT(Complaint({"tak"}), HasSubstr("unknown command \"tak\"; did you mean take?"));
  EXPECT_THAT(Complaint({"take", "x", "--subjet", "y"}),
              HasSubstr("unknown flag --subjet; did you mean --subject?"));
  EXPECT_THAT(
      Complaint({"reset", "x", "--cost", "1"}),
      HasSubstr("limits reset takes no --cost; these commands do: limits take, limits peek"));
  EXPECT_THAT(Complaint({"take"}), HasSubstr("name is required"));
  EXPECT_THAT(Complaint({"take", "x", "--part", "y"}), HasSubstr("\"y\" is not name=value"));
  EXPECT_THAT(Complaint({"take", "x", "--part", "a=1", "--part", "a=2"}),
              HasSubstr("the part a is given twice"));
  EXPECT_THAT(Complaint({"take", "x", "--cost", "-1"}), HasSubstr("is not a whole number"));
}

TakeResult Refused() {
  TakeResult result;
  result.retry_after_ms = 70;
  result.records.push_back({"login", false, 10, 2, 70, 1'700'000'000'000, 60'000, false});
  return result;
}

TEST(CliLimitsTest, PrintsADecisionForPeopleAndAsJson) {
  EXPECT_EQ(TakeText(Refused(), LimitsAction::kTake),
            "login: refused, limit=10 remaining=2 retry_after_ms=70 reset_at_ms=1700000000000");
  EXPECT_EQ(TakeJson(Refused(), LimitsAction::kTake),
            R"({"allowed":false,"limit":10,"remaining":2,"retry_after_ms":70,)"
            R"("reset_at_ms":1700000000000,"name":"login"})");
  TakeResult shadow = Refused();
  shadow.records[0].allowed = true;
  shadow.records[0].shadow_refused = true;
  EXPECT_THAT(TakeJson(shadow, LimitsAction::kTake), HasSubstr(R"("shadow_refused":true)"));
  EXPECT_THAT(TakeText(shadow, LimitsAction::kTake), HasSubstr("(shadow: would be refused)"));
  EXPECT_EQ(TakeJson(Refused(), LimitsAction::kRenew), R"({"held":false,"name":"login"})");
  EXPECT_EQ(TakeText(Refused(), LimitsAction::kRelease), "login: this owner holds no lease");
}

TEST(CliLimitsTest, PrintsThatTheNodeCannotDecide) {
  TakeResult undecided;
  undecided.allowed = true;
  undecided.code = "OUT_OF_MEMORY";
  undecided.reason = "full";
  EXPECT_EQ(
      TakeJson(undecided, LimitsAction::kTake),
      R"({"allowed":true,"retry_after_ms":0,"code":"OUT_OF_MEMORY","reason":"full","line":0})");
}

TEST(CliLimitsTest, ListsLimitsWithTheirCounts) {
  LimitList list;
  EXPECT_EQ(LimitListText(list), "no limits: palenad was started without --limits");
  list.file = "l.toml";
  list.limits.push_back({"login",
                         "fixed_window",
                         "k:{subject}",
                         {{"limit", "3"}},
                         true,
                         true,
                         true,
                         false,
                         5,
                         0,
                         2,
                         1});
  list.refused.push_back({"login", "anna", 2, 1});
  EXPECT_EQ(LimitListText(list),
            "login: fixed_window key=k:{subject} limit=3 durability=persistent shadow "
            "on_error=allow\n"
            "  allowed=5 denied=0 shadow_denied=2 errors=1\n"
            "most refused:\n"
            "  login anna 2 (at most 1 too many)");
  EXPECT_THAT(LimitListJson(list), HasSubstr(R"("refused":[{"limit":"login","subject":"anna")"));
}

}  // namespace
}  // namespace palena::app
