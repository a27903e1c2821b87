// ExecuteMany of an embedded node, on threads of its own and inline.

#include "node/many_takes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include "base/hostile.h"
#include "node/node_impl.h"
#include "palena/node.h"

namespace palena {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ManyNodeTest : public testing::TestWithParam<Threading> {
 protected:
  ManyNodeTest() {
    NodeOptions options;
    options.threading = GetParam();
    if (GetParam() == Threading::kThreads) options.shards = 4;
    auto node =
        Node::Impl::Open(options, std::make_shared<base::SystemClock>(), base::TestCapacities());
    EXPECT_TRUE(node.ok()) << node.status().message();
    node_ = *std::move(node);
  }

  std::unique_ptr<Node> node_;
};

INSTANTIATE_TEST_SUITE_P(Node, ManyNodeTest,
                         testing::Values(Threading::kThreads, Threading::kInline),
                         [](const testing::TestParamInfo<Threading>& mode) {
                           return mode.param == Threading::kInline ? "Inline" : "Threads";
                         });

TEST_P(ManyNodeTest, AppliesAllOrNone) {
  const Many many{{Take("a", 2), Take("b", 1)}, {Take("a", 2, 0)}};
  const ManyResult first = node_->ExecuteMany(many);
  EXPECT_TRUE(first.ok());
  EXPECT_TRUE(first.is_applied());
  EXPECT_THAT(first.refused, IsEmpty());
  ASSERT_EQ(first.calls.size(), 2U);
  EXPECT_EQ(first.calls[0].values[1].value, "1");
  const ManyResult second = node_->ExecuteMany(many);
  EXPECT_TRUE(second.ok());
  EXPECT_FALSE(second.is_applied());
  EXPECT_THAT(second.refused, ElementsAre(1U));
  ASSERT_EQ(second.otherwise.size(), 1U);
  EXPECT_EQ(second.otherwise[0].values[1].value, "1");
  EXPECT_EQ(node_->Execute("eget a").text(), "1");
}

TEST_P(ManyNodeTest, WaitsForTheLogWhenOneWritesAPersistentKey) {
  const ManyResult result = node_->ExecuteMany({{{"set p 1\nreturn 1"}, Take("a", 2)}});
  EXPECT_TRUE(result.is_applied());
  EXPECT_EQ(node_->Execute("get p").text(), "1");
}

TEST_P(ManyNodeTest, AFailureNamesTheCall) {
  const ManyResult result = node_->ExecuteMany({{Take("a", 2), {"\nreturn 1 / 0"}}});
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.verdict.reason, "calls[1]: Division by zero at line 2");
  EXPECT_EQ(result.failed, 1U);
  EXPECT_EQ(node_->Execute("eget a").type, ResultType::kDoesNotExist);
}

TEST_P(ManyNodeTest, ASleepingCallIsWaitedFor) {
  const ManyResult result = node_->ExecuteMany({{Take("a", 2), {"sleep 2\nreturn 1"}}});
  EXPECT_TRUE(result.is_applied());
}

TEST_P(ManyNodeTest, CallsBackOnce) {
  std::promise<ManyResult> promise;
  node_->ExecuteManyAsync({{Take("a", 2)}},
                          [&](ManyResult result) { promise.set_value(std::move(result)); });
  if (GetParam() == Threading::kInline) {
    while (node_->Poll() == std::chrono::milliseconds(0)) {
    }
  }
  EXPECT_TRUE(promise.get_future().get().is_applied());
}

TEST_P(ManyNodeTest, CallsBackWithARefusalBeforeTheRun) {
  std::promise<ManyResult> promise;
  node_->ExecuteManyAsync({}, [&](ManyResult result) { promise.set_value(std::move(result)); });
  EXPECT_EQ(promise.get_future().get().verdict.code, "MALFORMED");
}

TEST(ManyLoadTest, SixteenThreadsAdmitTheSmallerOfTwoLimits) {
  NodeOptions options;
  options.shards = 4;
  const auto node =
      *Node::Impl::Open(options, std::make_shared<base::SystemClock>(), base::TestCapacities());
  ExpectTwoAdmitTheSmallerLimit([&](const Many& many) { return node->ExecuteMany(many); });
}

TEST(ManyLoadTest, SixteenThreadsAdmitExactlyOnEachOfThreeLimits) {
  NodeOptions options;
  options.shards = 4;
  const auto node =
      *Node::Impl::Open(options, std::make_shared<base::SystemClock>(), base::TestCapacities());
  ExpectThreeAdmitExactly([&](const Many& many) { return node->ExecuteMany(many); });
}

}  // namespace
}  // namespace palena
