#pragma once

// Executor: where work runs. One executor is one thread's worth of turns: tasks posted to it run
// one at a time, in the order they were posted, never inside Post itself.

#include <cstdint>

#include "absl/functional/any_invocable.h"

namespace palena::base {

using Task = absl::AnyInvocable<void()>;

class Executor {
 public:
  virtual ~Executor() = default;

  // Queues `task`. Any thread. A sleeping executor is woken once for a whole batch, not per task.
  // After the executor has stopped, tasks are dropped (destroyed without being run).
  virtual void Post(Task task) = 0;

  // Queues `task` once `delay_ns` of steady time have passed. Any thread. No way to cancel: a task
  // that may have become pointless checks that itself. Same fate after the stop.
  virtual void PostAfter(std::int64_t delay_ns, Task task) = 0;

  // True on the thread that runs this executor's tasks.
  virtual bool IsCurrent() const = 0;
};

}  // namespace palena::base
