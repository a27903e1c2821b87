#include "limits/key_template.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/limits.h"

namespace palena::limits {
namespace {

using model::TakePart;

KeyTemplate Parsed(std::string_view text) {
  auto parsed = KeyTemplate::Parse(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return *std::move(parsed);
}

std::string Refusal(std::string_view text) {
  const auto parsed = KeyTemplate::Parse(text);
  return parsed.ok() ? "accepted" : std::string(parsed.status().message());
}

std::string Key(const KeyTemplate& key, const std::vector<TakePart>& parts) {
  std::string made;
  const base::Status status = key.AppendKey(parts, made);
  return status.ok() ? made : "refused: " + std::string(status.message());
}

TEST(KeyTemplateTest, PutsPartsInTheirPlaces) {
  const KeyTemplate key = Parsed("rate_limit:{user_type}:{subject}:{path}");
  EXPECT_EQ(Key(key, {{"subject", "anna"}, {"path", "/Test/limited"}, {"user_type", "user"}}),
            "rate_limit:user:anna:/Test/limited");
}

TEST(KeyTemplateTest, EscapesWhatWouldEndAPart) {
  const KeyTemplate key = Parsed("k:{a}");
  EXPECT_EQ(Key(key, {{"a", "x%:{}/"}}), "k:x%25%3A%7B%7D/");
  EXPECT_EQ(Key(key, {{"a", ""}}), "k:");
  EXPECT_EQ(Key(key, {{"a", "%3A"}}), "k:%253A");
}

TEST(KeyTemplateTest, HasNoPartsAtAllForOneCounterOfEverybody) {
  EXPECT_EQ(Key(Parsed("everybody"), {}), "everybody");
}

TEST(KeyTemplateTest, TakesTheSamePartTwice) {
  EXPECT_EQ(Key(Parsed("{a}:x:{a}"), {{"a", "1"}}), "1:x:1");
}

TEST(KeyTemplateTest, RefusesWhatIsNoTemplate) {
  EXPECT_EQ(Refusal(""), "key \"\": it is empty; write one such as \"login:{subject}\"");
  EXPECT_EQ(Refusal("a}b"), "key \"a}b\": a } without a {");
  EXPECT_EQ(Refusal("a{b"), "key \"a{b\": a { without a }");
  EXPECT_EQ(Refusal("a{b{c}"), "key \"a{b{c}\": a { without a }");
  EXPECT_EQ(Refusal("a:{}"), "key \"a:{}\": \"{}\" is no part: a name is of letters, digits and _");
  EXPECT_EQ(Refusal("{a b}"),
            "key \"{a b}\": \"{a b}\" is no part: a name is of letters, digits and _");
  EXPECT_EQ(Refusal(std::string(base::kKeyBytesMax + 1, 'x')),
            "key of more than 1024 bytes, the longest that there is");
}

TEST(KeyTemplateTest, RefusesPartsThatRunIntoEachOther) {
  EXPECT_EQ(Refusal("{a}{b}"),
            "key \"{a}{b}\": put a : between {a} and {b}, or two callers may share a counter");
  EXPECT_EQ(Refusal("x:{a}/{b}"),
            "key \"x:{a}/{b}\": put a : between {a} and {b}, or two callers may share a counter");
}

TEST(KeyTemplateTest, NamesThePartThatIsMissingUnknownOrDoubled) {
  const KeyTemplate key = Parsed("k:{a}:{b}");
  EXPECT_EQ(Key(key, {{"a", "1"}}), "refused: the part \"b\" is missing; the key is k:{a}:{b}");
  EXPECT_EQ(Key(key, {{"a", "1"}, {"b", "2"}, {"c", "3"}}),
            "refused: there is no part \"c\"; the key is k:{a}:{b}");
  EXPECT_EQ(Key(key, {{"a", "1"}, {"b", "2"}, {"a", "1"}}),
            "refused: the part \"a\" is given twice");
}

TEST(KeyTemplateTest, RefusesKeysThatTheStoreWouldRefuse) {
  EXPECT_EQ(Key(Parsed("{a}"), {{"a", ""}}), "refused: all parts are empty, and so is the key");
  EXPECT_EQ(Key(Parsed("k:{a}"), {{"a", std::string(1'021, ':')}}),
            "refused: the parts make a key of 3065 bytes, at most 1024 are allowed");
  EXPECT_EQ(Key(Parsed("k:{a}"), {{"a", std::string(1'022, 'x')}}).size(), base::kKeyBytesMax);
}

// The bytes that matter to a key, and two that do not.
std::string RandomPart(std::mt19937& random) {
  static constexpr std::string_view kBytes = "%:{}/ab23578ABDE\0\xff";
  std::string part;
  const std::size_t size = random() % 6;
  while (part.size() < size) part.push_back(kBytes[random() % kBytes.size()]);
  return part;
}

TEST(KeyTemplateTest, NoTwoSetsOfPartsShareAKey) {
  std::mt19937 random(7);
  for (const char* const text : {"rl:{a}:{b}:{c}", "{a}:{b}:{c}", "%3A{a}%:%{b}%25:{c}%7D",
                                 "{a}::{b}/:/{c}", "x{a}3A:{b}:A{c}:{a}"}) {
    const KeyTemplate key = Parsed(text);
    std::map<std::string, std::vector<std::string>> seen;
    for (int i = 0; i < 40'000; ++i) {
      const std::vector<std::string> parts{RandomPart(random), RandomPart(random),
                                           RandomPart(random)};
      const std::string made = Key(key, {{"a", parts[0]}, {"b", parts[1]}, {"c", parts[2]}});
      const auto [place, is_new] = seen.emplace(made, parts);
      ASSERT_TRUE(is_new || place->second == parts) << text << " makes " << made << " twice";
    }
  }
}

TEST(KeyTemplateTest, TellsWhetherTwoTemplatesCanMakeTheSameKey) {
  const auto meet = [](std::string_view a, std::string_view b) {
    EXPECT_EQ(Parsed(a).MayMeet(Parsed(b)), Parsed(b).MayMeet(Parsed(a)));
    return Parsed(a).MayMeet(Parsed(b));
  };
  EXPECT_TRUE(meet("rl:{subject}", "rl:{user}"));
  EXPECT_TRUE(meet("rl:{subject}", "{kind}:{subject}"));
  EXPECT_TRUE(meet("rl:{subject}", "rl:all"));
  EXPECT_TRUE(meet("{a}:x", "y:{b}"));
  EXPECT_TRUE(meet("a{x}c", "ab{y}"));
  EXPECT_FALSE(meet("rl:{subject}", "rl:{subject}:{path}"));
  EXPECT_FALSE(meet("login:{subject}", "search:{subject}"));
  EXPECT_FALSE(meet("rl:{subject}", "all"));
  EXPECT_FALSE(meet("a{x}c", "a{y}d"));
}

}  // namespace
}  // namespace palena::limits
