#include "app/bench_connection.h"

#include <utility>

namespace palena::app {

BenchConnection::BenchConnection(std::unique_ptr<BenchProtocol> protocol, std::size_t depth,
                                 std::uint64_t index)
    : protocol_(std::move(protocol)), index_(index), since_ns_(depth, -1) {
  for (std::size_t id = depth; id > 0; --id) free_.push_back(static_cast<std::uint32_t>(id - 1));
}

void BenchConnection::Send(std::int64_t since_ns, std::span<const std::string> values) {
  const std::uint32_t id = free_.back();
  free_.pop_back();
  since_ns_[id] = since_ns;
  protocol_->AppendRequest(session_->output(), id, values);
}

std::int64_t BenchConnection::Answered(std::uint64_t id) {
  if (id >= since_ns_.size() || since_ns_[id] < 0) return -1;
  free_.push_back(static_cast<std::uint32_t>(id));
  return std::exchange(since_ns_[id], -1);
}

}  // namespace palena::app
