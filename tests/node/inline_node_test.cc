#include "node/inline_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/allocation_count.h"
#include "base/hostile.h"
#include "base/read_file.h"
#include "base/temp_dir.h"
#include "engine/metric_of.h"

namespace palena {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr std::string_view kCountTo300000 =
    "let n = 0 for i in 1..300 do for j in 1..1000 do "
    "let n = n + 1 end end eset k n return n";

// An inline node on a clock that moves when the test says, or when the node sleeps.
class InlineNodeTest : public testing::Test {
 protected:
  InlineNodeTest() { Open(""); }

  void Open(const std::string& data_dir) {
    NodeOptions options;
    options.data_dir = data_dir;
    options.threading = Threading::kInline;
    node_.reset();
    auto impl = node::InlineNode::Open(options, clock_, base::TestCapacities());
    ASSERT_TRUE(impl.ok()) << impl.status();
    engine_ = &(*impl)->engine();
    node_ = std::make_unique<Node>(*std::move(impl));
  }

  void PollUntilIdle() {
    while (node_->Poll() == milliseconds(0)) {
    }
  }

  // One of the node's counters.
  std::int64_t Metric(std::string_view name) {
    std::int64_t value = 0;
    engine_->CollectMetrics([&](const std::vector<engine::Metric>& metrics) {
      value = engine::MetricOf(metrics, name);
    });
    PollUntilIdle();
    return value;
  }

  std::int64_t ElapsedMs() const { return (clock_->SteadyNs() - began_ns_) / 1'000'000; }

  base::TempDir directory_;
  const std::shared_ptr<base::ManualClock> clock_ = std::make_shared<base::ManualClock>();
  const std::int64_t began_ns_ = clock_->SteadyNs();
  engine::Engine* engine_ = nullptr;
  std::unique_ptr<Node> node_;
};

TEST(InlineNodeOptionsTest, OtherThanOneShardIsRefusedByItsNumber) {
  NodeOptions options;
  options.threading = Threading::kInline;
  options.shards = 4;
  const auto node = Node::Open(options);
  ASSERT_FALSE(node.ok());
  EXPECT_EQ(node.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(node.status().message(), HasSubstr("shards: 4"));
}

TEST(ThreadedNodePollTest, HasNothingToDo) {
  const auto node = Node::Open({.shards = 1});
  EXPECT_EQ((*node)->Poll(), std::nullopt);
}

TEST_F(InlineNodeTest, AnAsyncCallIsAnsweredByPollAndNotBefore) {
  std::string answer;
  node_->ExecuteAsync("return 7", {}, [&](Result result) { answer = result.text(); });
  EXPECT_EQ(answer, "");
  PollUntilIdle();
  EXPECT_EQ(answer, "7");
}

TEST_F(InlineNodeTest, ARefusalOfAnAsyncCallComesAtOnce) {
  std::string code;
  node_->ExecuteAsync("let", {}, [&](Result result) { code = result.code; });
  EXPECT_EQ(code, "SYNTAX");
}

TEST_F(InlineNodeTest, PollTellsWhenTheNextTimerIsDue) {
  PollUntilIdle();
  const milliseconds first = *node_->Poll();
  EXPECT_GT(first, milliseconds(1));
  clock_->AdvanceMs(1);
  EXPECT_EQ(node_->Poll(), first - milliseconds(1));
  clock_->Advance(1);
  EXPECT_EQ(node_->Poll(), first - milliseconds(1)) << "rounded up, so that nobody comes too early";
}

TEST_F(InlineNodeTest, KeysExpireWithTimeAndPollRemovesThem) {
  node_->Execute("eset k 1 ex 50");
  clock_->AdvanceMs(51);
  EXPECT_EQ(node_->Execute("eget k").type, ResultType::kDoesNotExist);
  for (int i = 0; i < 50; ++i) {
    clock_->AdvanceMs(100);
    PollUntilIdle();
  }
  EXPECT_EQ(Metric("expired_swept"), 1);
}

TEST_F(InlineNodeTest, TimersAreServedAlsoWhenNobodyPolls) {
  node_->Execute("eset k 1 ex 50");
  for (int i = 0; i < 50; ++i) {
    clock_->AdvanceMs(100);
    node_->Execute("return 1");
  }
  EXPECT_EQ(Metric("expired_swept"), 1);
}

TEST_F(InlineNodeTest, ABlockingCallReturnsOnceItsCommitIsSynced) {
  Open(directory_ / "data");
  EXPECT_EQ(node_->Execute("set k 1").type, ResultType::kSet);
  const std::int64_t durable = Metric("log_sequence_durable");
  EXPECT_EQ(durable, 1);
  EXPECT_EQ(Metric("log_commits"), 1);
}

TEST_F(InlineNodeTest, AsyncWritesAtHandShareOneSync) {
  PALENA_SKIP_IF_HOSTILE("each commit is a batch of its own");
  Open(directory_ / "data");
  node_->Execute("return 1");  // the clock bound is durable
  const std::int64_t before = Metric("log_batches");
  int answered = 0;
  for (int i = 0; i < 50; ++i) {
    node_->ExecuteAsync("set @k 1", {{"k", std::to_string(i)}}, [&](Result) { ++answered; });
  }
  PollUntilIdle();
  EXPECT_EQ(answered, 50);
  EXPECT_EQ(Metric("log_batches"), before + 1);
}

TEST_F(InlineNodeTest, KeysOnDiskAreReadByTheCallItself) {
  Open(directory_ / "data");
  node_->Execute("set k 'kept'");
  Open(directory_ / "data");
  EXPECT_EQ(node_->Execute("get k").text(), "kept");
  EXPECT_EQ(Metric("disk_fetches"), 1);
}

TEST_F(InlineNodeTest, ARestartRightAfterwardsSleepsUntilItsStampsAreNew) {
  Open(directory_ / "data");
  const Stamp before = node_->Execute("return 1").stamp;
  Open(directory_ / "data");
  EXPECT_GT(ElapsedMs(), 0);
  EXPECT_GT(node_->Execute("return 1").stamp.ms, before.ms);
}

TEST_F(InlineNodeTest, ACallOnALockedKeyWaitsForTheRunThatHoldsIt) {
  std::string first;
  node_->ExecuteAsync(kCountTo300000, {}, [&](Result result) { first = result.text(); });
  EXPECT_EQ(node_->Execute("eget k").text(), "300000");
  EXPECT_EQ(first, "300000");
  EXPECT_GE(Metric("lock_waits"), 1);
}

TEST_F(InlineNodeTest, ACallOnAnotherKeyOvertakesALongRun) {
  std::string first;
  node_->ExecuteAsync(kCountTo300000, {}, [&](Result result) { first = result.text(); });
  EXPECT_EQ(node_->Execute("eset other 1 return 5").text(), "5");
  EXPECT_EQ(first, "");
  PollUntilIdle();
  EXPECT_EQ(first, "300000");
}

TEST_F(InlineNodeTest, EveryCallbackIsCalledBeforeTheNodeIsGone) {
  int answered = 0;
  for (int i = 0; i < 10; ++i) {
    node_->ExecuteAsync("set k 1", {}, [&](Result result) { answered += result.ok(); });
  }
  node_->ExecuteAsync(kCountTo300000, {}, [&](Result result) { answered += result.ok(); });
  EXPECT_EQ(answered, 0);
  node_.reset();
  EXPECT_EQ(answered, 11);
}

TEST_F(InlineNodeTest, AWarmPreparedRunAllocatesNothing) {
  PALENA_SKIP_IF_HOSTILE("the general path makes locks");
  const PreparedProgram window =
      *node_->Prepare(base::ReadFile(PALENA_SOURCE_DIR "/scripts/recipes/fixed_window.pal"));
  ASSERT_THAT(window.parameters(), testing::ElementsAre("@counter_key", "@expires_ms", "@limit"));
  Result result;
  for (int i = 0; i < 3; ++i) node_->Execute(window, {"login:ada", "60000", "100"}, result);
  PollUntilIdle();

  const std::size_t before = base::AllocationCount();
  for (int i = 0; i < 10; ++i) node_->Execute(window, {"login:ada", "60000", "100"}, result);
  EXPECT_EQ(base::AllocationCount(), before);
  EXPECT_EQ(result.text(), "1");
}

// Runs before all others (gtest knows the name): no thread of the database is there yet to fork.
using InlineNodeDeathTest = InlineNodeTest;

TEST_F(InlineNodeDeathTest, AnotherThreadsCallEndsTheProcess) {
  EXPECT_DEATH(std::thread([this] { node_->Execute("return 1"); }).join(), "owner_");
}

TEST_F(InlineNodeDeathTest, ABlockingCallFromACallbackEndsTheProcess) {
  const auto ask_within_a_callback = [this] {
    node_->ExecuteAsync("return 1", {}, [this](Result) { node_->Execute("return 2"); });
    node_->Poll();
  };
  EXPECT_DEATH(ask_within_a_callback(), "is_working_");
}

}  // namespace
}  // namespace palena
