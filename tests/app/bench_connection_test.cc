#include "app/bench_connection.h"

#include <gtest/gtest.h>

#include "app/bench_redis.h"

namespace palena::app {
namespace {

class BenchConnectionTest : public testing::Test {
 protected:
  BenchConnection connection_{std::make_unique<RedisProtocol>(RedisProtocol::Options{
                                  .script = {}, .script_keys = 0, .values_count = 1}),
                              /*depth=*/2, /*index=*/7};
  std::string out_;
  const std::vector<std::string> values_ = {"PING"};
};

TEST_F(BenchConnectionTest, HasRoomForAsManyRequestsAsItsDepth) {
  connection_.AppendRequest(out_, 10, values_);
  connection_.AppendRequest(out_, 20, values_);
  EXPECT_FALSE(connection_.has_room());
  EXPECT_EQ(connection_.in_flight(), 2u);
  EXPECT_EQ(connection_.Answered(1), 20);
  EXPECT_TRUE(connection_.has_room());
  EXPECT_EQ(connection_.Answered(0), 10);
  EXPECT_EQ(connection_.in_flight(), 0u);
}

TEST_F(BenchConnectionTest, KnowsAnAnswerThatNobodyWaitsFor) {
  EXPECT_EQ(connection_.Answered(0), -1);
  EXPECT_EQ(connection_.Answered(2), -1);
  connection_.AppendRequest(out_, 10, values_);
  EXPECT_EQ(connection_.Answered(0), 10);
  EXPECT_EQ(connection_.Answered(0), -1);
}

TEST_F(BenchConnectionTest, ShowsInputWhereItIsWhenNothingWasLeftOver) {
  const std::string bytes = ":1\r\n";
  EXPECT_EQ(connection_.Input(bytes).data(), bytes.data());
}

TEST_F(BenchConnectionTest, PutsWhatWasLeftOverInFront) {
  connection_.Keep(connection_.Input(":1\r\n:2"), 4, 0);
  EXPECT_EQ(connection_.Input("\r\n"), ":2\r\n");
}

TEST_F(BenchConnectionTest, ShowsNothingUntilTheProtocolHasWhatItNeeds) {
  connection_.Keep(connection_.Input("$5\r\na"), 0, 11);
  EXPECT_EQ(connection_.Input("bcd"), "");
  EXPECT_EQ(connection_.Input("e\r\n"), "$5\r\nabcde\r\n");
}

}  // namespace
}  // namespace palena::app
