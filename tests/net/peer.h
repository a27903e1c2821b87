#pragma once

// The far end of a session, for tests: blocking calls on the test's own thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/loop.h"
#include "net/pipe.h"

namespace palena::net {

class Peer {
 public:
  virtual ~Peer() = default;
  virtual void Send(std::string_view bytes) = 0;
  // At least one byte and at most `bytes_max`; empty once the session has ended or broke.
  virtual std::string Receive(std::size_t bytes_max) = 0;
  virtual void CloseSending() = 0;
  virtual void Reset() = 0;

  // Exactly `bytes`, or what came before the end.
  std::string ReceiveExactly(std::size_t bytes);
  std::string ReceiveToTheEnd();
};

// Connects to 127.0.0.1 or ::1 and `port`. By default with a small buffer, so that a peer that does
// not read shows soon; 0 leaves the size to the system.
inline constexpr int kSmallReceiveBufferBytes = 16 << 10;
std::unique_ptr<Peer> ConnectSocketPeer(const Address& address,
                                        int receive_buffer_bytes = kSmallReceiveBufferBytes);
std::unique_ptr<Peer> WrapPipePeer(std::unique_ptr<PipePeer> pipe);

}  // namespace palena::net
