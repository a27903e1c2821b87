// Buckets and prefixes of the table, against the plainest thing that can answer: every key of an
// ordered map, asked whether it belongs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "store/table.h"
#include "store/table_fixture.h"

namespace palena::store {
namespace {

using model::Durability;
using model::KeyRange;
using model::RangeKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

Names KeysIn(Table& table, const KeyRange& range) {
  Names names;
  table.ForEachIn(range, [&](Entry& entry) {
    names.emplace_back(entry.key());
    return true;
  });
  return names;
}
Names Bucket(TableFixture& table, std::string_view text) {
  return KeysIn(table.table(), {Durability::kEphemeral, RangeKind::kBucket, text});
}
Names Prefix(TableFixture& table, std::string_view text) {
  return KeysIn(table.table(), {Durability::kEphemeral, RangeKind::kPrefix, text});
}
void PutAll(TableFixture& table, const Names& names) {
  for (const std::string& name : names) table.Put(name, Number(1));
}

TEST(TableRangeTest, ABucketHoldsTheKeysDirectlyInIt) {
  TableFixture table;
  PutAll(table, {"b/2", "a", "b/1/x", "b", "b/", "b/1", "bb/1", "b/1/y", "b0"});
  EXPECT_THAT(Bucket(table, "b"), ElementsAre("b/", "b/1", "b/2"));
  EXPECT_THAT(Bucket(table, "b/1"), ElementsAre("b/1/x", "b/1/y"));
  EXPECT_THAT(Bucket(table, "a"), IsEmpty());
}

TEST(TableRangeTest, APrefixReachesIntoEveryDepth) {
  TableFixture table;
  PutAll(table, {"b/2", "a", "b/1/x", "b", "c"});
  EXPECT_THAT(Prefix(table, "b"), ElementsAre("b", "b/1/x", "b/2"));
  EXPECT_THAT(Prefix(table, ""), ElementsAre("a", "b", "b/1/x", "b/2", "c"));
  EXPECT_THAT(Prefix(table, "d"), IsEmpty());
}

TEST(TableRangeTest, SlashesInOddPlacesBelongWhereTheLastOneSays) {
  TableFixture table;
  PutAll(table, {"/", "//", "a/", "/a", "//a", "a//", "a//b"});
  EXPECT_THAT(Bucket(table, ""), ElementsAre("/", "/a"));
  EXPECT_THAT(Bucket(table, "/"), ElementsAre("//", "//a"));
  EXPECT_THAT(Bucket(table, "a"), ElementsAre("a/"));
  EXPECT_THAT(Bucket(table, "a/"), ElementsAre("a//", "a//b"));
}

TEST(TableRangeTest, TheTwoKeySpacesAreApart) {
  TableFixture table;
  table.Put("b/e", Number(1));
  table.Put(PersistentKey("b/p"), Number(1));
  EXPECT_THAT(Bucket(table, "b"), ElementsAre("b/e"));
  EXPECT_THAT(KeysIn(table.table(), {Durability::kPersistent, RangeKind::kPrefix, ""}),
              ElementsAre("b/p"));
}

TEST(TableRangeTest, DeletionMarksAndTheExpiredAreShownUntilTheyAreSwept) {
  TableFixture table;
  table.Put("b/dead", Number(1, {.expires_ms = 10}));
  table.Put("b/gone", DeletionMark({.revision = 1, .stamp_ms = 10}));
  EXPECT_THAT(Bucket(table, "b"), ElementsAre("b/dead", "b/gone"));
  table.SweepAll(1'000'000);
  EXPECT_THAT(Bucket(table, "b"), IsEmpty());
  EXPECT_THAT(Prefix(table, ""), IsEmpty());
}

TEST(TableRangeTest, StopsWhenToldAndLetsTheVisitorPin) {
  TableFixture table;
  PutAll(table, {"b/1", "b/2", "b/3"});
  std::vector<Entry*> pinned;
  table.table().ForEachIn({Durability::kEphemeral, RangeKind::kBucket, "b"}, [&](Entry& entry) {
    table.table().Pin(entry);
    pinned.push_back(&entry);
    return pinned.size() < 2;
  });
  ASSERT_EQ(pinned.size(), 2U);
  EXPECT_EQ(pinned[1]->key(), "b/2");
  for (Entry* entry : pinned) table.table().Unpin(*entry);
}

TEST(TableRangeTest, AKeyWithABucketCostsMoreOfTheBudget) {
  EXPECT_GT(BytesOfNumber("a/b"), BytesOfNumber("a-b"));
  TableFixture table;
  table.Put("a/b", Number(1));
  EXPECT_EQ(table.stats().memory_bytes, BytesOfNumber("a/b"));
}

// Keys of few letters, so that they are each other's prefixes and buckets all the time.
class Words {
 public:
  explicit Words(std::uint64_t seed) : random_(seed) {}

  std::uint64_t Below(std::uint64_t end) { return random_() % end; }
  std::string Draw(std::size_t bytes_max) {
    static constexpr std::string_view kLetters{"a/b/\0\xFF.0", 8};
    std::string word(Below(bytes_max + 1), '/');
    for (char& letter : word) letter = kLetters[Below(kLetters.size())];
    return word;
  }

 private:
  std::mt19937_64 random_;
};

TEST(TableRangeTest, AnswersAsAWalkOverAllKeysDoes) {
  Words words(11);
  TableFixture table;
  std::map<std::string, std::int64_t> plain;  // → expiry
  std::int64_t now_ms = 0;
  for (int step = 0; step < 40'000; ++step) {
    const std::string key = words.Draw(8) + "/" + words.Draw(3);
    const std::string name = words.Below(2) == 0 ? key : key.substr(0, 1 + words.Below(3));
    plain[name] = now_ms + static_cast<std::int64_t>(words.Below(2'000));
    table.Put(name, Number(step, {.revision = step, .expires_ms = plain[name]}));
    now_ms += 1;
    table.SweepAll(now_ms);
    std::erase_if(plain, [&](const auto& item) { return item.second < now_ms; });
    if (step % 10 != 0) continue;
    const std::string text = words.Draw(4);
    for (const RangeKind kind : {RangeKind::kBucket, RangeKind::kPrefix}) {
      const KeyRange range{Durability::kEphemeral, kind, text};
      Names expected;
      for (const auto& [candidate, expiry] : plain) {
        if (range.Contains(candidate)) expected.push_back(candidate);
      }
      ASSERT_EQ(KeysIn(table.table(), range), expected) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace palena::store
