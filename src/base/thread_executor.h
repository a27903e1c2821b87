#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"

namespace palena::base {

// An executor with a thread of its own, for work that blocks (disk reads, synced writes). Sleeps
// while there is nothing to do. Shards do not run on this: they need sockets and so a net::Loop.
class ThreadExecutor final : public Executor {
 public:
  // `name` (at most 15 characters) is what a debugger shows for the thread.
  ThreadExecutor(const Clock& clock, const std::string& name);
  // Runs what was posted before, drops what is posted from now on and what waits for its time.
  ~ThreadExecutor() override;

  void Post(Task task) override;
  void PostAfter(std::int64_t delay_ns, Task task) override;
  bool IsCurrent() const override;

 private:
  void Run();
  // Waits for work; the due tasks, or nothing once stopped and drained.
  std::vector<Task> NextBatch();
  void MoveDueTasks(std::int64_t now_ns);

  const Clock& clock_;
  std::mutex mutex_;  // guards ready_, delayed_, stopping_
  std::condition_variable wake_;
  std::vector<Task> ready_;
  std::multimap<std::int64_t, Task> delayed_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace palena::base
