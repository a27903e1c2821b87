#pragma once

// Words for tests of commit logs: a listener that remembers, and effects by the short name.

#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "store/commit_log.h"

namespace palena::store {

// Remembers what it was told; waits for it when asked.
class RecordingListener final : public CommitLogListener {
 public:
  struct Durable {
    Sequence sequence;
    hlc::HybridTime clock_bound;
    friend bool operator==(const Durable&, const Durable&) = default;
  };

  void OnDurable(Sequence sequence, hlc::HybridTime clock_bound) override {
    std::lock_guard lock(mutex_);
    durable_.push_back({sequence, clock_bound});
    changed_.notify_all();
    if (started_ != nullptr) started_->Start();
  }
  void OnFailed(const base::Status& status) override {
    std::lock_guard lock(mutex_);
    failures_.push_back(status);
    changed_.notify_all();
  }

  // Starts the log again whenever a batch is durable, as one does who still has commits queued.
  void StartWhenDurable(CommitLog& log) { started_ = &log; }

  std::vector<Durable> durable() const {
    std::lock_guard lock(mutex_);
    return durable_;
  }
  std::vector<base::Status> failures() const {
    std::lock_guard lock(mutex_);
    return failures_;
  }
  void WaitForSequence(Sequence sequence) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !durable_.empty() && durable_.back().sequence >= sequence; });
  }
  void WaitForSequenceOrFailure(Sequence sequence) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return !failures_.empty() || (!durable_.empty() && durable_.back().sequence >= sequence);
    });
  }
  void WaitForFailure() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !failures_.empty(); });
  }

 private:
  mutable std::mutex mutex_;  // guards durable_ and failures_
  std::condition_variable changed_;
  std::vector<Durable> durable_;
  std::vector<base::Status> failures_;
  CommitLog* started_ = nullptr;
};

inline model::Version ValueVersion(std::int64_t revision, model::Value value) {
  model::Version version;
  version.kind = model::VersionKind::kValue;
  version.revision = revision;
  version.stamp = hlc::HybridTime::FromMs(1000 + revision);
  version.value = std::move(value);
  return version;
}

inline model::Version TextVersion(std::int64_t revision, std::string text) {
  return ValueVersion(revision, model::Value::Bytes(std::move(text)));
}

inline model::Version DeletionVersion(std::int64_t revision) {
  model::Version version = TextVersion(revision, "");
  version.kind = model::VersionKind::kDeletion;
  return version;
}

// The key's new head, and what it supersedes when history keeps that.
inline model::Commit CommitOf(std::string key, model::Version head,
                              model::Version superseded = {}) {
  model::Commit commit;
  commit.stamp.time = head.stamp;
  commit.effects.push_back(
      {model::Durability::kPersistent, std::move(key), std::move(head), std::move(superseded)});
  return commit;
}

}  // namespace palena::store
