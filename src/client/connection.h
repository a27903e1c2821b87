#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/capacities.h"
#include "base/status.h"
#include "net/loop.h"
#include "net/session.h"
#include "wire/codec.h"

namespace palena::client {

// Keeps one connection to a server: connects, shakes hands, cuts the input into messages, and after
// a break connects again, with pauses that grow from 50 ms to 5 s. Knows no call. All on the loop's
// thread.
class Connection final : public net::SessionHandler {
 public:
  struct Options {
    net::Address address;
    std::string client_name;
    std::int64_t connect_timeout_ms = 5'000;
    base::Capacities capacities = {};
  };
  struct Events {
    std::function<void(const wire::HelloReply&)> on_ready;
    std::function<void(wire::ServerMessage)> on_message;
    // An attempt failed or a connection broke: Unavailable, naming the address. The next attempt
    // is already planned.
    std::function<void(const base::Status&)> on_broken;
  };

  // `loop` must outlive the connection; stop its thread before destroying the connection.
  Connection(net::Loop& loop, Options options, Events events);

  // Begins the first attempt.
  void Open();
  // Ends for good, without on_broken.
  void Close();

  bool is_ready() const { return state_ == State::kReady; }
  // While ready: where requests are written. Flush() after the last of a batch.
  std::string& output() { return session_->output(); }
  void Flush() { session_->Flush(); }

  void OnOpen(net::Session& session) override;
  net::InputVerdict OnInput(net::Session& session, std::string_view input) override;
  bool OnInputEnd(net::Session& session) override;
  void OnClose(net::Session& session, net::CloseReason reason) override;

 private:
  enum class State : std::uint8_t { kConnecting, kShaking, kReady, kPausing, kClosed };

  void OnConnected(std::uint64_t attempt, base::StatusOr<net::Session*> connected);
  base::Status OnPayload(std::string_view payload);
  base::Status OnHandshakeReply(const wire::ServerMessage& message);
  void GiveUpAttempt();
  void Break(const std::string& why);
  void BreakAs(const base::Status& status);
  std::int64_t NextPauseMs();

  net::Loop& loop_;
  const Options options_;
  const Events events_;
  State state_ = State::kClosed;
  std::uint64_t attempt_ = 0;        // tells late events of earlier attempts apart
  net::Session* session_ = nullptr;  // while shaking or ready
  std::int64_t pause_ms_ = 0;
};

}  // namespace palena::client
