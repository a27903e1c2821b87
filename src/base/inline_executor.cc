#include "base/inline_executor.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace palena::base {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

}  // namespace

InlineExecutor::InlineExecutor(const Clock& clock) : clock_(clock), due_ns_(kNever) {}

void InlineExecutor::Post(Task task) {
  std::lock_guard lock(mutex_);
  ready_.push_back(std::move(task));
  NoteDue();
}

void InlineExecutor::PostAfter(std::int64_t delay_ns, Task task) {
  std::lock_guard lock(mutex_);
  delayed_.emplace(clock_.SteadyNs() + delay_ns, std::move(task));
  NoteDue();
}

bool InlineExecutor::RunReady() {
  bool ran = false;
  for (Task task; TakeNext(task);) {
    task();
    ran = true;
  }
  return ran;
}

bool InlineExecutor::RunBatch() {
  std::size_t left = 0;
  {
    std::lock_guard lock(mutex_);
    MoveDueTasks();
    left = ready_.size();
  }
  const bool ran = left > 0;
  for (Task task; left > 0 && TakeNext(task); --left) task();
  return ran;
}

std::int64_t InlineExecutor::NextDelayNs() const {
  std::lock_guard lock(mutex_);
  if (!ready_.empty()) return 0;
  if (delayed_.empty()) return -1;
  return std::max<std::int64_t>(0, delayed_.begin()->first - clock_.SteadyNs());
}

bool InlineExecutor::TakeNext(Task& task) {
  std::lock_guard lock(mutex_);
  MoveDueTasks();
  if (ready_.empty()) return false;
  task = std::move(ready_.front());
  ready_.pop_front();
  NoteDue();
  return true;
}

void InlineExecutor::MoveDueTasks() {
  while (!delayed_.empty() && delayed_.begin()->first <= clock_.SteadyNs()) {
    ready_.push_back(std::move(delayed_.begin()->second));
    delayed_.erase(delayed_.begin());
  }
}

void InlineExecutor::NoteDue() {
  std::int64_t due_ns = kNever;
  if (!ready_.empty()) {
    due_ns = kReadyNow;
  } else if (!delayed_.empty()) {
    due_ns = delayed_.begin()->first;
  }
  due_ns_.store(due_ns, std::memory_order_relaxed);
}

}  // namespace palena::base
