#include "base/check.h"

#include <gtest/gtest.h>

namespace palena::base {
namespace {

TEST(CheckTest, LetsPassWhatHolds) {
  int evaluated = 0;
  PALENA_CHECK(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
}

TEST(CheckDeathTest, EndsTheProcessAndNamesPlaceAndCondition) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const int answer = 41;
  EXPECT_DEATH(PALENA_CHECK(answer == 42), "check_test.cc:[0-9]+: answer == 42 does not hold");
}

}  // namespace
}  // namespace palena::base
