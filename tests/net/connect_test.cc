#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "net/hooked_handler.h"
#include "net/loop.h"

namespace palena::net {
namespace {

// A loop that serves, and a loop that connects to it.
class ConnectTest : public testing::Test {
 protected:
  ConnectTest() {
    listener_ = *Listener::Open({.address = {"127.0.0.1", 0}}, {{&server_, &echo_}});
  }
  ~ConnectTest() override {
    listener_.reset();
    client_.Stop();
    server_.Stop();
  }

  // The status of the attempt; OK also when there is a session.
  base::Status Connect(const Address& address) {
    Mailbox<base::Status> done;
    client_.Connect(
        address, &client_handler_, {},
        [&done](const base::StatusOr<Session*>& session) { done.Put(session.status()); });
    return done.Take();
  }

  const base::SystemClock clock_;
  HookedHandler echo_;
  HookedHandler client_handler_;
  Loop server_{clock_, "server"};
  Loop client_{clock_, "client"};
  std::unique_ptr<Listener> listener_;
};

TEST_F(ConnectTest, SpeaksWithAServer) {
  client_handler_.on_open = [](Session& session) { session.output() += "hello\n"; };
  client_handler_.on_input = [](Session&, std::string_view input) {
    return InputVerdict{.consumed_bytes = input.size()};
  };
  EXPECT_TRUE(Connect(listener_->address()).ok());
  EXPECT_EQ(client_handler_.shown.Take(), "hello\n");
}

TEST_F(ConnectTest, ResolvesNames) {
  EXPECT_TRUE(Connect({"localhost", listener_->address().port}).ok());
}

TEST_F(ConnectTest, NamesARefusedAddress) {
  const Address address = listener_->address();
  listener_.reset();
  const base::Status status = Connect(address);
  EXPECT_EQ(status.code(), base::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(),
            "cannot connect to " + FormatAddress(address) + ": connection refused");
}

TEST_F(ConnectTest, NamesAHostThatDoesNotExist) {
  const base::Status status = Connect({"no-such-host.invalid", 1});
  EXPECT_EQ(status.code(), base::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              testing::StartsWith("cannot connect to no-such-host.invalid:1: "));
}

TEST_F(ConnectTest, StoppingForgetsAnAttempt) {
  client_.Connect(listener_->address(), &client_handler_, {},
                  [](const base::StatusOr<Session*>&) {});
  client_.Stop();
}

}  // namespace
}  // namespace palena::net
