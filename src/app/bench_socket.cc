#include "app/bench_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"

namespace palena::app {
namespace {

base::Status ErrorOf(int error) {
  return absl::UnavailableError(std::strerror(error));
}

BenchSocket::Transfer TransferOf(ssize_t bytes) {
  if (bytes >= 0) return {static_cast<std::size_t>(bytes), false};
  const bool would_block = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  return {0, !would_block};
}

}  // namespace

base::StatusOr<std::vector<BenchEndpoint>> Resolve(const net::Address& address) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(address.host.c_str(), absl::StrCat(address.port).c_str(), &hints, &found);
  if (error != 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot connect to ", net::FormatAddress(address), ": ", gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned(found, freeaddrinfo);
  std::vector<BenchEndpoint> endpoints;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    BenchEndpoint& endpoint = endpoints.emplace_back();
    endpoint.address_bytes = one->ai_addrlen;
    std::memcpy(&endpoint.address, one->ai_addr, one->ai_addrlen);
  }
  return endpoints;
}

BenchSocket::~BenchSocket() {
  Close();
}

void BenchSocket::Close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

base::Status BenchSocket::Connect(const BenchEndpoint& endpoint) {
  Close();
  fd_ = ::socket(endpoint.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return ErrorOf(errno);
  const int on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto* const address = reinterpret_cast<const sockaddr*>(&endpoint.address);
  if (::connect(fd_, address, endpoint.address_bytes) == 0 || errno == EINPROGRESS) {
    return base::Ok();
  }
  return ErrorOf(errno);
}

base::Status BenchSocket::ConnectResult() const {
  int error = 0;
  socklen_t bytes = sizeof error;
  if (::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0) return ErrorOf(errno);
  return error == 0 ? base::Ok() : ErrorOf(error);
}

BenchSocket::Transfer BenchSocket::Read(std::span<char> buffer) {
  const ssize_t bytes = ::recv(fd_, buffer.data(), buffer.size(), 0);
  if (bytes == 0) return {0, true};
  return TransferOf(bytes);
}

BenchSocket::Transfer BenchSocket::Write(std::string_view bytes) {
  return TransferOf(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

}  // namespace palena::app
