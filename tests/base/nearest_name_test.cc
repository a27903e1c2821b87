#include "base/nearest_name.h"

#include <gtest/gtest.h>

namespace palena::base {
namespace {

const std::vector<std::string> kNames = {"listen", "data-dir", "shards", "max-memory"};

TEST(NearestNameTest, FindsTheNameThatWasMistyped) {
  EXPECT_EQ(NearestName("lisssten", kNames), "listen");
  EXPECT_EQ(NearestName("shard", kNames), "shards");
  EXPECT_EQ(NearestName("maxmemory", kNames), "max-memory");
}

TEST(NearestNameTest, TakesAnUnderscoreForADash) {
  EXPECT_EQ(NearestName("data_dir", kNames), "data-dir");
}

TEST(NearestNameTest, SuggestsNothingFarAway) {
  EXPECT_EQ(NearestName("colour", kNames), "");
  EXPECT_EQ(NearestName("", kNames), "");
  EXPECT_EQ(DidYouMean("colour", kNames), "");
  EXPECT_EQ(DidYouMean("shrads", kNames), "; did you mean shards?");
}

}  // namespace
}  // namespace palena::base
