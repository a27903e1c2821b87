#pragma once

#include <cstdint>

namespace palena::app {

// When the requests of an open loop are due: number n at n / rate after the beginning. All times
// are steady, in nanoseconds.
class BenchSchedule {
 public:
  // Requests a second; 0: a closed loop, which has no schedule.
  explicit BenchSchedule(double rate) : rate_(rate) {}

  bool exists() const { return rate_ > 0; }
  void Begin(std::int64_t now_ns) { start_ns_ = now_ns; }

  // Of the next request.
  std::int64_t due_ns() const {
    return start_ns_ + static_cast<std::int64_t>(static_cast<double>(next_) / rate_ * 1e9);
  }
  void Next() { ++next_; }

  // The next request is due and finds no room: the server is behind.
  void HoldBack() { is_holding_back_ = true; }
  bool is_holding_back() const { return is_holding_back_; }
  // There is room again: what is due by now was held back, and is not late by the generator's
  // fault.
  void GoOn(std::int64_t now_ns) {
    if (!is_holding_back_) return;
    is_holding_back_ = false;
    held_back_until_ns_ = now_ns;
  }
  bool was_held_back() const { return due_ns() <= held_back_until_ns_; }

 private:
  const double rate_;
  std::int64_t start_ns_ = 0;
  std::uint64_t next_ = 0;
  bool is_holding_back_ = false;
  std::int64_t held_back_until_ns_ = -1;
};

}  // namespace palena::app
