#include "script/analyser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "script/parser.h"

namespace palena::script {
namespace {

using testing::ElementsAre;

// The tree that was analysed and what was found.
struct Analysed {
  Tree tree;
  Analysis analysis;
};

Analysed AnalyseText(std::string_view source) {
  auto tree = Parse(source);
  EXPECT_TRUE(tree.ok()) << source;
  auto analysis = Analyse(*tree);
  EXPECT_TRUE(analysis.ok()) << (analysis.ok() ? "" : analysis.error().ToReason());
  if (!analysis.ok()) return {};
  return {*std::move(tree), *std::move(analysis)};
}

model::ScriptError ErrorOf(std::string_view source) {
  auto tree = Parse(source);
  EXPECT_TRUE(tree.ok()) << source;
  const auto analysis = Analyse(*tree);
  return analysis.ok() ? model::ScriptError{model::Code::kNone, "no error", 0, ""}
                       : analysis.error();
}

std::string Reason(std::string_view source) {
  return ErrorOf(source).ToReason();
}

std::string Repeat(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// `prefix`0 `suffix` `prefix`1 `suffix` …
std::string Numbered(const std::string& prefix, const std::string& suffix, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += prefix + std::to_string(i) + suffix;
  return all;
}

TEST(AnalyserTest, VariablesAreNumberedInTheOrderOfTheText) {
  const Analysed a = AnalyseText("let x = y let z = get k for i in x do let y = i end");
  EXPECT_THAT(a.analysis.variables, ElementsAre("x", "y", "z", "i"));
  EXPECT_EQ(a.tree.stmt(a.tree.top[1]).slot, 2U);
  EXPECT_EQ(a.tree.stmt(a.tree.top[2]).slot, 3U);
}

TEST(AnalyserTest, ParametersAreNumberedInTheOrderOfTheText) {
  const Analysed a = AnalyseText("set @k @v ex @ttl cmp @v return @k + @w");
  EXPECT_THAT(a.analysis.parameters, ElementsAre("@k", "@v", "@ttl", "@w"));
}

TEST(AnalyserTest, NamesAreCaseSensitive) {
  EXPECT_THAT(AnalyseText("return a + A + @p + @P").analysis.variables, ElementsAre("a", "A"));
  EXPECT_THAT(AnalyseText("return a + A + @p + @P").analysis.parameters, ElementsAre("@p", "@P"));
}

TEST(AnalyserTest, BackticksNameTheSameVariable) {
  EXPECT_THAT(AnalyseText("let `a` = 1 return a").analysis.variables, ElementsAre("a"));
}

TEST(AnalyserTest, EqualKeysShareASlot) {
  const Analysed a = AnalyseText("get k get 'k' get `k` get other");
  EXPECT_EQ(a.analysis.footprint.size(), 2U);
  EXPECT_EQ(a.tree.stmt(2).key.slot, 0U);
  EXPECT_EQ(a.tree.stmt(3).key.slot, 1U);
}

TEST(AnalyserTest, KeySpacesAndParametersAreKeptApart) {
  const Analysed a = AnalyseText("get k\neget k\nget @k\nget '@k'");
  ASSERT_EQ(a.analysis.footprint.size(), 4U);
  EXPECT_EQ(a.analysis.footprint[1].durability, model::Durability::kEphemeral);
  EXPECT_TRUE(a.analysis.footprint[2].is_parameter);
  EXPECT_EQ(a.analysis.footprint[2].parameter, 0U);
  EXPECT_FALSE(a.analysis.footprint[3].is_parameter);
  EXPECT_EQ(a.analysis.footprint[3].line, 4);
}

TEST(AnalyserTest, KeyIsWrittenWhenAnyStatementWritesIt) {
  const Analysed a = AnalyseText("get a exists b if x then delete a end extend c 1 get c");
  ASSERT_EQ(a.analysis.footprint.size(), 3U);
  EXPECT_TRUE(a.analysis.footprint[0].writes);
  EXPECT_FALSE(a.analysis.footprint[1].writes);
  EXPECT_TRUE(a.analysis.footprint[2].writes);
}

TEST(AnalyserTest, UnreachableStatementsCountToo) {
  EXPECT_EQ(AnalyseText("return 1 set k 2").analysis.footprint.size(), 1U);
}

TEST(AnalyserTest, UnboundNamesAreNoMatterOfTheText) {
  EXPECT_EQ(Reason("return nowhere + no_function()"), "no error");
}

TEST(AnalyserTest, BeginIsTheWholeScript) {
  const std::string reason = "Nested transactions are not supported at line ";
  EXPECT_EQ(Reason("begin\n begin\n commit end commit end"), reason + "2");
  EXPECT_EQ(Reason("set a 1\nbegin commit end"), reason + "2");
  EXPECT_EQ(Reason("begin commit end\nset a 1"), reason + "1");
  EXPECT_EQ(Reason("if a then\nbegin commit end end"), reason + "2");
  EXPECT_EQ(ErrorOf("set a 1 begin commit end").code, model::Code::kRuntime);
}

TEST(AnalyserTest, LoneCommitOrRollbackEndsNothing) {
  EXPECT_EQ(Reason("commit"), "Invalid transaction at line 1");
  EXPECT_EQ(Reason("\nROLLBACK"), "Invalid transaction at line 2");
  EXPECT_EQ(ErrorOf("commit").code, model::Code::kRuntime);
}

TEST(AnalyserTest, ConstantKeysHave1To1024Bytes) {
  EXPECT_EQ(Reason("\nset '' 1"), "Invalid key: empty at line 2");
  EXPECT_EQ(Reason("get ``"), "Invalid key: empty at line 1");
  EXPECT_EQ(Reason("get '" + std::string(1024, 'k') + "'"), "no error");
  EXPECT_EQ(Reason("get '" + std::string(1025, 'k') + "'"),
            "Invalid key: '" + std::string(60, 'k') +
                "…' has 1025 bytes, at most 1024 are allowed at line 1");
}

TEST(AnalyserTest, SlotsAreAtMost65535) {
  EXPECT_EQ(
      AnalyseText("return [" + Numbered("@p", ",", 65'534) + "@last]").analysis.parameters.size(),
      65'535U);
  EXPECT_EQ(Reason("return [" + Numbered("@p", ",", 65'535) + "@last]"),
            "Too many parameters: more than 65535 at line 1");
  EXPECT_EQ(Reason("return [" + Numbered("v", ",", 65'535) + "last]"),
            "Too many variables: more than 65535 at line 1");
  EXPECT_EQ(Reason(Numbered("get k", "\n", 65'536)),
            "Too many keys: more than 65535 at line 65536");
  EXPECT_EQ(ErrorOf(Numbered("get k", "\n", 65'536)).code, model::Code::kLimit);
}

TEST(AnalyserTest, BucketsAndPrefixesMayBeEmptyButNotLong) {
  EXPECT_EQ(Reason("eget by bucket '' scan by prefix ''"), "no error");
  EXPECT_EQ(Reason("scan by prefix '" + std::string(1024, 'k') + "'"), "no error");
  EXPECT_THAT(Reason("scan by prefix '" + std::string(1025, 'k') + "'"),
              testing::HasSubstr("has 1025 bytes, at most 1024 are allowed"));
  EXPECT_THAT(Reason("get by bucket '" + std::string(1025, 'k') + "'"),
              testing::HasSubstr("has 1025 bytes, at most 1024 are allowed"));
}

TEST(AnalyserTest, KeysBucketsAndPrefixesOfOneTextAreKeptApart) {
  const Analysed a = AnalyseText("get k get by bucket k scan by prefix k escan by prefix k");
  ASSERT_EQ(a.analysis.footprint.size(), 4U);
  EXPECT_EQ(a.analysis.footprint[0].kind, KeyKind::kPoint);
  EXPECT_EQ(a.analysis.footprint[1].kind, KeyKind::kBucket);
  EXPECT_EQ(a.analysis.footprint[2].kind, KeyKind::kPrefix);
  EXPECT_EQ(a.analysis.footprint[3].durability, model::Durability::kEphemeral);
}

TEST(AnalyserTest, TellsWhichKeysAreReadNowAndWhichAsOfATime) {
  const Footprint keys = AnalyseText(
                             "get now get past as of 5 get both as of 5 exists both "
                             "get numbered at 1 set written 1 scan by prefix past as of 5")
                             .analysis.footprint;
  ASSERT_EQ(keys.size(), 6U);
  const auto told = [&keys](std::size_t slot) {
    return std::pair(keys[slot].reads_now, keys[slot].has_own_as_of);
  };
  EXPECT_EQ(told(0), std::pair(true, false));
  EXPECT_EQ(told(1), std::pair(false, true));
  EXPECT_EQ(told(2), std::pair(true, true));
  EXPECT_EQ(told(3), std::pair(true, false));
  EXPECT_EQ(told(4), std::pair(true, false));
  EXPECT_EQ(told(5), std::pair(false, true));
}

TEST(AnalyserTest, SnapshotBlockReadsNothingNowAndWritesNothing) {
  const Footprint keys =
      AnalyseText(
          "begin (snapshot=@t) get a get b as of 5 get c at 1 set d 1 eget by bucket e commit end")
          .analysis.footprint;
  ASSERT_EQ(keys.size(), 5U);
  for (const FootprintKey& key : keys) {
    EXPECT_EQ(key.reads_now, key.text == "c") << key.text;
    EXPECT_EQ(key.has_own_as_of, key.text == "b") << key.text;
    EXPECT_FALSE(key.writes) << key.text;
  }
}

TEST(AnalyserTest, OptionsComeBeforeWhatTheBlockHolds) {
  EXPECT_EQ(Reason("begin (timeout=0)\nget '' end"), "Invalid timeout option: 0 at line 1");
  EXPECT_EQ(Reason("begin (timeout=1)\nbegin (timeout=0) commit end end"),
            "Nested transactions are not supported at line 2");
}

TEST(AnalyserTest, ManyEqualNamesTakeOneSlot) {
  EXPECT_EQ(AnalyseText(Repeat("get k ", 10'000)).analysis.footprint.size(), 1U);
}

}  // namespace
}  // namespace palena::script
