#include "limits/refused_subjects.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace palena::limits {
namespace {

std::map<std::string, RefusedSubject> BySubject(const std::vector<RefusedSubject>& list) {
  std::map<std::string, RefusedSubject> by_subject;
  for (const RefusedSubject& one : list) by_subject[one.subject] = one;
  return by_subject;
}

TEST(RefusedSubjectsTest, CountsExactlyWhileThereIsRoom) {
  RefusedSubjects refused(4);
  for (const char* const subject : {"a", "b", "a", "c", "a", "b"}) refused.Add("login", subject);
  const auto counts = BySubject(refused.All());
  EXPECT_EQ(counts.at("a").refused, 3U);
  EXPECT_EQ(counts.at("b").refused, 2U);
  EXPECT_EQ(counts.at("c").refused, 1U);
  EXPECT_EQ(counts.at("a").over_by, 0U);
  EXPECT_EQ(refused.least(), 0U);
}

TEST(RefusedSubjectsTest, TellsLimitsApart) {
  RefusedSubjects refused(4);
  refused.Add("login", "anna");
  refused.Add("search", "anna");
  EXPECT_EQ(refused.size(), 2U);
}

// Many who are refused once do not push out those who are refused all the time.
TEST(RefusedSubjectsTest, StaysBoundedAndKeepsTheFrequent) {
  RefusedSubjects refused(16);
  std::map<std::string, std::uint64_t> truth;
  std::mt19937 random(11);
  for (int i = 0; i < 50'000; ++i) {
    const std::string subject =
        random() % 5 == 0 ? "greedy" : "somebody" + std::to_string(random() % 20'000);
    refused.Add("login", subject);
    ++truth[subject];
  }
  EXPECT_EQ(refused.size(), 16U);
  const auto counts = BySubject(refused.All());
  ASSERT_EQ(counts.count("greedy"), 1U);
  for (const auto& [subject, count] : counts) {
    EXPECT_GE(count.refused, truth[subject]);
    EXPECT_LE(count.refused - count.over_by, truth[subject]);
    EXPECT_LE(count.over_by, refused.least());
  }
}

TEST(RefusedSubjectsTest, AddsUpWhatSeveralShardsSaw) {
  const std::vector<ShardSubjects> shards = {
      {{{"login", "anna", 10, 1}, {"login", "bert", 4, 3}}, 3},
      {{{"login", "anna", 5, 0}}, 2},
  };
  const std::vector<RefusedSubject> merged = MergeSubjects(shards, 20);
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].subject, "anna");
  EXPECT_EQ(merged[0].refused, 15U);
  EXPECT_EQ(merged[0].over_by, 1U);
  EXPECT_EQ(merged[1].refused, 6U) << "the second shard may have forgotten two";
  EXPECT_EQ(merged[1].over_by, 5U);
  EXPECT_EQ(MergeSubjects(shards, 1).size(), 1U);
}

}  // namespace
}  // namespace palena::limits
