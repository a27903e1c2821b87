#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/bench_protocol.h"
#include "net/session.h"

namespace palena::app {

// One connection under load: which requests are in flight and since when.
class BenchConnection {
 public:
  BenchConnection(std::unique_ptr<BenchProtocol> protocol, std::size_t depth, std::uint64_t index);

  void Start(net::Session& session) {
    session_ = &session;
    protocol_->Start(session.output());
  }
  net::Session& session() { return *session_; }
  std::uint64_t index() const { return index_; }

  BenchProtocol::Step Next(std::string_view input) {
    return protocol_->Next(input, session_->output());
  }

  std::size_t in_flight() const { return since_ns_.size() - free_.size(); }
  bool has_room() const { return !free_.empty(); }
  // Writes a request whose latency counts from `since_ns`; only with room.
  void Send(std::int64_t since_ns, std::span<const std::string> values);
  // Frees the place of an answered request; since when it was in flight, or -1 for an id that is
  // not.
  std::int64_t Answered(std::uint64_t id);

 private:
  const std::unique_ptr<BenchProtocol> protocol_;
  const std::uint64_t index_;
  net::Session* session_ = nullptr;
  std::vector<std::int64_t> since_ns_;  // by id; -1: free
  std::vector<std::uint32_t> free_;
};

}  // namespace palena::app
