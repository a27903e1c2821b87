#include "app/bench_connection.h"

#include <utility>

namespace palena::app {

BenchConnection::BenchConnection(std::unique_ptr<BenchProtocol> protocol, std::size_t depth,
                                 std::uint64_t index)
    : protocol_(std::move(protocol)), index_(index), since_ns_(depth, -1) {
  for (std::size_t id = depth; id > 0; --id) free_.push_back(static_cast<std::uint32_t>(id - 1));
}

// Whole messages, the usual case, are read where the socket put them.
std::string_view BenchConnection::Input(std::string_view bytes) {
  if (input_.empty()) return bytes;
  input_ += bytes;
  return input_.size() < needed_bytes_ ? std::string_view() : std::string_view(input_);
}

void BenchConnection::Keep(std::string_view input, std::size_t consumed_bytes,
                           std::size_t needed_bytes) {
  needed_bytes_ = needed_bytes;
  if (input.data() == input_.data()) {
    input_.erase(0, consumed_bytes);
  } else {
    input_ = input.substr(consumed_bytes);
  }
}

bool BenchConnection::Write(std::string_view bytes) {
  if (!unsent_.empty()) unsent_ += bytes;
  const std::string_view first = unsent_.empty() ? bytes : std::string_view(unsent_);
  if (first.empty()) return true;
  const BenchSocket::Transfer written = socket_.Write(first);
  if (written.is_closed) return false;
  if (unsent_.empty()) {
    unsent_ = bytes.substr(written.bytes);
  } else {
    unsent_.erase(0, written.bytes);
  }
  return true;
}

void BenchConnection::AppendRequest(std::string& out, std::int64_t since_ns,
                                    std::span<const std::string> values) {
  const std::uint32_t id = free_.back();
  free_.pop_back();
  since_ns_[id] = since_ns;
  protocol_->AppendRequest(out, id, values);
}

std::int64_t BenchConnection::Answered(std::uint64_t id) {
  if (id >= since_ns_.size() || since_ns_[id] < 0) return -1;
  free_.push_back(static_cast<std::uint32_t>(id));
  return std::exchange(since_ns_[id], -1);
}

}  // namespace palena::app
