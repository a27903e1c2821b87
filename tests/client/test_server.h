#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "net/loop.h"
#include "wire/codec.h"

namespace palena::client {

// A server of the wire without a node behind it: it shakes hands, prepares whatever it is given,
// and answers runs as the test says. Remembers what it was asked, in order.
class TestServer final : public net::SessionHandler {
 public:
  // One run to be answered, now or later, on the server's thread.
  struct Run {
    std::uint64_t session = 0;
    std::uint64_t id = 0;
    std::string request;  // as Describe() puts it
  };
  using Answering = std::function<void(TestServer& server, const Run& run)>;

  // Without `answering` every run answers its own description. `port` 0 picks one.
  explicit TestServer(Answering answering = Echo, std::uint16_t port = 0);
  ~TestServer() override;

  std::string address() const { return net::FormatAddress(listener_->address()); }
  std::uint16_t port() const { return listener_->address().port; }
  // Programs ask for these parameters, in this order. Before the first connection.
  void SetParameters(std::vector<std::string> names) { parameters_ = std::move(names); }
  void RefuseHandshakes() { refuses_handshakes_ = true; }
  void RefuseToPrepare() { refuses_to_prepare_ = true; }

  // Any thread: what was asked so far: "hello", "prepare TEXT", "text TEXT k=v", "program 0=v",
  // "many [text TEXT k=v] (program 0=v)",
  // "ping", "info".
  std::vector<std::string> seen() const;
  // Waits until `count` requests that begin with `prefix` were seen.
  void AwaitSeen(const std::string& prefix, std::size_t count) const;

  // The server's thread.
  static void Echo(TestServer& server, const Run& run);
  void Answer(const Run& run, const model::Result& result);
  void AnswerText(const Run& run, const std::string& text);
  void Break(const Run& run);
  void SendBytes(const Run& run, const std::string& bytes);
  void Later(base::Task task) { loop_.Post(std::move(task)); }

  void OnOpen(net::Session& /*session*/) override {}
  net::InputVerdict OnInput(net::Session& session, std::string_view input) override;
  bool OnInputEnd(net::Session& /*session*/) override { return false; }
  void OnClose(net::Session& /*session*/, net::CloseReason /*reason*/) override {}

 private:
  void Handle(net::Session& session, const wire::ClientMessage& message);
  void Note(const std::string& request);
  std::size_t CountSeen(const std::string& prefix) const;

  const Answering answering_;
  std::vector<std::string> parameters_;
  bool refuses_handshakes_ = false;
  bool refuses_to_prepare_ = false;
  mutable std::mutex mutex_;  // guards seen_
  mutable std::condition_variable noted_;
  std::vector<std::string> seen_;
  base::SystemClock clock_;
  wire::RequestDecoder decoder_;
  net::Loop loop_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace palena::client
