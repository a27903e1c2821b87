#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/session_test_base.h"

namespace palena::net {
namespace {

class SessionTest : public SessionTestBase {};

INSTANTIATE_TEST_SUITE_P(Streams, SessionTest,
                         testing::Values(Carrier::kSocket, Carrier::kPipe,
                                         Carrier::kPipeOfSingleBytes,
                                         Carrier::kSocketInSingleBytes),
                         NameOfCarrier);

TEST_P(SessionTest, AnswersWhatItIsSent) {
  const auto peer = Connect();
  peer->Send("hello\n");
  EXPECT_EQ(peer->ReceiveExactly(6), "hello\n");
}

TEST_P(SessionTest, ReadsNoMoreAtOnceThanItMay) {
  options_.transfer_bytes_max = 1;
  const auto peer = Connect();
  peer->Send("hello\n");
  EXPECT_EQ(peer->ReceiveExactly(6), "hello\n");
  for (const std::string shown : {"h", "he", "hel", "hell", "hello", "hello\n"}) {
    EXPECT_EQ(handler_.shown.Take(), shown);
  }
}

TEST_P(SessionTest, WritesEverythingThoughLittleAtOnce) {
  options_.transfer_bytes_max = 1;
  const auto peer = Connect();
  const std::string line = std::string(3'000, 'x') + "\n";
  peer->Send(line + line);
  EXPECT_EQ(peer->ReceiveExactly(2 * line.size()), line + line);
}

TEST_P(SessionTest, KeepsAPartUntilTheRestComes) {
  const auto peer = Connect();
  for (const char c : std::string("one\ntwo")) peer->Send({&c, 1});
  EXPECT_EQ(peer->ReceiveExactly(4), "one\n");
  peer->Send("\n");
  EXPECT_EQ(peer->ReceiveExactly(4), "two\n");
}

TEST_P(SessionTest, SendsWhatTheHandlerSaysAtOpening) {
  handler_.on_open = [](Session& session) { session.output() += "welcome"; };
  EXPECT_EQ(Connect()->ReceiveExactly(7), "welcome");
}

TEST_P(SessionTest, TakesMessagesLargerThanItsBuffer) {
  options_.read_bytes = 64;
  const auto peer = Connect();
  const std::string line = std::string(3'000, 'x') + "\n";
  peer->Send(line);
  EXPECT_EQ(peer->ReceiveExactly(line.size()), line);
}

TEST_P(SessionTest, ShowsNothingBeforeTheNeededLengthIsThere) {
  handler_.on_input = [](Session& session, std::string_view input) -> InputVerdict {
    if (input.size() < 1000) return {.needed_bytes = 1000};
    session.output() += "done";
    return {.consumed_bytes = 1000};
  };
  const auto peer = Connect();
  peer->Send("x");
  EXPECT_EQ(handler_.shown.Take(), "x");
  peer->Send(std::string(998, 'y'));
  peer->Send("z");
  EXPECT_EQ(peer->ReceiveExactly(4), "done");
  EXPECT_EQ(handler_.shown.Take().size(), 1000u);
}

TEST_P(SessionTest, ShowsNoMoreWhilePausedAndTheRestOnceResumed) {
  handler_.on_input = [](Session& session, std::string_view input) -> InputVerdict {
    session.output() += input[0];
    return {.consumed_bytes = 1, .pause = true};
  };
  const auto peer = Connect();
  peer->Send("ab");
  EXPECT_EQ(peer->ReceiveExactly(1), "a");
  EXPECT_EQ(handler_.shown.Take()[0], 'a');
  OnLoop([](Session*) {});
  EXPECT_TRUE(handler_.shown.IsEmpty());
  OnLoop([](Session* session) { session->Resume(); });
  EXPECT_EQ(peer->ReceiveExactly(1), "b");
}

TEST_P(SessionTest, ShowsTheRestAgainWhenTheHandlerStoppedEarly) {
  handler_.on_input = [](Session& session, std::string_view input) -> InputVerdict {
    session.output() += input[0];
    return {.consumed_bytes = 1, .needed_bytes = 1};
  };
  const auto peer = Connect();
  peer->Send("abcdef");
  EXPECT_EQ(peer->ReceiveExactly(6), "abcdef");
}

TEST_P(SessionTest, TheHandlerMayCallTheSessionFromInsideItsInput) {
  handler_.on_input = [](Session& session, std::string_view input) -> InputVerdict {
    session.output() += "x";
    session.Flush();
    session.Resume();
    session.SetEstablished();
    session.CloseAfterFlush();
    return {.consumed_bytes = input.size()};
  };
  const auto peer = Connect();
  peer->Send("go");
  EXPECT_EQ(peer->ReceiveToTheEnd(), "x");
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kHandlerClosed);
}

TEST_P(SessionTest, TheLastReplyArrivesThoughThePeerGoesOnSending) {
  handler_.on_input = [](Session& session, std::string_view) -> InputVerdict {
    session.output() += "too large";
    return {.close = true};
  };
  const auto peer = Connect();
  peer->Send(std::string(300'000, 'g'));
  EXPECT_EQ(peer->ReceiveToTheEnd(), "too large");
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kHandlerClosed);
}

TEST_P(SessionTest, AnswersWhatCameBeforeThePeerClosedItsSendingSide) {
  const auto peer = Connect();
  peer->Send("last\nhalf a li");
  peer->CloseSending();
  EXPECT_EQ(peer->ReceiveToTheEnd(), "last\n");
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kPeerClosed);
}

TEST_P(SessionTest, WaitsForAnswersInFlightAfterThePeerClosedItsSendingSide) {
  Mailbox<bool> ended;
  handler_.on_input_end = [&ended](Session&) {
    ended.Put(true);
    return true;
  };
  const auto peer = Connect();
  peer->CloseSending();
  ended.Take();
  OnLoop([](Session* session) {
    session->output() += "late answer";
    session->CloseAfterFlush();
  });
  EXPECT_EQ(peer->ReceiveToTheEnd(), "late answer");
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kPeerClosed);
}

TEST_P(SessionTest, NoticesABrokenConnection) {
  const auto peer = Connect();
  peer->Reset();
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kReset);
}

TEST_P(SessionTest, IsNotFoundOnceClosed) {
  const auto peer = Connect();
  OnLoop([](Session* session) { EXPECT_NE(session, nullptr); });
  peer->Reset();
  handler_.closed.Take();
  OnLoop([](Session* session) { EXPECT_EQ(session, nullptr); });
}

TEST_P(SessionTest, EndsWhenTheLoopStops) {
  const auto peer = Connect();
  Stop();
  EXPECT_EQ(handler_.closed.Take(), CloseReason::kShutdown);
  EXPECT_TRUE(handler_.closed.IsEmpty());
}

TEST_P(SessionTest, IdsAreNeverReused) {
  Connect()->Reset();
  const std::uint64_t first = session_id_;
  handler_.closed.Take();
  const auto peer = Connect();
  EXPECT_NE(session_id_, first);
}

}  // namespace
}  // namespace palena::net
