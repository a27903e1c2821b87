#include "app/cli_parameters.h"

#include <gtest/gtest.h>

namespace palena::app {
namespace {

using Parameter = std::pair<std::string, std::string>;

TEST(ParseParameterTest, TakesTheNameWithOrWithoutAt) {
  EXPECT_EQ(ParseParameter("k=v"), Parameter("@k", "v"));
  EXPECT_EQ(ParseParameter("@k=v"), Parameter("@k", "v"));
}

TEST(ParseParameterTest, LeavesTheValueAlone) {
  EXPECT_EQ(ParseParameter("k=a=b, c"), Parameter("@k", "a=b, c"));
  EXPECT_EQ(ParseParameter("k="), Parameter("@k", ""));
}

TEST(ParseParameterTest, RefusesWhatHasNoName) {
  EXPECT_EQ(ParseParameter("k"), std::nullopt);
  EXPECT_EQ(ParseParameter("=v"), std::nullopt);
  EXPECT_EQ(ParseParameter("@=v"), std::nullopt);
  EXPECT_EQ(ParseParameter("a b=v"), std::nullopt);
}

TEST(GivenTwiceTest, NamesItAsItWasWritten) {
  EXPECT_EQ(GivenTwice({{"@k", "1"}, {"v", "2"}}), "");
  EXPECT_EQ(GivenTwice({{"k", "1"}, {"v", "2"}, {"@k", "1"}}), "@k");
}

// A look at each pair would take ten seconds and more.
TEST(GivenTwiceTest, LooksAtEachOfManyOnce) {
  Parameters parameters;
  for (int i = 0; i < 100'000; ++i) parameters.emplace_back(std::to_string(i), "");
  EXPECT_EQ(GivenTwice(parameters), "");
  parameters.emplace_back("@7", "");
  EXPECT_EQ(GivenTwice(parameters), "@7");
}

TEST(ParametersOfTest, AreThoseThatTheScriptReads) {
  EXPECT_EQ(ParametersOf("eset @k @v  # @c\nreturn \"@s\" + @v"),
            (std::vector<std::string>{"@k", "@v"}));
  EXPECT_EQ(ParametersOf("return 1"), std::vector<std::string>());
  EXPECT_EQ(ParametersOf("return 'open @k"), std::nullopt);
  EXPECT_EQ(ParametersOf("return ( @k"), std::nullopt);
}

TEST(UnknownParameterTest, NamesItAndThoseThatThereAre) {
  EXPECT_EQ(UnknownParameter("eset @k @v", {"@v", "@k"}), "");
  EXPECT_EQ(UnknownParameter("eset @k @v", {"@k", "@w"}),
            "the script has no parameter @w; its parameters are @k, @v");
  EXPECT_EQ(UnknownParameter("return 1", {"@w"}), "the script has no parameter @w; it has none");
  EXPECT_EQ(UnknownParameter("return 'no script", {"@w"}), "");
}

TEST(MissingParameterTest, NamesIt) {
  EXPECT_EQ(MissingParameter("eset @k @v", {"@v", "@k"}), "");
  EXPECT_EQ(MissingParameter("eset @k @v", {"@k"}), "the script needs -p @v=…");
}

}  // namespace
}  // namespace palena::app
