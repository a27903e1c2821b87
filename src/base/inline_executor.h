#pragma once

#include <atomic>
#include <deque>
#include <limits>
#include <map>
#include <mutex>

#include "base/clock.h"
#include "base/executor.h"

namespace palena::base {

// An executor without a thread: tasks run on whoever calls RunReady() or RunBatch(). Posting is
// safe from any thread; running belongs to one thread at a time.
class InlineExecutor final : public Executor {
 public:
  explicit InlineExecutor(const Clock& clock);

  void Post(Task task) override;
  void PostAfter(std::int64_t delay_ns, Task task) override;
  // There is no thread but the caller's.
  bool IsCurrent() const override { return true; }

  // Runs tasks until none is ready, those included that tasks post meanwhile and those whose time
  // has come. True when at least one ran.
  bool RunReady();
  // Runs what is ready now, once: what these tasks post stays for the next call. True when at least
  // one ran.
  bool RunBatch();
  // Steady nanoseconds until a task is ready, 0 when one is; -1 when there is none at all.
  std::int64_t NextDelayNs() const;
  // Whether a task is ready, now or at this steady time. Neither takes a lock: cheap enough to ask
  // at every turn.
  bool HasReady() const { return due_ns_.load(std::memory_order_relaxed) == kReadyNow; }
  bool IsDue(std::int64_t now_ns) const {
    return now_ns >= due_ns_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::int64_t kReadyNow = std::numeric_limits<std::int64_t>::min();

  // The caller holds mutex_.
  void MoveDueTasks();
  void NoteDue();
  bool TakeNext(Task& task);

  const Clock& clock_;
  mutable std::mutex mutex_;  // guards ready_ and delayed_
  std::deque<Task> ready_;
  std::multimap<std::int64_t, Task> delayed_;
  std::atomic<std::int64_t> due_ns_;  // steady time at which the first task is ready
};

}  // namespace palena::base
