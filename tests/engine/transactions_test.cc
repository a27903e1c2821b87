// begin … end: locks, optimism, snapshots, slots and sleep, over one shard and over several.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace palena::engine {
namespace {

using model::Code;
using model::ResultType;
using testing::HasSubstr;

constexpr unsigned kShards = 4;

std::string KeyOf(unsigned shard) {
  const base::KeyedHash hash(base::KeyedHash::Secret{});
  for (int i = 0;; ++i) {
    std::string key = "k" + std::to_string(i);
    if (store::ShardOf(hash(key), kShards) == shard) return key;
  }
}

std::string SecondKeyOf(unsigned shard) {
  const base::KeyedHash hash(base::KeyedHash::Secret{});
  for (int i = 0;; ++i) {
    std::string key = "other" + std::to_string(i);
    if (store::ShardOf(hash(key), kShards) == shard) return key;
  }
}

const TestParameters kTwo{{"a", KeyOf(0)}, {"b", KeyOf(3)}};

class TransactionsTest : public testing::Test {
 protected:
  TransactionsTest() : node_(TestEngineOptions{.shards = kShards}) {}

  std::string At(std::int64_t ms) const { return std::to_string(ms); }
  std::int64_t now_ms() const { return node_.clock.WallNs() / 1'000'000; }
  const model::Result& AnswerOf(std::uint64_t request) { return *node_.sink.Find(request); }

  TestEngine node_;
};

TEST_F(TransactionsTest, WithoutCommitNothingOfItStays) {
  EXPECT_EQ(node_.Run("begin eset @a 1 eset @b 1 end", kTwo).code, Code::kRolledBack);
  EXPECT_EQ(node_.Run("begin eset @a 1 rollback end", kTwo).code, Code::kRolledBack);
  EXPECT_EQ(node_.Run("eget @a", kTwo).type, ResultType::kDoesNotExist);
  EXPECT_EQ(node_.Run("begin (autoCommit=true) eset @a 1 eset @b 1 end", kTwo).type,
            ResultType::kSet);
  EXPECT_EQ(node_.Text("eget @b", kTwo), "1");
}

TEST_F(TransactionsTest, ASleepingRunHoldsItsLocksAndNobodyElses) {
  const auto sleeper = node_.Send("begin eset @a 1 eset @b 1 sleep 100 commit end", kTwo);
  node_.Settle();
  const auto blocked = node_.Send("eget @a", kTwo);
  EXPECT_EQ(node_.Run("eset other 1").type, ResultType::kSet);
  node_.Settle();
  EXPECT_EQ(node_.sink.Find(blocked), nullptr);
  node_.clock.AdvanceMs(101);
  node_.Settle();
  EXPECT_EQ(AnswerOf(sleeper).type, ResultType::kSet);
  EXPECT_EQ(TestEngine::TextOf(AnswerOf(blocked)), "1");
}

TEST_F(TransactionsTest, SleepBeyondTheTimeoutAbortsAtTheTimeout) {
  const auto late =
      node_.Send("begin (timeout=50) eset @a 1 eset @b 1 sleep 1000 commit end", kTwo);
  node_.Settle();
  node_.clock.AdvanceMs(60);
  node_.Settle();
  ASSERT_NE(node_.sink.Find(late), nullptr);
  EXPECT_EQ(AnswerOf(late).code, Code::kTimeout);
  EXPECT_EQ(node_.Run("eget @a", kTwo).type, ResultType::kDoesNotExist);
}

TEST_F(TransactionsTest, ACallerWhoIsGoneLeavesNothingEvenOfASleepingRun) {
  const auto gone = node_.Send("begin eset @a 1 eset @b 1 sleep 1000 commit end", kTwo, 7);
  node_.Settle();
  node_.engine->DropLane(7);
  node_.Settle();
  node_.clock.AdvanceMs(2'000);
  node_.Settle();
  EXPECT_EQ(AnswerOf(gone).applied, model::Applied::kNo);
  EXPECT_EQ(node_.Run("eget @a", kTwo).type, ResultType::kDoesNotExist);
  EXPECT_EQ(node_.Run("eget @b", kTwo).type, ResultType::kDoesNotExist);
}

TEST_F(TransactionsTest, AnOptimisticRunIsAbortedWhenWhatItReadHasChanged) {
  node_.Run("eset @a 1 eset @b 1", kTwo);
  const std::string script =
      "begin (locking=optimistic) let a = eget @a sleep 10 eset @b a commit end";
  const auto loser = node_.Send(script, kTwo);
  node_.Settle();
  EXPECT_EQ(node_.Text("eset @a 2 return 'free'", kTwo), "free");
  node_.clock.AdvanceMs(20);
  node_.Settle();
  EXPECT_EQ(AnswerOf(loser).code, Code::kConflict);
  EXPECT_EQ(node_.Text("eget @b", kTwo), "1");
  EXPECT_EQ(node_.Run(script, kTwo).type, ResultType::kSet);
  EXPECT_EQ(node_.Text("eget @b", kTwo), "2");
}

// Where it sleeps decides nothing: on one shard as on several.
TEST_F(TransactionsTest, AnOptimisticRunOfOneShardLocksNothingWhileItSleeps) {
  node_.Send("begin (locking=optimistic) let a = eget @a sleep 50 eset @a 2 commit end", kTwo);
  node_.Settle();
  const auto free = node_.Send("eset @a 1", kTwo);
  node_.Settle();
  EXPECT_NE(node_.sink.Find(free), nullptr);
}

TEST_F(TransactionsTest, ACallerWhoIsGoneDoesNotSleepOnAnotherShard) {
  const auto gone = node_.Send("eset @a 1 eset @b 1 sleep 1000", kTwo, 7);
  node_.Settle();
  node_.engine->DropLane(7);
  node_.Settle();
  EXPECT_NE(node_.sink.Find(gone), nullptr);
}

TEST_F(TransactionsTest, ASnapshotOfThePastLocksNothingWhileItSleeps) {
  node_.Run("eset @a 1", kTwo);
  TestParameters at = kTwo;
  at.emplace_back("t", At(now_ms()));
  node_.clock.AdvanceMs(10);
  const auto read =
      node_.Send("begin (snapshot=@t, autoCommit=true) sleep 50 let a = eget @a return a end", at);
  node_.Settle();
  EXPECT_EQ(node_.Run("eset @a 2", kTwo).type, ResultType::kSet);
  node_.clock.AdvanceMs(60);
  node_.Settle();
  EXPECT_EQ(TestEngine::TextOf(AnswerOf(read)), "1");
}

TEST_F(TransactionsTest, AnOptimisticRunWritesAtTheTimeOfItsValidation) {
  const auto sent =
      node_.Send("begin (locking=optimistic) eset @a hlc() eset @b 1 sleep 50 commit end", kTwo);
  node_.Settle();
  const std::int64_t began_ms = now_ms();
  node_.clock.AdvanceMs(60);
  node_.Settle();
  EXPECT_GE(AnswerOf(sent).stamp.time.ms(), began_ms + 50);
  const model::Result read = node_.Run("eget @a", kTwo);
  EXPECT_EQ(read.values[0].last_modified_ms, AnswerOf(sent).stamp.time.ms());
  EXPECT_LE(std::stoll(TestEngine::TextOf(read)), began_ms);
}

TEST_F(TransactionsTest, ACallerWhoIsGoneBeforeTheValidationLeavesNothing) {
  const auto gone =
      node_.Send("begin (locking=optimistic) eset @a 1 eset @b 1 sleep 10 commit end", kTwo, 7);
  node_.Settle();
  node_.clock.AdvanceMs(20);
  node_.threads[3]->RunReady();  // has run, and goes to validate
  node_.engine->DropLane(7);
  node_.threads[3]->RunReady();
  node_.Settle();
  EXPECT_EQ(AnswerOf(gone).applied, model::Applied::kNo);
  EXPECT_EQ(node_.Run("eget @b", kTwo).type, ResultType::kDoesNotExist);
}

TEST_F(TransactionsTest, WhatARunCarriesBetweenShardsIsItsMemory) {
  TestParameters parameters{{"b", KeyOf(3)}, {"v", std::string(1 << 20, 'x')}};
  for (int i = 0; i < 80; ++i) {
    parameters.emplace_back("k" + std::to_string(i), "many" + std::to_string(i));
  }
  EXPECT_EQ(node_.Run("eset @b @v", parameters).type, ResultType::kSet);
  std::string reads = "return 1";
  for (int i = 0; i < 80; ++i) {
    const std::string key = "@k" + std::to_string(i);
    EXPECT_EQ(node_.Run("eset " + key + " @v", parameters).type, ResultType::kSet);
    reads = "eexists " + key + " " + reads;
  }
  EXPECT_THAT(node_.Text(reads, parameters), HasSubstr("Script memory limit exceeded"));
}

TEST_F(TransactionsTest, ASnapshotOfThePastDoesNotWaitForWriters) {
  node_.Run("eset @a 1 eset @b 1", kTwo);
  const std::string then = At(now_ms());
  node_.clock.AdvanceMs(10);
  node_.Send("begin eset @a 2 eset @b 2 sleep 1000 commit end", kTwo);
  node_.Settle();
  node_.clock.AdvanceMs(1);
  TestParameters at = kTwo;
  at.emplace_back("t", then);
  EXPECT_EQ(node_.Text("begin (snapshot=@t) eget @a commit end", at), "1");
  const auto read = node_.Send(
      "begin (snapshot=@t, autoCommit=true) let a = eget @a let b = eget @b return concat(a, b) "
      "end",
      at);
  node_.Settle();
  ASSERT_NE(node_.sink.Find(read), nullptr);
  EXPECT_EQ(TestEngine::TextOf(AnswerOf(read)), "11");
}

TEST_F(TransactionsTest, ASnapshotWaitsForAWriterWhoseStampIsNotLater) {
  node_.Run("eset @a 1 eset @b 1", kTwo);
  node_.Send("begin eset @a 2 eset @b 2 sleep 100 commit end", kTwo);
  node_.Settle();
  TestParameters at = kTwo;
  at.emplace_back("t", At(now_ms() + 5));
  node_.clock.AdvanceMs(20);
  const auto read = node_.Send(
      "begin (snapshot=@t, autoCommit=true) let a = eget @a let b = eget @b return concat(a, b) "
      "end",
      at);
  node_.Settle();
  EXPECT_EQ(node_.sink.Find(read), nullptr);
  node_.clock.AdvanceMs(100);
  node_.Settle();
  EXPECT_EQ(TestEngine::TextOf(AnswerOf(read)), "22");
}

TEST_F(TransactionsTest, AnInstantWhoseVersionIsGoneIsAnError) {
  node_.Run("eset @a 0", kTwo);
  const std::string then = At(now_ms());
  for (int i = 0; i < 20; ++i) {
    node_.clock.AdvanceMs(1);
    node_.Run("eset @a 1", kTwo);
  }
  EXPECT_THAT(node_.Text("eget @a as of " + then, kTwo),
              HasSubstr("History no longer kept at line 1"));
}

TEST_F(TransactionsTest, RangesSeeTheRunsOwnWritesOnAllShards) {
  for (int i = 0; i < 9; ++i) node_.Run("eset @k 1 set @k 1", {{"k", "b/" + std::to_string(i)}});
  const std::string script =
      "edel 'b/3' eset 'b/new' 2 let all = eget by bucket b return count(all)";
  EXPECT_EQ(node_.Text(script), "9");
  EXPECT_EQ(node_.Text("del 'b/3' set 'b/new' 2 let all = scan by prefix 'b/' return count(all)"),
            "9");
  EXPECT_EQ(node_.Run("escan by prefix b").values[8].key, "b/new");
}

TEST_F(TransactionsTest, ARangeIsCutAtItsLimitAndSaysSo) {
  for (int i = 0; i < 4'100; ++i) {
    node_.Run("eset @k 1", {{"k", "b/" + std::to_string(10'000 + i)}});
  }
  EXPECT_EQ(node_.Text("let all = eget by bucket b return [count(all), truncated(all)]"), "4096");
  const model::Result all = node_.Run("eget by bucket b");
  EXPECT_TRUE(all.truncated);
  EXPECT_EQ(all.values.back().key, "b/14095");
}

TEST_F(TransactionsTest, NoRangeMissesAWriteThatIsOnItsWay) {
  node_.Send("eset 'p/1' 1 eset @a 1 eset @b 1", kTwo);
  node_.threads[0]->RunReady();
  const auto scan = node_.Send("escan by prefix 'p/'");
  node_.Settle();
  EXPECT_EQ(AnswerOf(scan).values.size(), 1U);
}

TEST_F(TransactionsTest, WhatExpiredBeforeTheValidationIsAConflict) {
  node_.Run("eset @a 1 ex 20", kTwo);
  const auto loser =
      node_.Send("begin (locking=optimistic) let a = eget @a sleep 50 eset @b a commit end", kTwo);
  node_.Settle();
  node_.clock.AdvanceMs(51);
  node_.Settle();
  EXPECT_EQ(AnswerOf(loser).code, Code::kConflict);
  EXPECT_EQ(node_.Run("eget @b", kTwo).type, ResultType::kDoesNotExist);
}

TEST_F(TransactionsTest, AKeyThatCameAndWentIsAConflictAndSoIsAnExtend) {
  const std::string script =
      "begin (locking=optimistic) let a = eget @a sleep 10 eset @b a commit end";
  for (const char* change : {"edel @a eset @c 1", "eextend @a 900", "eset @a 1"}) {
    node_.Run("eset @a 1 ex 5000", kTwo);
    const auto loser = node_.Send(script, kTwo);
    node_.Settle();
    TestParameters three = kTwo;
    three.emplace_back("c", "another");
    node_.Run(change, three);
    node_.Run("eset @c 1", three);
    node_.clock.AdvanceMs(20);
    node_.Settle();
    EXPECT_EQ(AnswerOf(loser).code, Code::kConflict) << change;
  }
}

TEST_F(TransactionsTest, AFailedConditionIsValidatedToo) {
  node_.Run("eset @a 1", kTwo);
  const auto loser =
      node_.Send("begin (locking=optimistic) eset @a 2 nx eset @b 1 sleep 10 commit end", kTwo);
  node_.Settle();
  node_.Run("edel @a", kTwo);
  node_.clock.AdvanceMs(20);
  node_.Settle();
  EXPECT_EQ(AnswerOf(loser).code, Code::kConflict);
}

TEST_F(TransactionsTest, ACallerWhoIsGoneDoesNotWaitForLocks) {
  const auto holder = node_.Send("eset @a 1 eset @b 1 sleep 1000", kTwo);
  node_.Settle();
  const auto gone = node_.Send("eset @a 2", kTwo, 7);
  node_.Settle();
  node_.engine->DropLane(7);
  node_.Settle();
  EXPECT_NE(node_.sink.Find(gone), nullptr);
  node_.clock.AdvanceMs(1'001);
  node_.Settle();
  EXPECT_EQ(AnswerOf(holder).type, ResultType::kSet);
  EXPECT_EQ(node_.Text("eget @a", kTwo), "1");
}

TEST_F(TransactionsTest, AHigherPriorityStopsNobodyForGood) {
  const TestParameters xy{{"x", KeyOf(0)}, {"y", SecondKeyOf(0)}};
  node_.Send("eset @x 1 sleep 20", xy);
  node_.Settle();
  const auto low = node_.Send("begin (priority=low) eset @x 2 eset @y 2 commit end", xy);
  const auto high = node_.Send("begin (priority=high) eset @x 3 eset @y 3 commit end", xy);
  node_.Settle();
  node_.clock.AdvanceMs(30);
  node_.Settle();
  ASSERT_NE(node_.sink.Find(high), nullptr);
  ASSERT_NE(node_.sink.Find(low), nullptr);
  EXPECT_LT(AnswerOf(high).stamp.time, AnswerOf(low).stamp.time);
}

TEST_F(TransactionsTest, WhatOneRunWasRefusedForIsNotToldToTheNext) {
  class Session final : public ReplySink {
   public:
    void OnResult(std::uint64_t, std::uint64_t, model::Result& result) override {
      last = std::move(result);
    }
    model::Result last;
  } session;
  TestEngine node;
  const auto run = [&](std::string_view script) {
    model::RequestView request;
    request.script = script;
    node.engine->shard(0).BeginTurn();
    node.engine->shard(0).ExecuteNow({request, {&session, 0, 0}, 0});
    node.engine->shard(0).EndTurn();
    node.Settle();
    return session.last;
  };
  run("eset k 0");
  const std::string then = At(node.clock.WallNs() / 1'000'000);
  for (int i = 0; i < 20; ++i) {
    node.clock.AdvanceMs(1);
    run("eset k 1");
  }
  EXPECT_THAT(run("eget k as of " + then).reason, HasSubstr("History no longer kept"));
  EXPECT_EQ(run("begin eset k 1 end").reason, "Transaction aborted");
}

TEST_F(TransactionsTest, ASnapshotOfAPrefixWaitsForAnOlderWriterOnItsWay) {
  node_.Send("eset @a 1 eset @b 1 sleep 50", kTwo);
  node_.Settle();
  const std::string then = At(now_ms());
  node_.clock.AdvanceMs(5);
  const auto read = node_.Send(
      "begin (snapshot=@t) let l = escan by prefix k let n = count(l) commit end", {{"t", then}});
  node_.Settle();
  EXPECT_EQ(node_.sink.Find(read), nullptr);
  node_.clock.AdvanceMs(50);
  node_.Settle();
  EXPECT_EQ(TestEngine::TextOf(AnswerOf(read)), "2");
}

TEST_F(TransactionsTest, ARangeOfExactlyTheLimitIsNotCut) {
  for (int i = 0; i < 4'096; ++i) {
    node_.Send("eset @k 1", {{"k", "b/" + std::to_string(10'000 + i)}});
    if (i % 512 == 0) node_.Settle();
  }
  EXPECT_FALSE(node_.Run("eget by bucket b").truncated);
  // One deleted, two new, before and behind all others.
  const model::Result all =
      node_.Run("edel 'b/10007' eset 'b/0' 1 eset 'b/z' 1 let l = eget by bucket b return 1");
  EXPECT_EQ(all.code, Code::kNone);
  EXPECT_TRUE(node_.Run("eget by bucket b").truncated);
  EXPECT_EQ(node_.Run("eget by bucket b").values.back().key, "b/14095");
}

TEST_F(TransactionsTest, AScanFindsPersistentKeysInMemoryAndOnDisk) {
  TestEngineOptions options{.shards = kShards};
  options.table.memory_bytes_max = 40'000;
  TestEngine small(options);
  const std::string value(4'000, 'x');
  for (int i = 0; i < 60; ++i) {
    small.Run("set @k @v", {{"k", "p/" + std::to_string(i)}, {"v", value}});
  }
  ASSERT_GT(small.Metric("persistent_evicted"), 0);
  small.Run("del 'p/3'");
  EXPECT_EQ(small.Text("set 'p/new' 1 del 'p/5' let l = scan by prefix 'p/' return count(l)"),
            "59");
}

TEST_F(TransactionsTest, WhoReadsOnAnotherShardWaitsForWhatIsNotDurable) {
  const auto run_shards = [&] {
    while (node_.RunShards() || node_.reader.RunReady()) {
    }
  };
  node_.Send("set @a 1 eset @b 1", kTwo);
  run_shards();
  const auto copy = node_.Send("let w = eget @b eset @c w", {kTwo[1], {"c", KeyOf(2)}});
  run_shards();
  const auto read = node_.Send("eget @c", {{"c", KeyOf(2)}});
  run_shards();
  EXPECT_EQ(node_.sink.Find(copy), nullptr);
  EXPECT_EQ(node_.sink.Find(read), nullptr);
  node_.Settle();
  EXPECT_EQ(TestEngine::TextOf(AnswerOf(read)), "1");
}

TEST_F(TransactionsTest, DrainWaitsForThoseWhoSleepAndThoseBehindThem) {
  const auto sleeper = node_.Send("eset @a 1 eset @b 1 sleep 50", kTwo);
  node_.Settle();
  const auto behind = node_.Send("eset @a 2", kTwo);
  node_.Settle();
  bool is_drained = false;
  node_.engine->Drain([&] { is_drained = true; });
  node_.Settle();
  EXPECT_FALSE(is_drained);
  node_.clock.AdvanceMs(60);
  node_.Settle();
  EXPECT_TRUE(is_drained);
  EXPECT_EQ(AnswerOf(sleeper).type, ResultType::kSet);
  EXPECT_EQ(AnswerOf(behind).type, ResultType::kSet);
}

// A transaction that must wait in its first turn would take a slot that there is not.
TEST(AdmissionTest, SlotsBoundThoseThatBeginOnTheFastPathToo) {
  TestEngine node(TestEngineOptions{.open_transactions_max = 1});
  const auto first = node.Send("begin eset a 1 sleep 50 commit end");
  const auto second = node.Send("begin (admissionWait=0) eset b 1 sleep 50 commit end");
  node.Settle();
  EXPECT_EQ(node.sink.Find(first), nullptr);
  ASSERT_NE(node.sink.Find(second), nullptr);
  EXPECT_EQ(node.sink.Find(second)->type, ResultType::kAdmissionRefused);
}

TEST(AdmissionTest, WhoDoesNotWaitForASlotIsRefusedAndWhoWaitsGetsIt) {
  TestEngine node(TestEngineOptions{.fast_path = false, .open_transactions_max = 1});
  node.Send("begin eset a 1 sleep 50 commit end");
  node.Settle();
  const auto refused = node.Send("begin (admissionWait=0) eset b 1 commit end");
  const auto patient = node.Send("begin (admissionWait=100) eset c 1 commit end");
  const auto hasty = node.Send("begin (admissionWait=10) eset d 1 commit end");
  node.Settle();
  EXPECT_EQ(node.sink.Find(refused)->type, ResultType::kAdmissionRefused);
  EXPECT_EQ(node.Run("eset plain 1").type, ResultType::kSet);
  node.clock.AdvanceMs(20);
  node.Settle();
  EXPECT_EQ(node.sink.Find(hasty)->code, Code::kAdmission);
  node.clock.AdvanceMs(40);
  node.Settle();
  EXPECT_EQ(node.sink.Find(patient)->type, ResultType::kSet);
}

TEST(AdmissionTest, TheHigherPriorityComesFirst) {
  TestEngine node(TestEngineOptions{.fast_path = false, .open_transactions_max = 1});
  node.Send("begin sleep 50 eset k 0 commit end");
  node.Settle();
  const auto low = node.Send("begin (priority=low) eset k 1 commit end");
  const auto critical = node.Send("begin (priority=critical) eset k 2 commit end");
  node.Settle();
  node.clock.AdvanceMs(60);
  node.Settle();
  EXPECT_LT(node.sink.Find(critical)->values[0].revision, node.sink.Find(low)->values[0].revision);
}

TEST(AdmissionTest, EverySlotIsGivenBackWhateverTheEnd) {
  TestEngine node(
      TestEngineOptions{.shards = kShards, .fast_path = false, .open_transactions_max = 1});
  for (const char* script :
       {"begin eset @a 1 eset @b 1 commit end", "begin eset @a 1 eset @b 1 rollback end",
        "begin eset @a 1 eset @b 1 throw 'x' end",
        "begin (timeout=5) eset @a 1 eset @b 1 sleep 50 end",
        "begin (locking=optimistic) eset @a 1 eset @b 1 commit end"}) {
    node.Run(script, kTwo);
    EXPECT_EQ(node.Run("begin (admissionWait=0) eset @a 1 eset @b 1 commit end", kTwo).type,
              ResultType::kSet)
        << "after " << script;
  }
}

TEST(DecisionTest, ADurableDecisionMayNotBeAboutEphemeralKeys) {
  TestEngine node;
  const model::Result refused =
      node.Run("begin (decisionDurability=durable) set a 1 eset b 1 commit end");
  EXPECT_EQ(refused.type, ResultType::kAborted);
  EXPECT_EQ(node.Run("begin (decisionDurability=durable) set a 1 commit end").type,
            ResultType::kSet);
}

}  // namespace
}  // namespace palena::engine
