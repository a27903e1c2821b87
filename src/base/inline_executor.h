#pragma once

#include <deque>
#include <map>
#include <mutex>

#include "base/clock.h"
#include "base/executor.h"

namespace palena::base {

// An executor without a thread: tasks run on whoever calls RunReady(). Posting is safe from any
// thread; RunReady() belongs to one thread at a time.
class InlineExecutor final : public Executor {
 public:
  explicit InlineExecutor(const Clock& clock) : clock_(clock) {}

  void Post(Task task) override;
  void PostAfter(std::int64_t delay_ns, Task task) override;
  // There is no thread but the caller's.
  bool IsCurrent() const override { return true; }

  // Runs tasks until none is ready, those included that tasks post meanwhile and those whose time
  // has come. True when at least one ran.
  bool RunReady();
  // Steady nanoseconds until the next delayed task; -1 when there is none.
  std::int64_t NextDelayNs() const;

 private:
  bool TakeNext(Task& task);

  const Clock& clock_;
  mutable std::mutex mutex_;  // guards ready_ and delayed_
  std::deque<Task> ready_;
  std::multimap<std::int64_t, Task> delayed_;
};

}  // namespace palena::base
