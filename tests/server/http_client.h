#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "net/peer.h"

namespace palena::server {

// An answer, as it came.
struct HttpAnswer {
  int status = 0;                              // 0: the connection ended instead
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

// HTTP by hand: a client that says what the test wants. Receiving blocks.
class HttpClient {
 public:
  explicit HttpClient(const net::Address& address) : peer_(net::ConnectSocketPeer(address, 0)) {}

  net::Peer& peer() { return *peer_; }
  void Send(std::string_view bytes) { peer_->Send(bytes); }
  // A whole request of HTTP/1.1.
  void SendRequest(std::string_view method, std::string_view target, std::string_view body = {},
                   std::string_view headers = {});
  // The next answer. `without_body`: of HEAD, and of 100 Continue.
  HttpAnswer Receive(bool without_body = false);
  HttpAnswer Ask(std::string_view method, std::string_view target, std::string_view body = {},
                 std::string_view headers = {});
  HttpAnswer Get(std::string_view target) { return Ask("GET", target); }
  // Whether the server ends the connection with nothing more to say.
  bool IsClosed() { return buffer_.empty() && peer_->Receive(1).empty(); }

 private:
  // Up to and with `end`; what came when the connection ended before.
  std::string ReceiveThrough(std::string_view end);
  bool ReceiveMore();

  std::unique_ptr<net::Peer> peer_;
  std::string buffer_;  // received and not used
};

}  // namespace palena::server
