#include "palena/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "base/hostile.h"
#include "base/temp_dir.h"
#include "node/node_impl.h"

namespace palena {
namespace {

using testing::HasSubstr;

// As Node::Open, in the mode that the suite runs in.
StatusOr<std::unique_ptr<Node>> OpenNode(const NodeOptions& options) {
  return Node::Impl::Open(options, std::make_shared<base::SystemClock>(), base::TestCapacities());
}

// What every node promises, whoever's threads it runs on.
class NodeTest : public testing::TestWithParam<Threading> {
 protected:
  NodeOptions Options() const {
    NodeOptions options;
    options.data_dir = directory_ / "data";
    options.threading = GetParam();
    if (GetParam() == Threading::kThreads) options.shards = 2;
    return options;
  }
  static std::unique_ptr<Node> Open(const NodeOptions& options) {
    auto node = OpenNode(options);
    EXPECT_TRUE(node.ok()) << node.status().message();
    return *std::move(node);
  }
  std::unique_ptr<Node> Open() const { return Open(Options()); }

  base::TempDir directory_;
};

INSTANTIATE_TEST_SUITE_P(Node, NodeTest, testing::Values(Threading::kThreads, Threading::kInline),
                         [](const testing::TestParamInfo<Threading>& mode) {
                           return mode.param == Threading::kInline ? "Inline" : "Threads";
                         });

// What only a node with threads can do.
class ThreadedNodeTest : public testing::Test {
 protected:
  std::unique_ptr<Node> Open(unsigned shards) const {
    NodeOptions options;
    options.data_dir = directory_ / "data";
    options.shards = shards;
    auto node = OpenNode(options);
    EXPECT_TRUE(node.ok()) << node.status().message();
    return *std::move(node);
  }

  base::TempDir directory_;
};

TEST_P(NodeTest, PersistentKeysOutliveTheNodeAndEphemeralOnesDoNot) {
  {
    auto node = Open();
    EXPECT_EQ(node->Execute("set kept 'on disk'").type, ResultType::kSet);
    EXPECT_EQ(node->Execute("eset gone 'in memory'").type, ResultType::kSet);
  }
  auto node = Open();
  EXPECT_EQ(node->Execute("get kept").text(), "on disk");
  EXPECT_EQ(node->Execute("eget gone").type, ResultType::kDoesNotExist);
}

TEST_P(NodeTest, RevisionsOfPersistentKeysGoOnAfterARestart) {
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

// The versions of `doc` that answer, oldest first, once no more of them go.
std::string VersionsLeft(Node& node, int versions, const std::string& expected) {
  std::string left;
  for (int tries = 0; tries < 1000; ++tries) {
    left.clear();
    for (int i = 0; i < versions; ++i) {
      const Result result = node.Execute("get doc at " + std::to_string(i));
      if (result.type == ResultType::kGet) left += std::to_string(i);
    }
    if (left == expected) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return left;
}

TEST_P(NodeTest, ARetentionTrimsTheHistoryOfPersistentKeysByItself) {
  NodeOptions options = Options();
  options.revision_retention_count = 3;
  const auto node = Open(options);
  for (int i = 0; i < 8; ++i) node->Execute("set doc " + std::to_string(i));
  EXPECT_EQ(VersionsLeft(*node, 8, "567"), "567");
}

TEST_P(NodeTest, StampsOfARestartedNodeLieAboveAllEarlierOnes) {
  Stamp before;
  {
    auto node = Open();
    before = node->Execute("return 1").stamp;
  }
  auto node = Open();
  const Stamp after = node->Execute("return 1").stamp;
  EXPECT_GT(std::pair(after.ms, after.counter), std::pair(before.ms, before.counter));
}

TEST_F(ThreadedNodeTest, NumberOfShardsMayChangeOverARestart) {
  {
    auto node = Open(1);
    for (int i = 0; i < 20; ++i) node->Execute("set @k 1", {{"k", std::to_string(i)}});
  }
  auto node = Open(4);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(node->Execute("get @k", {{"k", std::to_string(i)}}).text(), "1");
  }
}

TEST_P(NodeTest, SecondNodeOnTheDirectoryIsRefused) {
  auto node = Open();
  const auto second = OpenNode(Options());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(second.status().message(), HasSubstr(Options().data_dir));
}

TEST_P(NodeTest, BadOptionsAreNamed) {
  NodeOptions options = Options();
  options.shards = 1000;
  const auto node = OpenNode(options);
  ASSERT_FALSE(node.ok());
  EXPECT_EQ(node.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(node.status().message(), HasSubstr("1000"));
}

TEST_F(ThreadedNodeTest, ConcurrentTakesOfOneLimitAdmitExactlyTheLimit) {
  auto node = Open(2);
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

TEST_P(NodeTest, EveryCallbackIsCalledBeforeTheNodeIsGone) {
  std::atomic<int> answered = 0;
  {
    auto node = Open();
    for (int i = 0; i < 100; ++i) {
      node->ExecuteAsync("set @k 1", {{"k", std::to_string(i)}}, [&](Result) { ++answered; });
    }
  }
  EXPECT_EQ(answered, 100);
}

TEST_P(NodeTest, WithoutADirectoryPersistentKeysLiveInMemory) {
  NodeOptions options = Options();
  options.data_dir.clear();
  auto node = Open(options);
  EXPECT_EQ(node->Execute("set k 1").type, ResultType::kSet);
  EXPECT_EQ(node->Execute("get k").text(), "1");
}

TEST_P(NodeTest, APreparedProgramAnswersAsItsTextDoes) {
  auto node = Open();
  const auto program = node->Prepare("eset @k to_int(@by) + 1 return @by");
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_THAT(program->parameters(), testing::ElementsAre("@k", "@by"));
  EXPECT_EQ(node->Execute(*program, {"hello", "4"}).text(), "4");
  EXPECT_EQ(node->Execute("eget hello").text(), "5");
}

TEST_P(NodeTest, APreparedProgramOutlivesItsNodeAndServesAnother) {
  auto first = Open();
  const PreparedProgram program = *first->Prepare("set @k 1");
  first.reset();
  EXPECT_EQ(Open()->Execute(program, {"hello"}).type, ResultType::kSet);
}

TEST_P(NodeTest, ATextThatDoesNotCompileIsRefusedWithItsLine) {
  auto node = Open();
  const auto program = node->Prepare("let x = 1\nlet = 2");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(program.status().message(), node->Execute("let x = 1\nlet = 2").reason);
  EXPECT_THAT(program.status().message(), HasSubstr("line 2"));
}

TEST_P(NodeTest, MissingValuesAreUndefinedParametersAndSurplusOnesAreRefused) {
  auto node = Open();
  const PreparedProgram program = *node->Prepare("return concat(@a, @b)");
  EXPECT_THAT(node->Execute(program, {"1"}).reason, HasSubstr("Undefined parameter: @b"));
  const Result surplus = node->Execute(program, {"1", "2", "3"});
  EXPECT_EQ(surplus.code, "MALFORMED");
  EXPECT_EQ(surplus.reason, "3 values for a program with 2 parameters");
}

TEST_P(NodeTest, AResultThatIsUsedAgainShowsNothingOfTheRunBefore) {
  auto node = Open();
  const PreparedProgram array = *node->Prepare("return [1, 2]");
  const PreparedProgram failing = *node->Prepare("throw 'no'");
  const PreparedProgram write = *node->Prepare("eset k 1");
  Result result;
  node->Execute(array, {}, result);
  EXPECT_EQ(result.values.size(), 2u);
  node->Execute(failing, {}, result);
  EXPECT_TRUE(result.values.empty());
  EXPECT_EQ(result.code, "THROWN");
  EXPECT_EQ(result.applied, Applied::kNo);
  node->Execute(write, {}, result);
  EXPECT_EQ(result.code + result.reason, "");
  EXPECT_EQ(result.line, 0);
  EXPECT_EQ(result.values[0].value, std::nullopt);
}

TEST_P(NodeTest, ACallBeginsAfterThoseThatTheSameThreadMadeBefore) {
  auto node = Open();
  for (int i = 0; i < 100; ++i) {
    node->ExecuteAsync("eset k @i", {{"i", std::to_string(i)}}, [](Result) {});
    EXPECT_EQ(node->Execute("eget k").text(), std::to_string(i));
  }
}

TEST_P(NodeTest, ACallbackMayAskAgain) {
  std::atomic<int> answered = 0;
  {
    auto node = Open();
    const auto again = [&, raw = node.get()](const Result&) {
      ++answered;
      raw->ExecuteAsync("set k 2", {}, [&](Result) { ++answered; });
    };
    node->ExecuteAsync("set k 1", {}, again);
    node->Execute("get k");
    node->Execute("get k");
  }
  EXPECT_EQ(answered, 2);
}

TEST_P(NodeTest, ARunOfManySlicesIsAnsweredBeforeTheNodeIsGone) {
  // In hostile mode each step is a slice, and five seconds are all that the run has.
  const std::string rounds = base::IsHostile() ? "10" : "1000";
  std::string answer;
  {
    auto node = Open();
    node->ExecuteAsync(
        "let n = 0 for i in 1.." + rounds + " do for j in 1..200 do let n = n + 1 end end return n",
        {}, [&](Result result) { answer = result.text(); });
  }
  EXPECT_EQ(answer, std::to_string(200 * std::stoi(rounds)));
}

}  // namespace
}  // namespace palena
