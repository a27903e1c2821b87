#include "app/bench_template.h"

#include <gtest/gtest.h>

namespace palena::app {
namespace {

std::string Filled(std::string_view text) {
  std::string out;
  BenchTemplate(text).AppendTo(out, {.random = 5, .running = 6, .connection = 7});
  return out;
}

TEST(BenchTemplateTest, FillsInThePlaceholders) {
  EXPECT_EQ(Filled("rl:{n}"), "rl:5");
  EXPECT_EQ(Filled("{c}/{i}/{n}{n}"), "7/6/55");
}

TEST(BenchTemplateTest, LeavesOtherTextAlone) {
  EXPECT_EQ(Filled("100"), "100");
  EXPECT_EQ(Filled(""), "");
  EXPECT_EQ(Filled("{x} {n {} n}"), "{x} {n {} n}");
}

TEST(BenchTemplateTest, AppendsToWhatIsThere) {
  std::string out = "a";
  BenchTemplate("{n}").AppendTo(out, {.random = 18'446'744'073'709'551'615u});
  EXPECT_EQ(out, "a18446744073709551615");
}

TEST(BenchTemplateTest, RefreshesTheValueOfTheLastRequest) {
  std::string value;
  BenchTemplate("{i}").Refresh(value, {.running = 10});
  EXPECT_EQ(value, "10");
  BenchTemplate("{i}").Refresh(value, {.running = 9});
  EXPECT_EQ(value, "9");
}

}  // namespace
}  // namespace palena::app
