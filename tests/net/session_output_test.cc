// Sessions whose peers read slowly, or not at all.

#include <gtest/gtest.h>

#include "net/session_test_base.h"

namespace palena::net {
namespace {

// The send buffer grows to 4 MiB by default, the receive buffer only with what is read from it.
constexpr std::size_t kMoreThanKernelsKeep = std::size_t{8} << 20;

class SessionOutputTest : public SessionTestBase {
 protected:
  // Any input is answered with `bytes`.
  void AnswerWith(std::string bytes) {
    handler_.on_input = [answer = std::move(bytes)](Session& session, std::string_view input) {
      session.output() += answer;
      return InputVerdict{.consumed_bytes = input.size()};
    };
  }
};

INSTANTIATE_TEST_SUITE_P(Streams, SessionOutputTest,
                         testing::Values(Carrier::kSocket, Carrier::kPipe), NameOfCarrier);

TEST_P(SessionOutputTest, ALargeAnswerReachesASlowReaderWhole) {
  std::string answer(kMoreThanKernelsKeep, 'a');
  for (std::size_t i = 0; i < answer.size(); i += 1000) answer[i] = static_cast<char>(i % 251);
  AnswerWith(answer);
  const auto peer = Connect();
  peer->Send("?");
  EXPECT_TRUE(peer->ReceiveExactly(answer.size()) == answer);
}

TEST_P(SessionOutputTest, WhatIsAppendedMeanwhileComesAfterwards) {
  AnswerWith(std::string(kMoreThanKernelsKeep, 'a'));
  const auto peer = Connect();
  peer->Send("?");
  handler_.shown.Take();
  OnLoop([](Session* session) {
    session->output() += "tail";
    session->Flush();
  });
  EXPECT_EQ(peer->ReceiveExactly(kMoreThanKernelsKeep + 4).substr(kMoreThanKernelsKeep), "tail");
}

TEST_P(SessionOutputTest, ReadsNoMoreWhileMuchIsQueued) {
  options_.output_pause_bytes = 1000;
  AnswerWith(std::string(kMoreThanKernelsKeep, 'a'));
  const auto peer = Connect();
  peer->Send("1");
  EXPECT_EQ(handler_.shown.Take(), "1");
  peer->Send("2");
  OnLoop([](Session*) {});
  EXPECT_TRUE(handler_.shown.IsEmpty());
  EXPECT_EQ(peer->ReceiveExactly(2 * kMoreThanKernelsKeep).size(), 2 * kMoreThanKernelsKeep);
}

TEST_P(SessionOutputTest, ClosesWhenTooMuchIsQueuedBehindTheReplyBeingSent) {
  options_.output_close_bytes = 1000;
  AnswerWith(std::string(kMoreThanKernelsKeep, 'a'));
  const auto peer = Connect();
  peer->Send("?");
  handler_.shown.Take();
  OnLoop([](Session* session) {
    session->output().append(1001, 'b');
    session->Flush();
  });
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kOutputOverflow);
}

TEST_P(SessionOutputTest, AnswersOfTasksThatWaitedTogetherGoOutInOneWrite) {
  const auto peer = Connect();
  PostTogether(100, [](Session* session) {
    session->output() += "x";
    session->Flush();
  });
  EXPECT_EQ(peer->Receive(1000), std::string(100, 'x'));
}

TEST_P(SessionOutputTest, CloseAfterFlushSendsALargeAnswerFirst) {
  AnswerWith(std::string(kMoreThanKernelsKeep, 'a'));
  const auto peer = Connect();
  peer->Send("?");
  handler_.shown.Take();
  OnLoop([](Session* session) { session->CloseAfterFlush(); });
  EXPECT_EQ(peer->ReceiveToTheEnd().size(), kMoreThanKernelsKeep);
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kHandlerClosed);
}

}  // namespace
}  // namespace palena::net
