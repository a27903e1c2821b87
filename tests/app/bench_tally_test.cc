#include "app/bench_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace palena::app {
namespace {

using testing::ElementsAre;
using testing::Pair;

BenchAnswer Decision(std::string_view value) {
  return {.id = 1, .is_ok = true, .type = "get", .first_value = value, .reason = {}};
}

BenchAnswer Failure(std::string_view reason) {
  return {.id = 1, .is_ok = false, .type = "errored", .first_value = {}, .reason = reason};
}

TEST(BenchTallyTest, CountsTypesAndFirstValues) {
  BenchTally tally;
  tally.Add(Decision("1"), 10);
  tally.Add(Decision("0"), 20);
  tally.Add(Decision("1"), 30);
  EXPECT_THAT(tally.types.counts(), ElementsAre(Pair("get", 3)));
  EXPECT_THAT(tally.first_values.counts(), ElementsAre(Pair("1", 2), Pair("0", 1)));
  EXPECT_EQ(tally.latency.count(), 3u);
}

TEST(BenchTallyTest, KeepsTheFirstReasonOfAFailure) {
  BenchTally tally;
  tally.Add(Failure("out of memory"), 10);
  tally.Add(Failure("again"), 10);
  EXPECT_EQ(tally.failed, 2u);
  EXPECT_EQ(tally.first_failure, "out of memory");
  EXPECT_TRUE(tally.first_values.counts().empty());
}

TEST(BenchTallyTest, AddsUpWhatSeveralThreadsSaw) {
  BenchTally one;
  BenchTally other;
  one.Add(Decision("1"), 10);
  other.Add(Decision("1"), 10);
  other.AddLost(4, "closed");
  one.Merge(other);
  EXPECT_THAT(one.first_values.counts(), ElementsAre(Pair("1", 2)));
  EXPECT_EQ(one.lost, 4u);
  EXPECT_EQ(one.first_failure, "closed");
}

TEST(CountedTextsTest, StaysBoundedWhateverTheAnswersAre) {
  CountedTexts texts;
  for (int i = 0; i < 1000; ++i) texts.Add(std::to_string(i));
  EXPECT_EQ(texts.counts().size(), 17u);
  EXPECT_THAT(texts.counts().back(), Pair("(other)", 984));
}

}  // namespace
}  // namespace palena::app
