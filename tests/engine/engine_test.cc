#include "engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/read_file.h"
#include "engine/engine_fixture.h"

namespace palena::engine {
namespace {

using model::Code;
using model::ResultType;
using testing::ElementsAre;
using testing::HasSubstr;

// Claims that hold with and without the fast path.
struct Paths {
  const char* name;
  bool fast_path;
  bool peeks_into_log;
};

class EnginePathsTest : public testing::TestWithParam<Paths> {
 protected:
  static TestEngineOptions Options(const store::TableOptions& table = {}) {
    TestEngineOptions options{.fast_path = GetParam().fast_path, .table = table};
    options.capacities.peeks_into_log &= GetParam().peeks_into_log;
    return options;
  }
  TestEngine node_{Options()};
};
INSTANTIATE_TEST_SUITE_P(Paths, EnginePathsTest,
                         testing::Values(Paths{"fast", true, true}, Paths{"general", false, true},
                                         Paths{"fast_or_reader", true, false},
                                         Paths{"general_and_reader", false, false}),
                         [](const auto& p) { return p.param.name; });

TEST_P(EnginePathsTest, AdmitsExactlyTheLimit) {
  const std::string recipe = base::ReadFile(PALENA_SOURCE_DIR "/scripts/recipes/fixed_window.pal");
  int allowed = 0;
  for (int i = 0; i < 12; ++i) {
    allowed +=
        node_.Text(recipe, {{"counter_key", "c"}, {"limit", "10"}, {"expires_ms", "1000"}}) == "1";
  }
  EXPECT_EQ(allowed, 10);
}

TEST_P(EnginePathsTest, CounterLivesUpToAndIncludingItsExpiryMillisecond) {
  node_.Run("eset k 1 ex 1000");
  node_.clock.AdvanceMs(1000);
  EXPECT_EQ(node_.Run("eget k").type, ResultType::kGet);
  node_.clock.AdvanceMs(1);
  EXPECT_EQ(node_.Run("eget k").type, ResultType::kDoesNotExist);
}

TEST_P(EnginePathsTest, AnErrorUndoesEveryWriteOfTheScript) {
  node_.Run("eset k 'before'");
  const model::Result failed = node_.Run("eset k 'after'\nset p 1\nreturn 1 / 0");
  EXPECT_EQ(failed.code, Code::kRuntime);
  EXPECT_EQ(failed.line, 3);
  EXPECT_EQ(failed.applied, model::Applied::kNo);
  EXPECT_EQ(node_.Text("eget k"), "before");
  EXPECT_EQ(node_.Run("get p").type, ResultType::kDoesNotExist);
}

TEST_P(EnginePathsTest, TwoParametersThatNameOneKeySeeEachOther) {
  EXPECT_EQ(node_.Text("eset @a 1\nlet v = eget @b\nreturn v", {{"a", "k"}, {"b", "k"}}), "1");
}

TEST_P(EnginePathsTest, KeyParametersAreCheckedBeforeAnythingRuns) {
  EXPECT_EQ(node_.Text("eset k 1\neset @key 1"), "Undefined parameter: @key at line 2");
  EXPECT_EQ(node_.Text("eset @key 1", {{"key", ""}}), "Invalid key: empty at line 1 (@key)");
  EXPECT_THAT(node_.Text("eset @key 1", {{"key", std::string(1025, 'x')}}),
              HasSubstr("1025 bytes, at most 1024"));
  EXPECT_EQ(node_.Run("eget k").type, ResultType::kDoesNotExist);
}

TEST_P(EnginePathsTest, SupersededPersistentVersionsAreReadFromTheLog) {
  node_.Run("set k 'zero'");
  node_.Run("set k 'one'");
  EXPECT_EQ(node_.Text("get k at 0"), "zero");
  EXPECT_EQ(node_.Text("get k at 1"), "one");
  EXPECT_EQ(node_.Run("get k at 2").type, ResultType::kDoesNotExist);
}

TEST_P(EnginePathsTest, AVersionStillOnItsWayToDiskCanBeReadByRevision) {
  node_.Run("set k 'zero'");
  node_.Send("set k 'one'");
  const std::uint64_t read = node_.Send("get k at 0");
  node_.Settle();
  EXPECT_EQ(TestEngine::TextOf(*node_.sink.Find(read)), "zero");
}

TEST_P(EnginePathsTest, NorevVersionIsGoneOnceSuperseded) {
  node_.Run("set k 'kept'");
  node_.Run("set k 'dropped' norev");
  node_.Run("set k 'head'");
  EXPECT_EQ(node_.Text("get k at 0"), "kept");
  EXPECT_EQ(node_.Run("get k at 1").type, ResultType::kDoesNotExist);
}

TEST_P(EnginePathsTest, StampsStrictlyIncreaseWhileTheClockStandsStill) {
  hlc::Stamp last;
  for (int i = 0; i < 100; ++i) {
    const hlc::Stamp stamp = node_.Run("eset k 1").stamp;
    EXPECT_LT(last, stamp);
    last = stamp;
  }
}

TEST_P(EnginePathsTest, LongRunsLetOthersIn) {
  const std::uint64_t loop = node_.Send("for i in 1..100000 do let x = i end eset long 1");
  const std::uint64_t quick = node_.Send("eset k 1");
  node_.Settle();
  ASSERT_EQ(node_.sink.answers.size(), 2U);
  EXPECT_EQ(node_.sink.answers[0].first, quick);
  EXPECT_EQ(node_.sink.answers[1].first, loop);
}

TEST_P(EnginePathsTest, ARunBehindALongOneOnItsKeyWaitsAndSeesItsWrite) {
  node_.Send("eset k 'first'\nfor i in 1..100000 do let x = i end");
  const std::uint64_t second = node_.Send("let v = eget k\nreturn v");
  node_.Settle();
  EXPECT_EQ(TestEngine::TextOf(*node_.sink.Find(second)), "first");
}

TEST_P(EnginePathsTest, AWaitThatOutlastsTheTimeoutIsAborted) {
  node_.Send("for i in 1..100000 do let x = i end eset k 1");
  node_.threads[0]->Post([&] { node_.clock.AdvanceMs(200); });
  const std::uint64_t waits = node_.Send("eset k 2", {}, 0, 100);
  const std::uint64_t other = node_.Send("eset other 2", {}, 0, 100);
  node_.Settle();
  const model::Result* result = node_.sink.Find(waits);
  ASSERT_NE(result, nullptr);
  if (GetParam().fast_path) {
    EXPECT_EQ(result->code, Code::kLockTimeout);
    EXPECT_EQ(result->reason, "Failed to acquire lock: k Ephemeral");
  } else {
    EXPECT_EQ(result->type, ResultType::kAborted);
  }
  EXPECT_NE(node_.sink.Find(other), nullptr);
  EXPECT_EQ(node_.Text("eget k"), "1");
}

TEST_P(EnginePathsTest, ARunOverItsTimeoutIsAbortedWithoutTrace) {
  node_.Send("eset k 1\nfor i in 1..100000 do let x = i end", {}, 0, 50);
  node_.threads[0]->Post([&] { node_.clock.AdvanceMs(51); });
  node_.Settle();
  ASSERT_EQ(node_.sink.answers.size(), 1U);
  EXPECT_EQ(node_.sink.answers[0].second.reason, "Transaction aborted by timeout");
  EXPECT_EQ(node_.sink.answers[0].second.code, Code::kTimeout);
  EXPECT_EQ(node_.Run("eget k").type, ResultType::kDoesNotExist);
}

TEST_P(EnginePathsTest, RunsOfOneLaneStartInTheOrderTheyCame) {
  const std::uint64_t slow = node_.Send("for i in 1..100000 do let x = i end eset slow 1", {}, 9);
  const std::uint64_t next = node_.Send("eset a 1", {}, 9);
  const std::uint64_t last = node_.Send("eset b 1", {}, 9);
  node_.Settle();
  std::vector<std::uint64_t> order;
  for (const auto& [request, result] : node_.sink.answers) order.push_back(request);
  EXPECT_THAT(order, ElementsAre(slow, next, last));
}

TEST_P(EnginePathsTest, DroppedLaneForgetsWhatHasNotCommitted) {
  node_.Run("eset committed 1");
  node_.Send("for i in 1..100000 do let x = i end eset begun 1", {}, 9);
  node_.Send("eset waiting 1", {}, 9);
  node_.engine->DropLane(9);
  node_.Settle();
  EXPECT_EQ(node_.Text("eget committed"), "1");
  EXPECT_EQ(node_.Run("eget begun").type, ResultType::kDoesNotExist);
  EXPECT_EQ(node_.Run("eget waiting").type, ResultType::kDoesNotExist);
}

TEST_P(EnginePathsTest, MemoryBudgetRefusesGrowthButNotCounting) {
  store::TableOptions table;
  table.memory_bytes_max = 1 << 20;
  TestEngine small(Options(table));
  small.Run("eset counter 1");
  model::Result refused;
  for (int i = 0; i < 200 && refused.code == Code::kNone; ++i) {
    refused =
        small.Run("eset @k @v", {{"k", "k" + std::to_string(i)}, {"v", std::string(20'000, 'x')}});
  }
  EXPECT_EQ(refused.code, Code::kOutOfMemory);
  EXPECT_EQ(refused.line, 1);
  EXPECT_EQ(small.Run("eset counter 2").type, ResultType::kSet);
  EXPECT_EQ(small.Text("eget counter"), "2");
}

TEST_P(EnginePathsTest, RewritingOneKeyNeedsTheRoomOfOneValue) {
  store::TableOptions table;
  table.memory_bytes_max = 4 << 20;
  TestEngine small(Options(table));
  const model::Result result =
      small.Run("for i in 1..30 do eset k @v end", {{"v", std::string(1 << 20, 'x')}});
  EXPECT_EQ(result.type, ResultType::kSet) << result.reason;
}

TEST_P(EnginePathsTest, ReadsOfPersistentKeysStayWithinTheMemoryBudget) {
  store::TableOptions table;
  table.memory_bytes_max = 4 << 20;
  TestEngine small(Options(table));
  for (int i = 0; i < 20; ++i) {
    small.Run("set @k @v", {{"k", std::to_string(i)}, {"v", std::string(1 << 20, 'x')}});
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(small.Run("exists @k", {{"k", std::to_string(i)}}).type, ResultType::kExists);
  }
  EXPECT_LE(small.engine->shard(0).table_stats().memory_bytes, table.memory_bytes_max);
}

constexpr store::TableOptions kCrowdedTable{.memory_bytes_max = 2 << 20};

// Fills a crowded table: a persistent key `p` of half the budget, then ephemeral ones until it was
// driven out.
void Crowd(TestEngine& node) {
  node.Run("set p @v", {{"v", std::string(1 << 20, 'x')}});
  for (int i = 0; i < 20; ++i) {
    node.Run("eset @k @v", {{"k", std::to_string(i)}, {"v", std::string(100'000, 'x')}});
  }
}

TEST_P(EnginePathsTest, PersistentKeysAreReadEvenWhenEphemeralOnesFillTheBudget) {
  TestEngine small(Options(kCrowdedTable));
  Crowd(small);
  EXPECT_EQ(small.Run("exists p").type, ResultType::kExists);
  EXPECT_LE(small.engine->shard(0).table_stats().memory_bytes, kCrowdedTable.memory_bytes_max);
}

TEST_P(EnginePathsTest, WhatALongRunReadBeyondTheBudgetLeavesMemoryAfterIt) {
  TestEngine small(Options(kCrowdedTable));
  Crowd(small);
  EXPECT_EQ(small.Text("exists p\nfor i in 1..100000 do let x = i end\nreturn 1"), "1");
  EXPECT_LE(small.engine->shard(0).table_stats().memory_bytes, kCrowdedTable.memory_bytes_max);
}

TEST_P(EnginePathsTest, BufferedWritesCountAsMemoryOfTheRun) {
  std::string script;
  for (int i = 0; i < 20; ++i) script += "eset k" + std::to_string(i) + " @v\n";
  const model::Result refused = node_.Run(script, {{"v", std::string(1 << 20, 'x')}});
  EXPECT_EQ(refused.code, Code::kLimit);
  EXPECT_EQ(refused.reason, "Script memory limit exceeded: 16777216 at line 17");
  EXPECT_EQ(node_.Run("eget k0").type, ResultType::kDoesNotExist);
  EXPECT_EQ(node_.Run("eset k0 @v\neset k0 @v", {{"v", std::string(1 << 20, 'x')}}).type,
            ResultType::kSet);
}

// Durability.

TEST_P(EnginePathsTest, APersistentWriteIsAnsweredOnlyWhenDurable) {
  const std::uint64_t request = node_.Send("set k 1");
  while (node_.RunShards() | node_.reader.RunReady()) {
  }
  EXPECT_EQ(node_.sink.Find(request), nullptr);
  node_.Settle();
  EXPECT_NE(node_.sink.Find(request), nullptr);
}

TEST_P(EnginePathsTest, WhoReadsAnUndurableWriteWaitsForIt) {
  node_.Run("set k 0");
  node_.Send("set k 1");
  const std::uint64_t reader = node_.Send("get k");
  const std::uint64_t bystander = node_.Send("eset other 1");
  while (node_.RunShards() | node_.reader.RunReady()) {
  }
  EXPECT_EQ(node_.sink.Find(reader), nullptr);
  EXPECT_NE(node_.sink.Find(bystander), nullptr);
  node_.Settle();
  EXPECT_EQ(TestEngine::TextOf(*node_.sink.Find(reader)), "1");
}

TEST_P(EnginePathsTest, TheDependencyTravelsThroughEphemeralKeys) {
  node_.Run("set p 0");
  node_.Send("set p 1");
  node_.Send("let v = get p\neset e v");
  const std::uint64_t detour = node_.Send("eget e");
  while (node_.RunShards() | node_.reader.RunReady()) {
  }
  EXPECT_EQ(node_.sink.Find(detour), nullptr);
  node_.Settle();
  EXPECT_EQ(TestEngine::TextOf(*node_.sink.Find(detour)), "1");
}

TEST_P(EnginePathsTest, AStampAboveTheDurableBoundWaitsForTheBound) {
  node_.Run("eset k 1");
  node_.clock.AdvanceMs(5'000);
  const std::uint64_t request = node_.Send("eset k 2");
  while (node_.RunShards() | node_.reader.RunReady()) {
  }
  EXPECT_EQ(node_.sink.Find(request), nullptr);
  node_.Settle();
  EXPECT_NE(node_.sink.Find(request), nullptr);
}

// What only the fast path or only several shards do.

TEST(EngineTest, SingleTurnRunsTakeTheFastPathUnlessItIsOff) {
  PALENA_SKIP_IF_HOSTILE("a turn has one step there, and no run ends within it");
  TestEngine fast;
  fast.Run("eset k 1");
  EXPECT_EQ(fast.engine->shard(0).counters().fast_runs, 1U);
  TestEngine general(TestEngineOptions{.fast_path = false});
  general.Run("eset k 1");
  EXPECT_EQ(general.engine->shard(0).counters().fast_runs, 0U);
}

TEST(EngineTest, AKeyThatTheLogKnowsFromMemoryTakesTheFastPath) {
  PALENA_SKIP_IF_HOSTILE("nothing is known from memory there");
  TestEngine node;
  node.Run("set k 1");
  node.Run("get absent");
  EXPECT_EQ(node.engine->shard(0).counters().disk_fetches, 0U);
  EXPECT_EQ(node.engine->shard(0).counters().fast_runs, 2U);
}

TEST(EngineTest, AKeyThatOnlyTheDiskKnowsIsFetchedOnce) {
  TestEngineOptions options;
  options.capacities.peeks_into_log = false;
  TestEngine node(options);
  node.Run("set k 1");
  node.Run("get k");
  EXPECT_EQ(node.engine->shard(0).counters().disk_fetches, 1U);
}

TEST(EngineTest, AnyShardServesAnyKeyByOneHop) {
  TestEngine node(TestEngineOptions{.shards = 4});
  for (int i = 0; i < 50; ++i) {
    const std::string key = "key" + std::to_string(i);
    std::vector<model::ParameterView> parameters{{"k", -1, key}};
    model::RequestView request;
    request.script = "eset @k 1 nx";
    request.parameters = parameters;
    Shard& shard = node.engine->shard(static_cast<unsigned>(i) % 4);
    shard.BeginTurn();
    shard.Execute({request, {&node.sink, 0, ++node.last_request}, 0});
    shard.EndTurn();
  }
  node.Settle();
  ASSERT_EQ(node.sink.answers.size(), 50U);
  for (const auto& [request, result] : node.sink.answers) EXPECT_EQ(result.type, ResultType::kSet);
}

TEST(EngineTest, OrderAcrossShardsHoldsWithAFrozenClock) {
  TestEngine node(TestEngineOptions{.shards = 4});
  hlc::Stamp last;
  for (int i = 0; i < 200; ++i) {
    const hlc::Stamp stamp = node.Run("eset @k 1", {{"k", std::to_string(i)}}).stamp;
    EXPECT_LT(last, stamp);
    last = stamp;
  }
}

TEST(EngineTest, UnknownProgramIsATypedRefusal) {
  TestEngine node;
  model::RequestView request;
  request.program_id = model::ProgramId{};
  node.engine->ExecuteFromOutside({request, {&node.sink, 0, 1}, 0});
  EXPECT_EQ(node.sink.Find(1)->code, Code::kUnknownProgram);
  EXPECT_EQ(node.sink.Find(1)->type, ResultType::kInvalidInput);
}

TEST(EngineTest, PreparedProgramRunsByItsId) {
  TestEngine node;
  const model::ScriptOr<ProgramPtr> program = node.engine->Prepare("return @a");
  ASSERT_TRUE(program.ok());
  std::vector<model::ParameterView> parameters{{"", 0, "by slot"}};
  model::RequestView request;
  request.program_id = (*program)->id();
  request.parameters = parameters;
  node.engine->ExecuteFromOutside({request, {&node.sink, 0, 1}, 0});
  node.Settle();
  EXPECT_EQ(TestEngine::TextOf(*node.sink.Find(1)), "by slot");
}

TEST(EngineTest, OpenRunsAreBounded) {
  TestEngine node(TestEngineOptions{.open_runs_max = 2});
  for (int i = 0; i < 3; ++i) node.Send("for i in 1..100000 do let x = i end eset k 1");
  node.Settle();
  int refused = 0;
  for (const auto& [request, result] : node.sink.answers) {
    refused += result.code == Code::kOverloaded;
  }
  EXPECT_EQ(refused, 1);
}

TEST(EngineTest, DrainingRefusesNewRunsAndFinishesOldOnes) {
  TestEngine node;
  const std::uint64_t old = node.Send("for i in 1..100000 do let x = i end set k 1");
  bool is_drained = false;
  node.engine->Drain([&] { is_drained = true; });
  const std::uint64_t late = node.Send("eset k 1");
  EXPECT_EQ(node.sink.Find(late)->code, Code::kDraining);
  node.Settle();
  EXPECT_TRUE(is_drained);
  EXPECT_EQ(node.sink.Find(old)->type, ResultType::kSet);
}

TEST(EngineTest, MetricsAddUpOverShards) {
  TestEngine node(TestEngineOptions{.shards = 4});
  for (int i = 0; i < 10; ++i) node.Run("eset @k 1", {{"k", std::to_string(i)}});
  EXPECT_EQ(node.Metric("runs"), 10);
}

}  // namespace
}  // namespace palena::engine
