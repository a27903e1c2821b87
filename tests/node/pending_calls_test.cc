#include "node/pending_calls.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace palena::node {
namespace {

class PendingCallsTest : public testing::Test {
 protected:
  std::optional<engine::ReplyTo> Add() {
    return calls_.Add([this](Result result) { answers_.push_back(std::move(result)); });
  }
  void Answer(const engine::ReplyTo& to) {
    model::Result result;
    calls_.OnResult(to.session, to.request, result);
  }

  PendingCalls calls_;
  std::vector<Result> answers_;
};

TEST_F(PendingCallsTest, EachCallGetsItsAnswerOnce) {
  const auto call = Add();
  Add();
  Answer(*call);
  Answer(*call);
  EXPECT_EQ(answers_.size(), 1u);
  EXPECT_TRUE(answers_[0].ok());
}

TEST_F(PendingCallsTest, AFailedLogAnswersThoseThatWaitThatNobodyKnows) {
  const auto call = Add();
  calls_.FailAll(absl::ResourceExhaustedError("disk full"));
  Answer(*call);
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].code, "NO_SPACE");
  EXPECT_EQ(answers_[0].applied, Applied::kUnknown);
  EXPECT_EQ(answers_[0].reason, "The commit log failed: disk full");
}

TEST_F(PendingCallsTest, AfterAFailedLogNothingIsApplied) {
  calls_.FailAll(absl::DataLossError("broken"));
  EXPECT_FALSE(Add().has_value());
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].code, "CORRUPTION");
  EXPECT_EQ(answers_[0].applied, Applied::kNo);
}

TEST_F(PendingCallsTest, ANodeThatIsClosedTooEarlyAnswersWhatItLeaves) {
  Add();
  calls_.Abandon();
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].code, "DRAINING");
  EXPECT_EQ(answers_[0].applied, Applied::kUnknown);
}

}  // namespace
}  // namespace palena::node
