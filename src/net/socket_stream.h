#pragma once

// A TCP socket as a byte stream. Private to net.

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

#include "net/byte_stream.h"

namespace palena::net {

// Bound to io_context at compile time: the type-erased executor of tcp::socket costs an allocation
// or two per operation.
using IoExecutor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<asio::ip::tcp, IoExecutor>;

class SocketStream final : public ByteStream {
 public:
  // `socket` is connected.
  explicit SocketStream(Socket socket);

  void SetUser(StreamUser* user) override { user_ = user; }
  void StartRead(char* data, std::size_t size) override;
  Transfer WriteNow(std::string_view bytes) override;
  void StartWrite(std::string_view bytes) override;
  void EndOutput() override;
  void Close() override;

 private:
  Socket socket_;
  StreamUser* user_ = nullptr;
};

}  // namespace palena::net
