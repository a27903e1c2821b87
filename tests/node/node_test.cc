#include "palena/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "base/temp_dir.h"

namespace palena {
namespace {

using testing::HasSubstr;

class NodeTest : public testing::Test {
 protected:
  std::unique_ptr<Node> Open(unsigned shards = 2) {
    NodeOptions options;
    options.data_dir = directory_ / "data";
    options.shards = shards;
    auto node = Node::Open(options);
    EXPECT_TRUE(node.ok()) << node.status().message();
    return *std::move(node);
  }

  base::TempDir directory_;
};

TEST_F(NodeTest, PersistentKeysOutliveTheNodeAndEphemeralOnesDoNot) {
  {
    auto node = Open();
    EXPECT_EQ(node->Execute("set kept 'on disk'").type, ResultType::kSet);
    EXPECT_EQ(node->Execute("eset gone 'in memory'").type, ResultType::kSet);
  }
  auto node = Open();
  EXPECT_EQ(node->Execute("get kept").text(), "on disk");
  EXPECT_EQ(node->Execute("eget gone").type, ResultType::kDoesNotExist);
}

TEST_F(NodeTest, RevisionsOfPersistentKeysGoOnAfterARestart) {
  {
    auto node = Open();
    node->Execute("set k 'zero'");
    node->Execute("set k 'one'");
    node->Execute("delete k");
  }
  auto node = Open();
  EXPECT_EQ(node->Execute("set k 'three'").values[0].revision, 3);
  EXPECT_EQ(node->Execute("get k at 1").text(), "one");
  EXPECT_EQ(node->Execute("get k at 2").type, ResultType::kDoesNotExist);
}

TEST_F(NodeTest, StampsOfARestartedNodeLieAboveAllEarlierOnes) {
  Stamp before;
  {
    auto node = Open();
    before = node->Execute("return 1").stamp;
  }
  auto node = Open();
  const Stamp after = node->Execute("return 1").stamp;
  EXPECT_GT(std::pair(after.ms, after.counter), std::pair(before.ms, before.counter));
}

TEST_F(NodeTest, NumberOfShardsMayChangeOverARestart) {
  {
    auto node = Open(1);
    for (int i = 0; i < 20; ++i) node->Execute("set @k 1", {{"k", std::to_string(i)}});
  }
  auto node = Open(4);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(node->Execute("get @k", {{"k", std::to_string(i)}}).text(), "1");
  }
}

TEST_F(NodeTest, SecondNodeOnTheDirectoryIsRefused) {
  auto node = Open();
  NodeOptions options;
  options.data_dir = directory_ / "data";
  const auto second = Node::Open(options);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(second.status().message(), HasSubstr(options.data_dir));
}

TEST_F(NodeTest, BadOptionsAreNamed) {
  NodeOptions options;
  options.shards = 1000;
  const auto node = Node::Open(options);
  ASSERT_FALSE(node.ok());
  EXPECT_EQ(node.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(node.status().message(), HasSubstr("1000"));
}

TEST_F(NodeTest, ConcurrentTakesOfOneLimitAdmitExactlyTheLimit) {
  auto node = Open();
  constexpr std::string_view kTake =
      "let n = eget @k\nif not found then\n eset @k 1\n return 1\nend\n"
      "if to_int(n) >= 100 then\n return 0\nend\neset @k to_int(n) + 1\nreturn 1";
  std::atomic<int> allowed = 0;
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 100; ++i) allowed += node->Execute(kTake, {{"k", "limit"}}).text() == "1";
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(allowed, 100);
}

TEST_F(NodeTest, EveryCallbackIsCalledBeforeTheNodeIsGone) {
  std::atomic<int> answered = 0;
  {
    auto node = Open();
    for (int i = 0; i < 100; ++i) {
      node->ExecuteAsync("set @k 1", {{"k", std::to_string(i)}}, [&](Result) { ++answered; });
    }
  }
  EXPECT_EQ(answered, 100);
}

TEST_F(NodeTest, WithoutADirectoryPersistentKeysLiveInMemory) {
  auto node = Node::Open(NodeOptions{});
  ASSERT_TRUE(node.ok());
  EXPECT_EQ((*node)->Execute("set k 1").type, ResultType::kSet);
  EXPECT_EQ((*node)->Execute("get k").text(), "1");
}

}  // namespace
}  // namespace palena
