#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "palena/result.h"
#include "palena/status.h"

namespace palena::app {

using Answer = StatusOr<Result>;

// Brings answers that come in any order back into the order of their questions, and bounds how many
// are open. One thread asks, one takes; answers may come on any thread.
class AnswerQueue {
 public:
  using Ticket = std::uint64_t;

  explicit AnswerQueue(std::size_t open_max) : open_max_(open_max) {}

  // Waits for room; nothing once the queue was stopped.
  std::optional<Ticket> Ask();
  void Put(Ticket ticket, Answer answer);
  // No more questions will come.
  void End();

  // Waits for the answer to the oldest question; nothing after the last one.
  std::optional<Answer> Take();
  // The taker wants no more; Ask() says so.
  void Stop();

 private:
  const std::size_t open_max_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<std::optional<Answer>> open_;  // oldest question first
  Ticket first_ = 0;                        // ticket of open_.front()
  bool has_ended_ = false;
  bool is_stopped_ = false;
};

}  // namespace palena::app
