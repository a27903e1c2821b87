#include "base/inline_executor.h"

#include <algorithm>
#include <utility>

namespace palena::base {

void InlineExecutor::Post(Task task) {
  std::lock_guard lock(mutex_);
  ready_.push_back(std::move(task));
}

void InlineExecutor::PostAfter(std::int64_t delay_ns, Task task) {
  std::lock_guard lock(mutex_);
  delayed_.emplace(clock_.SteadyNs() + delay_ns, std::move(task));
}

bool InlineExecutor::RunReady() {
  bool ran = false;
  for (Task task; TakeNext(task);) {
    task();
    ran = true;
  }
  return ran;
}

std::int64_t InlineExecutor::NextDelayNs() const {
  std::lock_guard lock(mutex_);
  if (delayed_.empty()) return -1;
  return std::max<std::int64_t>(0, delayed_.begin()->first - clock_.SteadyNs());
}

bool InlineExecutor::TakeNext(Task& task) {
  std::lock_guard lock(mutex_);
  while (!delayed_.empty() && delayed_.begin()->first <= clock_.SteadyNs()) {
    ready_.push_back(std::move(delayed_.begin()->second));
    delayed_.erase(delayed_.begin());
  }
  if (ready_.empty()) return false;
  task = std::move(ready_.front());
  ready_.pop_front();
  return true;
}

}  // namespace palena::base
