// Deadlines, by the manual clock.

#include <gtest/gtest.h>

#include "net/session_test_base.h"

namespace palena::net {
namespace {

constexpr std::int64_t kTimeoutMs = 10'000;

class SessionDeadlineTest : public SessionTestBase {
 protected:
  // Time passes until the session is closed.
  CloseReason ReasonOnceTimePasses() {
    return handler_.closed.TakeWhile([this] { clock_.AdvanceMs(kTimeoutMs); });
  }
};

INSTANTIATE_TEST_SUITE_P(Streams, SessionDeadlineTest,
                         testing::Values(Carrier::kSocket, Carrier::kPipe), NameOfCarrier);

TEST_P(SessionDeadlineTest, ClosesWithoutAHandshakeInTime) {
  options_.handshake_timeout_ms = kTimeoutMs;
  const auto peer = Connect();
  clock_.AdvanceMs(kTimeoutMs);
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kHandshakeLate);
  EXPECT_EQ(peer->ReceiveToTheEnd(), "");
}

TEST_P(SessionDeadlineTest, AnEstablishedSessionMayBeIdle) {
  options_.handshake_timeout_ms = kTimeoutMs;
  options_.input_timeout_ms = kTimeoutMs;
  const auto idle = Connect();
  OnLoop([](Session* session) { session->SetEstablished(); });
  const auto late = Connect();
  clock_.AdvanceMs(kTimeoutMs);
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kHandshakeLate);
  idle->Send("still here\n");
  EXPECT_EQ(idle->ReceiveExactly(11), "still here\n");
}

TEST_P(SessionDeadlineTest, ClosesWhenAMessageDoesNotEndInTime) {
  options_.input_timeout_ms = kTimeoutMs;
  const auto peer = Connect();
  peer->Send("hal");
  handler_.shown.Take();
  OnLoop([](Session*) {});
  clock_.AdvanceMs(kTimeoutMs);
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kInputStalled);
}

TEST_P(SessionDeadlineTest, SaysALastWordToAMessageThatDoesNotEnd) {
  options_.input_timeout_ms = kTimeoutMs;
  handler_.on_input_stalled = [](Session& session) { session.output() += "too slow\n"; };
  const auto peer = Connect();
  peer->Send("hal");
  handler_.shown.Take();
  OnLoop([](Session*) {});
  clock_.AdvanceMs(kTimeoutMs);
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kInputStalled);
  EXPECT_EQ(peer->ReceiveToTheEnd(), "too slow\n");
}

TEST_P(SessionDeadlineTest, ClosesWhatIsIdleForTooLong) {
  options_.idle_timeout_ms = kTimeoutMs;
  const auto peer = Connect();
  peer->Send("once\n");
  EXPECT_EQ(peer->ReceiveExactly(5), "once\n");
  OnLoop([](Session*) {});
  clock_.AdvanceMs(kTimeoutMs - 1);
  peer->Send("again\n");
  EXPECT_EQ(peer->ReceiveExactly(6), "again\n");
  EXPECT_EQ(ReasonOnceTimePasses(), CloseReason::kIdle);
}

TEST_P(SessionDeadlineTest, TricklingDoesNotExtendAMessagesTime) {
  options_.input_timeout_ms = kTimeoutMs;
  const auto peer = Connect();
  const CloseReason reason = [&] {
    for (;;) {
      peer->Send("t");
      OnLoop([](Session*) {});
      clock_.AdvanceMs(kTimeoutMs / 10);
      if (!handler_.closed.IsEmpty()) return handler_.closed.Take();
    }
  }();
  EXPECT_EQ(reason, CloseReason::kInputStalled);
}

TEST_P(SessionDeadlineTest, ANewMessageHasItsOwnTime) {
  options_.input_timeout_ms = kTimeoutMs;
  const auto peer = Connect();
  peer->Send("fir");
  handler_.shown.Take();
  OnLoop([](Session*) {});
  clock_.AdvanceMs(kTimeoutMs - 1);
  peer->Send("st\nsec");
  EXPECT_EQ(peer->ReceiveExactly(6), "first\n");
  OnLoop([](Session*) {});
  clock_.AdvanceMs(kTimeoutMs - 1);
  peer->Send("ond\n");
  EXPECT_EQ(peer->ReceiveExactly(7), "second\n");
}

TEST_P(SessionDeadlineTest, ClosesWhenThePeerReadsNothing) {
  options_.output_stall_timeout_ms = kTimeoutMs;
  const auto peer = Connect();
  OnLoop([](Session* session) {
    session->output().append(std::size_t{8} << 20, 'x');
    session->Flush();
  });
  EXPECT_EQ(ReasonOnceTimePasses(), CloseReason::kOutputStalled);
}

TEST_P(SessionDeadlineTest, APausedSessionIsNotBlamedForItsPartialMessage) {
  options_.input_timeout_ms = kTimeoutMs;
  options_.handshake_timeout_ms = 2 * kTimeoutMs;
  handler_.on_input = [](Session&, std::string_view) { return InputVerdict{.pause = true}; };
  const auto peer = Connect();
  peer->Send("part");
  handler_.shown.Take();
  OnLoop([](Session*) {});
  clock_.AdvanceMs(2 * kTimeoutMs);
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kHandshakeLate);
}

}  // namespace
}  // namespace palena::net
