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

}  // namespace
}  // namespace palena::app
