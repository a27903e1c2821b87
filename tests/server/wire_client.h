#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/result.h"
#include "net/peer.h"
#include "palena/result.h"
#include "wire/codec.h"

namespace palena::server {

// The wire by hand: a client that says what the test wants, in any order and of any size. Receiving
// blocks; everything is on the test's own thread.
class WireClient {
 public:
  // Connects and says nothing.
  explicit WireClient(const net::Address& address) : peer_(net::ConnectSocketPeer(address, 0)) {}
  // Connects and shakes hands.
  static WireClient Greeted(const net::Address& address);

  net::Peer& peer() { return *peer_; }
  void Send(std::string_view bytes) { peer_->Send(bytes); }
  void SendHello(std::uint32_t protocol_version = 1, const std::string& token = {});
  void SendExecute(std::uint64_t id, std::string_view script, const Parameters& parameters = {});

  // The next answer; nothing once the server has closed, or when the bytes are no answer.
  std::optional<wire::ServerMessage> Receive();
  // The next answer, which must be a result. When there is none: "closed", of type
  // admission_refused, which this server never answers.
  model::Result ReceiveResult();
  model::Result Execute(std::string_view script, const Parameters& parameters = {});
  // Whether a ping is the next thing answered.
  bool Pings();
  // Whether the server ends the connection with nothing more to say.
  bool IsClosed() { return peer_->Receive(1).empty(); }

 private:
  std::unique_ptr<net::Peer> peer_;
};

// A frame of `payload`, and the header of a frame that announces `bytes`.
std::string Frame(std::string_view payload);
std::string FrameHeader(std::uint32_t bytes);
// One Execute as it goes over the wire.
std::string ExecuteFrame(std::uint64_t id, std::string_view script,
                         const Parameters& parameters = {});

}  // namespace palena::server
