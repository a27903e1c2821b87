#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/capacities.h"
#include "engine/engine.h"
#include "net/loop.h"
#include "net/session.h"
#include "server/http_api.h"
#include "server/http_parser.h"

namespace palena::server {

// HTTP/1.1 and 1.0 on one loop, which is one shard's thread: bytes to requests, answers to bytes.
// The one place that sends answers of this protocol. docs/http.md.
//
// A connection has one request in flight: HTTP has no ids, so answers come in the order of the
// requests, and whoever sends several at once expects them to happen in that order too. What
// follows waits in the connection; concurrency comes from several connections.
class HttpDoor final : public net::SessionHandler, private HttpAnswerSink {
 public:
  HttpDoor(HttpNode& node, const base::Capacities& capacities, unsigned shard, net::Loop& loop);

  void OnOpen(net::Session& session) override;
  net::InputVerdict OnInput(net::Session& session, std::string_view input) override;
  bool OnInputEnd(net::Session& session) override;
  void OnInputStalled(net::Session& session) override;
  void OnClose(net::Session& session, net::CloseReason reason) override;

  // Answers sent, by the first digit of their status. Any thread.
  std::uint64_t responses(std::size_t digit) const { return responses_[digit].load(); }

 private:
  struct Peer {
    HttpParser parser;
    bool is_answering = false;  // a request is in flight
    bool is_answered = false;   // and the parser still holds its request
    bool is_paused = false;
    bool has_ended = false;  // sends nothing more; wants its answers
    bool is_closing = false;

    // Lets go of a request that was answered.
    void GoOn() {
      if (std::exchange(is_answered, false)) parser.Next();
    }
  };

  net::InputVerdict HandleRequests(net::Session& session, Peer& peer, std::string_view input);
  void Handle(net::Session& session, Peer& peer);
  void Refuse(net::Session& session, Peer& peer, const HttpFailure& failure);
  void OnAnswer(std::uint64_t session, HttpResponse& response) override;
  void Write(net::Session& session, Peer& peer, HttpResponse& response, const HttpSending& sending);

  engine::Engine& engine_;
  engine::Shard& shard_;
  const unsigned shard_index_;
  const base::Capacities capacities_;
  net::Loop& loop_;
  HttpApi api_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Peer>> peers_;  // by session id
  net::Session* current_ = nullptr;                                  // whose input is being handled
  std::array<std::atomic<std::uint64_t>, 6> responses_{};
};

}  // namespace palena::server
