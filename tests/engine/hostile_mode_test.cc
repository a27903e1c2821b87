// That hostile mode (docs/testing.md) is on when it is asked for: each claim fails at the usual
// capacities.

#include <gtest/gtest.h>

#include "base/capacities.h"
#include "engine/engine_fixture.h"

namespace palena::engine {
namespace {

constexpr char kHundredRounds[] = "for i in 1..100 do let x = i end eset k 1";

TestEngineOptions Hostile(bool fast_path) {
  return {.fast_path = fast_path, .capacities = base::Capacities::Hostile()};
}

TEST(HostileModeTest, TheSuiteRunsInTheModeThatItWasAskedFor) {
  TestEngine node;
  node.Run(kHundredRounds);
  EXPECT_EQ(node.engine->shard(0).counters().slices > 0, base::IsHostile());
}

TEST(HostileModeTest, EachStepIsASliceOfItsOwnOnEitherPath) {
  for (const bool fast_path : {true, false}) {
    TestEngine node(Hostile(fast_path));
    node.Run(kHundredRounds);
    EXPECT_GE(node.engine->shard(0).counters().slices, 200U) << fast_path;
    EXPECT_EQ(node.engine->shard(0).counters().fast_runs, 0U) << fast_path;
  }
}

TEST(HostileModeTest, OneProgramIsKept) {
  TestEngine node(Hostile(true));
  for (const char* script : {"return 1", "return 2", "return 1"}) node.Run(script);
  EXPECT_EQ(node.Metric("programs"), 1);
  EXPECT_EQ(node.Metric("programs_evicted"), 2);
}

TEST(HostileModeTest, EachCommitIsABatchOfItsOwn) {
  TestEngine node(Hostile(true));
  for (int i = 0; i < 10; ++i) node.Send("set @k 1", {{"k", std::to_string(i)}});
  node.Settle();
  EXPECT_EQ(node.Metric("log_commits"), 10);
  EXPECT_GE(node.Metric("log_batches"), 10);
}

}  // namespace
}  // namespace palena::engine
