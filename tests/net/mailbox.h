#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace palena::net {

// Hands values from a loop's thread to the test's.
template <typename T>
class Mailbox {
 public:
  void Put(T value) {
    // Told under the lock: whoever takes the value may destroy the mailbox at once.
    const std::lock_guard lock(mutex_);
    values_.push_back(std::move(value));
    changed_.notify_one();
  }
  // Waits for one.
  T Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !values_.empty(); });
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }
  bool IsEmpty() const {
    const std::lock_guard lock(mutex_);
    return values_.empty();
  }
  // Waits for one, and calls `meanwhile` now and then while there is none.
  template <typename Meanwhile>
  T TakeWhile(Meanwhile meanwhile) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(20),
                              [this] { return !values_.empty(); })) {
      meanwhile();
    }
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }

 private:
  mutable std::mutex mutex_;  // guards values_
  std::condition_variable changed_;
  std::deque<T> values_;
};

}  // namespace palena::net
