// What the documents say of scripts is what a node answers, and the recipes do what they promise.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/document_scripts.h"
#include "base/limits.h"
#include "base/read_file.h"
#include "script/functions.h"

namespace palena::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string InTree(const std::string& path) {
  return base::ReadFile(std::string(PALENA_SOURCE_DIR) + "/" + path);
}

TEST(Documents, TheLanguageReferenceSaysWhatANodeAnswers) {
  const std::vector<DocumentScript> scripts = ScriptsOf(InTree("docs/language.md"));
  EXPECT_GT(scripts.size(), 100U);
  EXPECT_THAT(WrongAnswers(scripts), IsEmpty());
}

TEST(Documents, TheLanguageReferenceNamesEveryFunctionAndAlias) {
  const std::string document = InTree("docs/language.md");
  for (const script::Function& function : script::Functions()) {
    EXPECT_THAT(document, HasSubstr("`" + std::string(function.name) + "("));
    for (const std::string_view alias : function.aliases) {
      EXPECT_THAT(document, HasSubstr("`" + std::string(alias) + "`"));
    }
  }
}

// 10000000 as people read it: 10,000,000.
std::string Grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
  return digits;
}
std::string MiB(std::size_t bytes) {
  return std::to_string(bytes >> 20) + " MiB |";
}

TEST(Documents, TheLanguageReferenceQuotesTheLimits) {
  const std::string document = InTree("docs/language.md");
  const std::pair<std::string, std::string> limits[] = {
      {"script", Grouped(base::kScriptBytesMax) + " bytes"},
      {"nesting of blocks and expressions", Grouped(base::kNestingDepthMax)},
      {"steps of a run; work on text counts by size", Grouped(base::kRunStepsMax)},
      {"memory of a run", MiB(base::kRunMemoryBytesMax)},
      {"time of a run", Grouped(base::kRunTimeoutMs / 1000) + " s, or the call's timeout, up to " +
                            Grouped(base::kRunTimeoutMsMax / 1000) + " s"},
      {"elements of a range, parts of `split`", Grouped(base::kArrayElementsMax)},
      {"result, as encoded", MiB(base::kResultBytesMax)},
      {"value of a key", MiB(base::kValueBytesMax)},
      {"key", "1 to " + Grouped(base::kKeyBytesMax) + " bytes"},
      {"parameters", Grouped(base::kParametersMax)},
      {"revisions kept of an ephemeral key, with the newest", Grouped(base::kVersionsInMemoryMax)},
  };
  for (const auto& [what, limit] : limits) {
    EXPECT_THAT(document, HasSubstr("| " + what + " | " + limit));
  }
}

TEST(Documents, AWrongAnswerIsTold) {
  const auto wrong = [](const std::string& document) { return WrongAnswers(ScriptsOf(document)); };
  EXPECT_THAT(wrong("```palena\nreturn 1\n# answers: 1\n```\n"), IsEmpty());
  EXPECT_THAT(wrong("```palena\nreturn 1\n# answers: 2\n```\n"),
              ElementsAre(HasSubstr("not:     2")));
  EXPECT_THAT(wrong("```palena\nreturn 1\n```\n"), ElementsAre(HasSubstr("says no answer")));
  EXPECT_THAT(
      wrong("```palena\neset k 1 nx\n# answers: set revision=0, then set revision=1\n```\n"),
      ElementsAre(HasSubstr("answers: not_set")));
  EXPECT_THAT(wrong("| x | `1 + 1` → `3`; `2` → `2` |\n"), ElementsAre(HasSubstr("answers: 2")));
}

TEST(Documents, ABlockHasANodeOfItsOwn) {
  const std::string block = "```palena\neset k 1 nx\n# answers: set revision=0\n```\n";
  EXPECT_THAT(WrongAnswers(ScriptsOf(block + block)), IsEmpty());
}

TEST(Documents, ParametersAreThoseOfTheLineAbove) {
  const auto scripts =
      ScriptsOf("```palena\n# with @a=1 @b=x=y\n\nreturn @b\n# answers: x=y\n```\n");
  ASSERT_THAT(scripts, SizeIs(1));
  EXPECT_EQ(scripts[0].script, "return @b\n");
  EXPECT_THAT(WrongAnswers(scripts), IsEmpty());
}

// A recipe and a node of its own, asked for one key with a limit of 3.
class Recipe {
 public:
  explicit Recipe(const std::string& name)
      : script_(InTree("scripts/recipes/" + name)),
        node_(*Node::Open({.threading = Threading::kInline})) {}

  std::string Take(const std::string& time_parameter, const std::string& ms) {
    const Parameters parameters{{"counter_key", "k"}, {"limit", "3"}, {time_parameter, ms}};
    return Shown(node_->Execute(script_, parameters), script_);
  }
  std::int64_t Expiry() { return node_->Execute("eget k").values.at(0).expires_ms; }

 private:
  const std::string script_;
  const std::unique_ptr<Node> node_;
};

TEST(Recipes, AdmitUpToTheLimit) {
  for (const auto& [name, parameter] : {std::pair("fixed_window.pal", "expires_ms"),
                                        std::pair("fixed_window_keepttl.pal", "expires_ms"),
                                        std::pair("sliding_expiration.pal", "ttl_ms")}) {
    Recipe recipe(name);
    std::string answers;
    for (int i = 0; i < 5; ++i) answers += recipe.Take(parameter, "60000");
    EXPECT_EQ(answers, "11100") << name;
  }
}

TEST(Recipes, FixedWindowKeepttlEndsItsWindowWhenTheFirstRequestSaid) {
  Recipe recipe("fixed_window_keepttl.pal");
  recipe.Take("expires_ms", "60000");
  const std::int64_t end = recipe.Expiry();
  EXPECT_EQ(recipe.Take("expires_ms", "120000"), "1");
  EXPECT_EQ(recipe.Expiry(), end);
}

TEST(Recipes, FixedWindowAsWrittenRenewsItsExpiry) {
  Recipe recipe("fixed_window.pal");
  recipe.Take("expires_ms", "60000");
  const std::int64_t end = recipe.Expiry();
  EXPECT_EQ(recipe.Take("expires_ms", "120000"), "1");
  EXPECT_GE(recipe.Expiry(), end + 60'000);
}

}  // namespace
}  // namespace palena::app
