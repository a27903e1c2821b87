#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "net/loop.h"

namespace palena::app {

// Where a name leads to: the addresses to try, one after the other.
struct BenchEndpoint {
  sockaddr_storage address{};
  socklen_t address_bytes = 0;
};
// Blocks while a name is looked up. Unavailable naming the address.
base::StatusOr<std::vector<BenchEndpoint>> Resolve(const net::Address& address);

// A TCP connection that never blocks. The generator has sockets of its own instead of those of net:
// what measures must not change with what is measured, and it needs neither deadlines nor a buffer
// a connection.
class BenchSocket {
 public:
  BenchSocket() = default;
  ~BenchSocket();
  BenchSocket(const BenchSocket&) = delete;
  BenchSocket& operator=(const BenchSocket&) = delete;

  // Begins to connect, after closing what was open; it is writable when that has ended. Unavailable
  // with the reason.
  base::Status Connect(const BenchEndpoint& endpoint);
  // How connecting has ended.
  base::Status ConnectResult() const;
  void Close();
  int fd() const { return fd_; }

  struct Transfer {
    std::size_t bytes = 0;
    bool is_closed = false;  // by the peer, or broken; without it no bytes: it would block
  };
  Transfer Read(std::span<char> buffer);
  Transfer Write(std::string_view bytes);

 private:
  int fd_ = -1;
};

}  // namespace palena::app
