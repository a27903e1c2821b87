// The limiters of scripts/limits answer as their models do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "limits/picture.h"
#include "limits/trial.h"

namespace palena::limits {
namespace {

using testing::HasSubstr;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kTakes = 10'000;
#else
constexpr int kTakes = 100'000;
#endif
constexpr int kCallsOfStory = 1'000;

// LIMITS_TAKES: how many calls of each limiter (make limits-long).
int Takes() {
  const char* const text = std::getenv("LIMITS_TAKES");
  return text == nullptr ? kTakes : std::atoi(text);
}

const std::vector<std::string> kLimiters = {
    "fixed_window", "first_hit_window",   "sliding_window", "sliding_log", "token_bucket",
    "gcra",         "concurrency_acquire"};

bool IsBucket(const std::string& limiter) {
  return limiter == "token_bucket" || limiter == "gcra";
}

// Values that are no state of the limiter, whenever they expire.
std::vector<std::string> StatesOfOthers(const std::string& limiter) {
  std::vector<std::string> values = {
      "",        " ",     "abc",       "-5",   "0", "1.5", "5 ada", "5 5", "1 2 3", "1/2/3",
      "1:2:3:4", "a:b:c", "{\"a\":1}", "\xff", ",", ",5,", ",,",    "5/",  "/5",    "::"};
  if (limiter != "fixed_window") values.push_back("5");
  return values;
}

// Calls of every script that works on its state.
std::vector<Call> OrdinaryCalls(const std::string& limiter) {
  Call take{limiter, {{"key", "k"}, {"cost", "1"}, {"limit", "5"}, {"window_ms", "60000"}}};
  for (const auto& [name, text] : Parameters{{"segments", "6"},
                                             {"capacity", "5"},
                                             {"refill_tokens", "1"},
                                             {"refill_ms", "60000"},
                                             {"max_burst", "4"},
                                             {"count", "1"},
                                             {"period_ms", "60000"},
                                             {"lease_ms", "60000"},
                                             {"owner", "ada"}}) {
    take.parameters.emplace_back(name, text);
  }
  std::vector<Call> calls = {take};
  if (limiter == "concurrency_acquire") {
    for (const char* const script : {"concurrency_renew", "concurrency_release"}) {
      calls.push_back({script, take.parameters});
    }
  } else {
    take.parameters[1].second = "0";
    calls.push_back(take);
  }
  return calls;
}

class LimiterModel : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Limiters, LimiterModel, testing::ValuesIn(kLimiters),
                         [](const auto& test) { return test.param; });

TEST_P(LimiterModel, AnswersAndWritesAsItsModelOnEphemeralAndPersistentKeys) {
  const Sources sources = LimiterSources();
  Told sum;
  for (std::uint64_t seed = 1; sum.calls < Takes() && !HasFailure(); ++seed) {
    const Keys keys = seed / 2 % 2 == 0 ? Keys::kEphemeral : Keys::kPersistent;
    const Told told = Tell({GetParam(), keys, seed, kCallsOfStory}, sources);
    ASSERT_EQ(told.difference.value_or(""), "");
    sum.calls += told.calls;
    sum.allowed += told.allowed;
    sum.denied += told.denied;
    sum.waited += told.waited;
    sum.errors += told.errors;
  }
  std::cout << "             " << sum.calls << " calls: " << sum.allowed << " allowed, "
            << sum.denied << " denied, " << sum.waited << " of them waited out, " << sum.errors
            << " errors\n";
  // A trial in which little happens shows little.
  EXPECT_GT(sum.allowed, Takes() / 10);
  EXPECT_GT(sum.denied, Takes() / 10);
  EXPECT_GT(sum.waited, Takes() / 100);
  EXPECT_GT(sum.errors, Takes() / 100);
}

// Found by a longer run: units whose new segment has begun already were taken to be as late as
// those of the segment after them.
TEST(SlidingWindow, KnowsUnitsOfTwoOldSegmentsApartWhenTheirNewOneIsTheSame) {
  const auto call = [](const std::string& segments, const std::string& cost) {
    return Call{"sliding_window",
                {{"key", "k"},
                 {"limit", "10"},
                 {"window_ms", "60000"},
                 {"segments", segments},
                 {"cost", cost}}};
  };
  Trial trial("sliding_window", LimiterSources(), Keys::kEphemeral);
  trial.Wait(2'485'000);
  EXPECT_EQ(trial.Differs(call("6", "8")).value_or(""), "");
  trial.Wait(6'487);
  EXPECT_EQ(trial.Differs(call("6", "2")).value_or(""), "");
  EXPECT_EQ(trial.Differs(call("10", "1")).value_or(""), "");
}

// A check that cannot fail shows nothing: a fault in one place of a script is found.
struct Fault {
  std::string name;
  std::string limiter;
  std::string script;
  std::string text;
  std::string instead;
};

class LimiterFault : public testing::TestWithParam<Fault> {};

INSTANTIATE_TEST_SUITE_P(
    Faults, LimiterFault,
    testing::Values(
        Fault{"OneTooMany", "fixed_window", "fixed_window", "cost <= room", "cost <= room + 1"},
        Fault{"WaitOneTooShort", "fixed_window", "fixed_window", "expires(current) - t,",
              "expires(current) - t - 1,"},
        Fault{"LostExpiry", "fixed_window", "fixed_window", "norev ex window_end - t", "norev"},
        Fault{"ChargedWhenRefused", "fixed_window", "fixed_window", "# Refused, or a peek.",
              "eset @key used + cost norev ex window_end - t"},
        Fault{"NegativeRemaining", "fixed_window", "fixed_window", "max(room, 0), -1", "room, -1"},
        Fault{"StretchedWindow", "first_hit_window", "first_hit_window", "ex window_end - t",
              "ex window"},
        Fault{"WindowEndCounts", "sliding_log", "sliding_log", "time > counts_after",
              "time >= counts_after"},
        Fault{"WaitsForOneUnitLess", "sliding_log", "sliding_log", "limit - asked + 1",
              "limit - asked + 2"},
        Fault{"RoundedForTheCaller", "sliding_window", "sliding_window", "(late + segments) * size",
              "(newest + segments) * size"},
        Fault{"KeepsTheOldSegments", "sliding_window", "sliding_window",
              "length(older) - dead_length", "length(older)"},
        Fault{"FlooredConversion", "token_bucket", "token_bucket", "+ min(remainder, 1)", ""},
        Fault{"FlooredWait", "token_bucket", "token_bucket", "min((over - 1) / refill + 1",
              "min(over / refill"},
        Fault{"TimeNotCarriedOn", "gcra", "gcra", "(t - since) * rate", "(t - since - 1) * rate"},
        Fault{"NoRenewalWhenFull", "concurrency_acquire", "concurrency_acquire",
              "(is_mine || live < limit)", "live < limit"},
        Fault{"ReleasesAnother", "concurrency_acquire", "concurrency_release",
              "if !is_mine then return 0 end", ""}),
    [](const auto& test) { return test.param.name; });

TEST_P(LimiterFault, IsFound) {
  const Fault& fault = GetParam();
  Sources sources = LimiterSources();
  std::string& source = sources.at(fault.script);
  const std::size_t at = source.find(fault.text);
  ASSERT_NE(at, std::string::npos) << "the script has changed: nothing to spoil";
  source.replace(at, fault.text.size(), fault.instead);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    if (Tell({fault.limiter, Keys::kEphemeral, seed, kCallsOfStory}, sources).difference) return;
  }
  FAIL() << "20 stories went by";
}

// What another put under the key is told, and stays.
TEST_P(LimiterModel, RefusesAValueThatIsNoStateAndKeepsIt) {
  for (const Keys keys : {Keys::kEphemeral, Keys::kPersistent}) {
    const auto node = *Node::Open({.threading = Threading::kInline});
    for (const std::string& value : StatesOfOthers(GetParam())) {
      for (const std::string& expiry : {std::string(), std::string(" ex 50000")}) {
        SCOPED_TRACE("'" + value + "'" + expiry);
        node->Execute(ScriptFor("eset k @value" + expiry, keys), {{"value", value}});
        const Result before = node->Execute(ScriptFor("eget k", keys));
        for (const Call& call : OrdinaryCalls(GetParam())) {
          const std::string source = ScriptFor(LimiterSource(call.script), keys);
          const Result result = node->Execute(source, call.parameters);
          EXPECT_EQ(result.type, ResultType::kErrored) << call.script << ": " << result.text();
        }
        const Result after = node->Execute(ScriptFor("eget k", keys));
        EXPECT_EQ(after.text(), before.text());
        EXPECT_EQ(after.values.at(0).revision, before.values.at(0).revision);
        EXPECT_EQ(after.values.at(0).expires_ms, before.values.at(0).expires_ms);
      }
    }
  }
}

// A state of one limiter is none of another: whoever changes the limiter of a key is told.
TEST_P(LimiterModel, RefusesTheStatesOfTheOtherLimiters) {
  for (const std::string& other : kLimiters) {
    const bool is_same_state = other == GetParam() || (IsBucket(other) && IsBucket(GetParam()));
    if (is_same_state) continue;
    const auto node = *Node::Open({.threading = Threading::kInline});
    const Call take = OrdinaryCalls(other).front();
    ASSERT_TRUE(node->Execute(LimiterSource(take.script), take.parameters).ok());
    for (const Call& call : OrdinaryCalls(GetParam())) {
      const Result result = node->Execute(LimiterSource(call.script), call.parameters);
      EXPECT_EQ(result.type, ResultType::kErrored) << call.script << " after " << other;
    }
  }
}

TEST(LimiterPictures, AreWhatTheScriptsDo) {
  for (const std::string& limiter : PicturedLimiters()) {
    EXPECT_TRUE(base::ReadFile(PicturePath(limiter)) == DrawPicture(limiter))
        << "docs/pictures/" << limiter << ".svg: draw it anew with `make pictures`";
  }
}

TEST(LimiterFiles, SayWhatTheirParametersAnswersAndStatesAre) {
  const auto node = *Node::Open({.threading = Threading::kInline});
  const std::string document = base::ReadFile(std::string(PALENA_SOURCE_DIR) + "/docs/limits.md");
  for (const auto& [name, source] : LimiterSources()) {
    const auto program = node->Prepare(source);
    ASSERT_TRUE(program.ok()) << name << ": " << program.status().message();
    const std::string head = source.substr(0, source.find("\n\n"));
    EXPECT_THAT(head, HasSubstr("# Answers ")) << name;
    EXPECT_THAT(head, HasSubstr("# State: ")) << name;
    for (const std::string& parameter : program->parameters()) {
      EXPECT_THAT(head, HasSubstr("#   " + parameter + " ")) << name;
      EXPECT_THAT(document, HasSubstr("`" + parameter + "`")) << name;
    }
    EXPECT_THAT(document, HasSubstr("`" + name + ".pal`"));
  }
}

}  // namespace
}  // namespace palena::limits
