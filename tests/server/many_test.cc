// ExecuteMany over TCP: a real server with four shards and the client library.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "node/many_takes.h"
#include "server/running_server.h"

namespace palena::server {
namespace {

using testing::ElementsAre;

class ManyOverTcpTest : public testing::Test {
 protected:
  ManyOverTcpTest() : server_(clock_, {.shards = 4}), client_(server_.Connect()) {}

  ManyResult Run(const Many& many) {
    const StatusOr<ManyResult> result = client_->ExecuteMany(many);
    EXPECT_TRUE(result.ok()) << result.status().message();
    return result.ok() ? *result : ManyResult{};
  }

  base::SystemClock clock_;
  RunningServer server_;
  std::unique_ptr<Client> client_;
};

TEST_F(ManyOverTcpTest, AppliesAllOrNone) {
  const Many many{{Take("a", 2), Take("b", 1)}, {Take("a", 2, 0)}};
  EXPECT_TRUE(Run(many).is_applied());
  const ManyResult second = Run(many);
  EXPECT_TRUE(second.ok());
  EXPECT_FALSE(second.is_applied());
  EXPECT_THAT(second.refused, ElementsAre(1U));
  EXPECT_EQ(second.calls[0].values[1].value, "2");
  EXPECT_EQ(second.otherwise[0].values[1].value, "1");
  EXPECT_EQ(client_->Execute("eget a")->text(), "1");
}

TEST_F(ManyOverTcpTest, AFailureNamesTheCall) {
  const ManyResult result = Run({{Take("a", 2), {"throw \"no\""}}});
  EXPECT_EQ(result.verdict.code, "THROWN");
  EXPECT_EQ(result.verdict.reason, "calls[1]: no at line 1");
  EXPECT_EQ(result.failed, 1U);
}

TEST_F(ManyOverTcpTest, TheServerRefusesMoreThanItsLimit) {
  const ManyResult result = Run({std::vector<ManyCall>(33, Take("a", 2))});
  EXPECT_EQ(result.verdict.code, "MALFORMED");
  EXPECT_EQ(Run({}).verdict.code, "MALFORMED");
}

TEST_F(ManyOverTcpTest, MixesWithPlainRunsInOnePipeline) {
  std::vector<std::future<bool>> ends;
  for (int i = 0; i < 200; ++i) {
    auto promise = std::make_shared<std::promise<bool>>();
    ends.push_back(promise->get_future());
    if (i % 2 == 0) {
      client_->ExecuteManyAsync(
          {{Take("a", 1'000), Take("b", 1'000)}},
          [promise](StatusOr<ManyResult> r) { promise->set_value(r.ok() && r->is_applied()); });
    } else {
      const ManyCall take = Take("a", 1'000);
      client_->ExecuteAsync(take.script, take.parameters, [promise](StatusOr<Result> r) {
        promise->set_value(r.ok() && r->text() == "1");
      });
    }
  }
  for (std::future<bool>& end : ends) EXPECT_TRUE(end.get());
  EXPECT_EQ(client_->Execute("eget a")->text(), "200");
  EXPECT_EQ(client_->Execute("eget b")->text(), "100");
}

TEST_F(ManyOverTcpTest, SixteenThreadsAdmitTheSmallerOfTwoLimits) {
  ExpectTwoAdmitTheSmallerLimit([&](const Many& many) { return Run(many); });
}

TEST_F(ManyOverTcpTest, SixteenThreadsAdmitExactlyOnEachOfThreeLimits) {
  ExpectThreeAdmitExactly([&](const Many& many) { return Run(many); });
}

}  // namespace
}  // namespace palena::server
