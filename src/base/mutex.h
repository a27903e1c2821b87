#pragma once

// A mutex that clang's thread-safety analysis follows: fields say who guards them
// (ABSL_GUARDED_BY), functions say what they want held. std::mutex carries no such marks, and
// absl::Mutex hides its synchronisation from a thread sanitizer that did not build it.

#include <mutex>

#include "absl/base/thread_annotations.h"

namespace palena::base {

// Lower-case names, so that std::condition_variable_any can wait with it.
class ABSL_LOCKABLE Mutex {
 public:
  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace palena::base
