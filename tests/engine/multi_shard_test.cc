// Runs over keys of several shards: all or nothing, one after the other, whatever the shards.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace palena::engine {
namespace {

using testing::Each;
using testing::HasSubstr;

// Names keys by shard: Key(2) is a key of shard 2.
class MultiShardTest : public testing::Test {
 protected:
  static constexpr unsigned kShards = 4;

  MultiShardTest() : node_(TestEngineOptions{.shards = kShards}) {}

  static std::string Key(unsigned shard, int which = 0) {
    const base::KeyedHash hash(base::KeyedHash::Secret{});
    for (int i = 0;; ++i) {
      std::string key = "k" + std::to_string(i);
      if (store::ShardOf(hash(key), kShards) == shard && which-- == 0) return key;
    }
  }
  TestParameters Two(unsigned a, unsigned b) const { return {{"a", Key(a)}, {"b", Key(b)}}; }
  std::int64_t Counter(std::string_view name) { return node_.Metric(name); }

  TestEngine node_;
};

TEST_F(MultiShardTest, WritesKeysOfTwoShardsInOneRun) {
  EXPECT_EQ(node_.Text("eset @a 1\neset @b 2\nreturn 3", Two(0, 3)), "3");
  EXPECT_EQ(node_.Text("eget @a", Two(0, 3)), "1");
  EXPECT_EQ(node_.Text("eget @b", Two(0, 3)), "2");
}

TEST_F(MultiShardTest, ReadsKeysOfEveryShard) {
  for (unsigned i = 0; i < kShards; ++i) node_.Run("eset @k " + std::to_string(i), {{"k", Key(i)}});
  const TestParameters all{{"a", Key(3)}, {"b", Key(1)}, {"c", Key(0)}, {"d", Key(2)}};
  EXPECT_EQ(node_.Text("let a = eget @a let b = eget @b let c = eget @c let d = eget @d\n"
                       "return concat(concat(a, b), concat(c, d))",
                       all),
            "3102");
}

TEST_F(MultiShardTest, AnErrorLeavesNothingOnAnyShard) {
  node_.Run("eset @a 1\neset @b 1", Two(1, 2));
  EXPECT_THAT(node_.Text("eset @a 2\neset @b 2\nthrow \"no\"", Two(1, 2)),
              HasSubstr("no at line 3"));
  EXPECT_EQ(node_.Text("eget @a", Two(1, 2)), "1");
  EXPECT_EQ(node_.Text("eget @b", Two(1, 2)), "1");
}

TEST_F(MultiShardTest, RevisionsAndTimeToLiveGoOnOnEveryShard) {
  node_.Run("eset @a 1 ex 50\neset @b 1", Two(1, 2));
  const model::Result second = node_.Run("eset @b 2\neset @a 2 keepttl", Two(1, 2));
  EXPECT_EQ(second.values[0].revision, 1);
  EXPECT_NE(second.values[0].expires_ms, 0);
  node_.clock.AdvanceMs(60);
  EXPECT_EQ(node_.Run("eget @a", Two(1, 2)).type, model::ResultType::kDoesNotExist);
}

TEST_F(MultiShardTest, PersistentKeysOfSeveralShardsAreOneCommit) {
  const std::uint64_t sent = node_.Send("set @a 1\nset @b 2", Two(0, 3));
  while (node_.RunShards() || node_.reader.RunReady()) {
  }
  EXPECT_EQ(node_.sink.Find(sent), nullptr);
  node_.Settle();
  EXPECT_NE(node_.sink.Find(sent), nullptr);
  EXPECT_EQ(Counter("log_commits"), 1);
  EXPECT_EQ(node_.log->ReadHead(Key(0))->revision, 0);
  EXPECT_EQ(node_.log->ReadHead(Key(3))->revision, 0);
}

TEST_F(MultiShardTest, OldVersionsAreReadWhereverTheyLie) {
  for (int i = 0; i < 3; ++i) node_.Run("eset @a " + std::to_string(i), Two(0, 3));
  for (int i = 0; i < 3; ++i) node_.Run("set @a " + std::to_string(10 + i), Two(0, 3));
  EXPECT_EQ(node_.Text("eset @b 1\nlet v = eget @a at 1\nreturn v", Two(0, 3)), "1");
  EXPECT_EQ(node_.Text("eset @b 1\nlet v = get @a at 1\nreturn v", Two(0, 3)), "11");
}

TEST_F(MultiShardTest, RunsOverTheSameKeysComeOneAfterTheOther) {
  node_.Run("eset @a 0\neset @b 0", Two(0, 3));
  const std::string script =
      "let a = eget @a\nlet b = eget @b\neset @a to_int(a) + 1\neset @b to_int(b) + 1";
  for (int i = 0; i < 50; ++i) node_.Send(script, i % 2 == 0 ? Two(0, 3) : Two(3, 0));
  node_.Settle();
  EXPECT_EQ(node_.Text("eget @a", Two(0, 3)), "50");
  EXPECT_EQ(node_.Text("eget @b", Two(0, 3)), "50");
}

TEST_F(MultiShardTest, SingleKeyRunsQueueBehindARunThatIsOnItsWay) {
  node_.Send("eset @a 1\neset @b 1", Two(0, 3));
  node_.threads[0]->RunReady();  // has locked its key of shard 0 and gone on
  const std::uint64_t read = node_.Send("eget @a", Two(0, 3));
  node_.threads[0]->RunReady();
  EXPECT_EQ(node_.sink.Find(read), nullptr);
  node_.Settle();
  EXPECT_EQ(node_.sink.Find(read)->values[0].value.view().ToText(), "1");
}

TEST_F(MultiShardTest, ARunThatWaitsTooLongForALockElsewhereLetsItsOwnGo) {
  node_.Send("eset @a 1\neset @b 1", Two(2, 3));
  node_.threads[2]->RunReady();  // holds shard 2, is on its way to 3
  const std::uint64_t late = node_.Send("eset @a 2\neset @b 2", Two(0, 2), 0, 100);
  node_.threads[0]->RunReady();
  node_.threads[2]->RunReady();
  node_.clock.AdvanceMs(200);
  node_.threads[2]->RunReady();
  node_.Settle();
  EXPECT_THAT(node_.sink.Find(late)->reason, HasSubstr("Failed to acquire lock: " + Key(2)));
  EXPECT_EQ(node_.Run("eget @a", Two(0, 2)).type, model::ResultType::kDoesNotExist);
}

TEST_F(MultiShardTest, StampsOfAKeyGrowWhicheverShardGaveThem) {
  hlc::HybridTime last;
  for (int i = 0; i < 20; ++i) {
    const model::Result result = i % 2 == 0 ? node_.Run("eset @a 1\neset @b 1", Two(0, 3))
                                            : node_.Run("eset @a 1", Two(0, 3));
    EXPECT_GT(result.stamp.time, last);
    last = result.stamp.time;
  }
}

TEST_F(MultiShardTest, DrainWaitsForRunsThatAreOnTheirWay) {
  for (int i = 0; i < 10; ++i) node_.Send("set @a 1\neset @b 1", Two(0, 3));
  node_.threads[0]->RunReady();
  bool is_drained = false;
  node_.engine->Drain([&] { is_drained = true; });
  node_.RunShards();
  EXPECT_FALSE(is_drained);
  node_.Settle();
  EXPECT_TRUE(is_drained);
  EXPECT_EQ(node_.sink.answers.size(), 10U);
}

TEST_F(MultiShardTest, AWriteThatDoesNotFitAnotherShardsMemoryIsRefused) {
  TestEngineOptions options{.shards = kShards};
  options.table.memory_bytes_max = 300'000;
  TestEngine small(options);
  const TestParameters parameters{{"a", Key(0)}, {"b", Key(3)}, {"v", std::string(400'000, 'x')}};
  const model::Result refused = small.Run("eset @a @v\neset @b 1", parameters);
  EXPECT_EQ(refused.code, model::Code::kOutOfMemory);
  EXPECT_EQ(small.Run("eget @b", parameters).type, model::ResultType::kDoesNotExist);
}

}  // namespace
}  // namespace palena::engine
