#include "net/socket_stream.h"

#include <asio/buffer.hpp>
#include <asio/error.hpp>
#include <utility>

namespace palena::net {
namespace {

Transfer TransferOf(const asio::error_code& error, std::size_t bytes) {
  if (!error) return {Transfer::Kind::kBytes, bytes};
  if (error == asio::error::eof) return {Transfer::Kind::kEnd, 0};
  if (error == asio::error::would_block || error == asio::error::try_again) {
    return {Transfer::Kind::kWouldBlock, 0};
  }
  return {Transfer::Kind::kBroken, 0};
}

}  // namespace

SocketStream::SocketStream(Socket socket) : socket_(std::move(socket)) {
  // A connection that broke meanwhile refuses these; its first read says so too.
  asio::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.set_option(asio::socket_base::keep_alive(true), ignored);
}

void SocketStream::StartRead(char* data, std::size_t size) {
  socket_.async_read_some(asio::buffer(data, size),
                          [user = user_](const asio::error_code& error, std::size_t bytes) {
                            user->OnRead(TransferOf(error, bytes));
                          });
}

Transfer SocketStream::WriteNow(std::string_view bytes) {
  asio::error_code error;
  const std::size_t written = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
  return TransferOf(error, written);
}

void SocketStream::StartWrite(std::string_view bytes) {
  socket_.async_write_some(asio::buffer(bytes.data(), bytes.size()),
                           [user = user_](const asio::error_code& error, std::size_t written) {
                             user->OnWritten(TransferOf(error, written));
                           });
}

void SocketStream::EndOutput() {
  asio::error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
}

void SocketStream::Close() {
  asio::error_code ignored;
  socket_.close(ignored);
}

}  // namespace palena::net
