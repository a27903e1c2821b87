#include "base/thread_executor.h"

#include <pthread.h>

#include <chrono>
#include <utility>

namespace palena::base {

ThreadExecutor::ThreadExecutor(const Clock& clock, const std::string& name)
    : clock_(clock), thread_([this] { Run(); }) {
  pthread_setname_np(thread_.native_handle(), name.c_str());
}

ThreadExecutor::~ThreadExecutor() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void ThreadExecutor::Post(Task task) {
  bool was_empty = false;
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return;
    was_empty = ready_.empty();
    ready_.push_back(std::move(task));
  }
  if (was_empty) wake_.notify_one();
}

void ThreadExecutor::PostAfter(std::int64_t delay_ns, Task task) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return;
    delayed_.emplace(clock_.SteadyNs() + delay_ns, std::move(task));
  }
  wake_.notify_one();
}

bool ThreadExecutor::IsCurrent() const {
  return std::this_thread::get_id() == thread_.get_id();
}

void ThreadExecutor::Run() {
  for (;;) {
    std::vector<Task> batch = NextBatch();
    if (batch.empty()) return;
    for (Task& task : batch) task();
  }
}

std::vector<Task> ThreadExecutor::NextBatch() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const std::int64_t now_ns = clock_.SteadyNs();
    MoveDueTasks(now_ns);
    if (!ready_.empty()) return std::exchange(ready_, {});
    if (stopping_) return {};
    if (delayed_.empty()) {
      wake_.wait(lock);
    } else {
      wake_.wait_for(lock, std::chrono::nanoseconds(delayed_.begin()->first - now_ns));
    }
  }
}

void ThreadExecutor::MoveDueTasks(std::int64_t now_ns) {
  while (!delayed_.empty() && delayed_.begin()->first <= now_ns) {
    ready_.push_back(std::move(delayed_.begin()->second));
    delayed_.erase(delayed_.begin());
  }
}

}  // namespace palena::base
