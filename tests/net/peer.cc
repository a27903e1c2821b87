#include "net/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace palena::net {
namespace {

class SocketPeer final : public Peer {
 public:
  explicit SocketPeer(int fd) : fd_(fd) {}
  ~SocketPeer() override {
    if (fd_ >= 0) ::close(fd_);
  }

  void Send(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  std::string Receive(std::size_t bytes_max) override {
    std::string bytes(std::min<std::size_t>(bytes_max, 1 << 20), '\0');
    const ssize_t received = ::recv(fd_, bytes.data(), bytes.size(), 0);
    bytes.resize(received > 0 ? static_cast<std::size_t>(received) : 0);
    return bytes;
  }
  void CloseSending() override { ::shutdown(fd_, SHUT_WR); }
  void Reset() override {
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

class WrappedPipePeer final : public Peer {
 public:
  explicit WrappedPipePeer(std::unique_ptr<PipePeer> pipe) : pipe_(std::move(pipe)) {}

  void Send(std::string_view bytes) override { pipe_->Send(bytes); }
  std::string Receive(std::size_t bytes_max) override { return pipe_->Receive(bytes_max); }
  void CloseSending() override { pipe_->CloseSending(); }
  void Reset() override { pipe_->Reset(); }

 private:
  std::unique_ptr<PipePeer> pipe_;
};

int ConnectedSocket(int family, const sockaddr* to, socklen_t size, int receive_buffer_bytes) {
  const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int one = 1;
  if (receive_buffer_bytes > 0) {
    ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(receive_buffer_bytes));
  }
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  return ::connect(fd, to, size) == 0 ? fd : -1;
}

}  // namespace

std::string Peer::ReceiveExactly(std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) {
    const std::string some = Receive(bytes - all.size());
    if (some.empty()) break;
    all += some;
  }
  return all;
}

std::string Peer::ReceiveToTheEnd() {
  std::string all;
  for (std::string some; !(some = Receive(1 << 20)).empty();) all += some;
  return all;
}

std::unique_ptr<Peer> ConnectSocketPeer(const Address& address, int receive_buffer_bytes) {
  if (address.host == "::1") {
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(address.port);
    to.sin6_addr = in6addr_loopback;
    return std::make_unique<SocketPeer>(ConnectedSocket(
        AF_INET6, reinterpret_cast<const sockaddr*>(&to), sizeof(to), receive_buffer_bytes));
  }
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(address.port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return std::make_unique<SocketPeer>(ConnectedSocket(
      AF_INET, reinterpret_cast<const sockaddr*>(&to), sizeof(to), receive_buffer_bytes));
}

std::unique_ptr<Peer> WrapPipePeer(std::unique_ptr<PipePeer> pipe) {
  return std::make_unique<WrappedPipePeer>(std::move(pipe));
}

}  // namespace palena::net
