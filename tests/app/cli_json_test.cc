#include "app/cli_json.h"

#include <gtest/gtest.h>

namespace palena::app {
namespace {

TEST(MetricsJsonTest, WritesIntegersAsNumbersAndTheRestAsText) {
  EXPECT_EQ(MetricsJson({{"runs", "12"}, {"version", "0.1.0"}, {"boot", "007"}, {"low", "-1"}}),
            R"({"runs":12,"version":"0.1.0","boot":"007","low":-1})");
}

}  // namespace
}  // namespace palena::app
