#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/hooked_handler.h"
#include "net/loop.h"
#include "net/peer.h"

namespace palena::net {
namespace {

class ListenerTest : public testing::Test {
 protected:
  ~ListenerTest() override {
    listener_.reset();
    first_.Stop();
    second_.Stop();
  }

  void Open(Listener::Options options = {.address = {"127.0.0.1", 0}}) {
    auto listener =
        Listener::Open(options, {{&first_, &first_handler_}, {&second_, &second_handler_}});
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
  }

  const base::SystemClock clock_;
  HookedHandler first_handler_;
  HookedHandler second_handler_;
  Loop first_{clock_, "first"};
  Loop second_{clock_, "second"};
  std::unique_ptr<Listener> listener_;
};

TEST_F(ListenerTest, PicksAPortWhenAskedForNone) {
  Open();
  EXPECT_NE(listener_->address().port, 0);
  EXPECT_EQ(listener_->address().host, "127.0.0.1");
}

TEST_F(ListenerTest, GivesEachConnectionToTheLoopWithTheFewest) {
  Open();
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 3; ++i) {
    peers.push_back(ConnectSocketPeer(listener_->address()));
    peers.push_back(ConnectSocketPeer(listener_->address()));
    first_handler_.opened.Take();
    second_handler_.opened.Take();
  }
  EXPECT_EQ(listener_->stats().open, 6);
  EXPECT_EQ(listener_->stats().accepted, 6u);
}

TEST_F(ListenerTest, ClosesConnectionsAboveTheLimitAtOnce) {
  Open({.address = {"127.0.0.1", 0}, .connections_max = 1});
  const auto served = ConnectSocketPeer(listener_->address());
  const auto refused = ConnectSocketPeer(listener_->address());
  EXPECT_EQ(refused->ReceiveToTheEnd(), "");
  served->Send("served\n");
  EXPECT_EQ(served->ReceiveExactly(7), "served\n");
  EXPECT_EQ(listener_->stats().refused, 1u);
}

TEST_F(ListenerTest, CountsWhyConnectionsEnded) {
  Open();
  ConnectSocketPeer(listener_->address())->Reset();
  EXPECT_EQ(first_handler_.closed.Take(), CloseReason::kReset);
  const ListenerStats stats = listener_->stats();
  EXPECT_EQ(stats.closed_by_reason[static_cast<std::size_t>(CloseReason::kReset)], 1u);
  EXPECT_EQ(stats.open, 0);
}

TEST_F(ListenerTest, NamesATakenPort) {
  Open();
  const auto second =
      Listener::Open({.address = listener_->address()}, {{&first_, &first_handler_}});
  EXPECT_EQ(second.status().code(), base::StatusCode::kUnavailable);
  EXPECT_EQ(second.status().message(),
            "cannot listen on " + FormatAddress(listener_->address()) + ": address already in use");
}

TEST_F(ListenerTest, NamesAnAddressThatIsNotOurs) {
  const auto listener = Listener::Open({.address = {"192.0.2.1", 0}}, {{&first_, &first_handler_}});
  EXPECT_THAT(std::string(listener.status().message()),
              testing::HasSubstr("192.0.2.1:0: cannot assign requested address"));
}

TEST_F(ListenerTest, ListensOnAnIpv6Literal) {
  auto listener = Listener::Open({.address = {"::1", 0}}, {{&first_, &first_handler_}});
  if (!listener.ok()) GTEST_SKIP() << "no IPv6 here: " << listener.status();
  const auto peer = ConnectSocketPeer((*listener)->address());
  peer->Send("six\n");
  EXPECT_EQ(peer->ReceiveExactly(4), "six\n");
}

TEST_F(ListenerTest, SessionsOutliveIt) {
  Open();
  const auto peer = ConnectSocketPeer(listener_->address());
  first_handler_.opened.Take();
  listener_.reset();
  peer->Send("on\n");
  EXPECT_EQ(peer->ReceiveExactly(3), "on\n");
}

// Two doors on the same loops.
TEST_F(ListenerTest, ServesItsOwnSessionsBesideAnotherOnTheSameLoop) {
  Open();
  HookedHandler shouting;
  shouting.on_input = [](Session& session, std::string_view input) {
    session.output() += "AHA\n";
    return InputVerdict{.consumed_bytes = input.size()};
  };
  auto other = Listener::Open({.address = {"127.0.0.1", 0}, .session = {.read_bytes = 4}},
                              {{&first_, &shouting}});
  ASSERT_TRUE(other.ok()) << other.status();
  const auto ours = ConnectSocketPeer(listener_->address());
  const auto theirs = ConnectSocketPeer((*other)->address());
  theirs->Send("aha\n");
  ours->Send("aha\n");
  EXPECT_EQ(ours->ReceiveExactly(4), "aha\n");
  EXPECT_EQ(theirs->ReceiveExactly(4), "AHA\n");
  EXPECT_EQ(listener_->stats().open, 1);
  EXPECT_EQ((*other)->stats().open, 1);
  first_.Stop();  // before the handler goes
}

TEST_F(ListenerTest, MayGoAfterItsLoopsHaveStopped) {
  Open();
  first_.Stop();
  listener_.reset();
}

// The process runs out of descriptors while a connection waits, and gets some back.
TEST_F(ListenerTest, AcceptsAgainOnceThereAreDescriptors) {
  Open();
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const int lowest_free = ::dup(0);
  ::close(lowest_free);
  // The peer takes the last descriptor.
  const rlimit scarce{static_cast<rlim_t>(lowest_free) + 1, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &scarce);
  const auto peer = ConnectSocketPeer(listener_->address());
  peer->Send("patient\n");
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(peer->ReceiveExactly(8), "patient\n");
}

}  // namespace
}  // namespace palena::net
