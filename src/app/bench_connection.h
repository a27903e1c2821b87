#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench_protocol.h"
#include "app/bench_socket.h"

namespace palena::app {

// One connection under load: its socket, what is left over of its input and output, and which
// requests are in flight and since when.
class BenchConnection {
 public:
  BenchConnection(std::unique_ptr<BenchProtocol> protocol, std::size_t depth, std::uint64_t index);

  BenchSocket& socket() { return socket_; }
  BenchProtocol& protocol() { return *protocol_; }
  std::uint64_t index() const { return index_; }

  bool is_connected() const { return is_connected_; }
  void SetConnected() { is_connected_ = true; }
  // Which of its endpoints it tries; the next one after a failure.
  std::size_t endpoint() const { return endpoint_; }
  void NextEndpoint() { ++endpoint_; }

  // What was not consumed before, followed by `bytes`; empty while that is shorter than the
  // protocol needs. Valid until Keep.
  std::string_view Input(std::string_view bytes);
  // Keeps what comes after `consumed_bytes` of that input.
  void Keep(std::string_view input, std::size_t consumed_bytes, std::size_t needed_bytes);

  // Sends, or keeps what finds no room. False when the connection is broken.
  bool Write(std::string_view bytes);
  bool has_unsent() const { return !unsent_.empty(); }

  std::size_t in_flight() const { return since_ns_.size() - free_.size(); }
  bool has_room() const { return !free_.empty(); }
  // Writes a request whose latency counts from `since_ns` to `out`; only with room.
  void AppendRequest(std::string& out, std::int64_t since_ns, std::span<const std::string> values);
  // Frees the place of an answered request; since when it was in flight, or -1 for an id that is
  // not.
  std::int64_t Answered(std::uint64_t id);

 private:
  BenchSocket socket_;
  const std::unique_ptr<BenchProtocol> protocol_;
  const std::uint64_t index_;
  bool is_connected_ = false;
  std::size_t endpoint_ = 0;
  std::string input_;  // the beginning of a message
  std::size_t needed_bytes_ = 0;
  std::string unsent_;
  std::vector<std::int64_t> since_ns_;  // by id; -1: free
  std::vector<std::uint32_t> free_;
};

}  // namespace palena::app
