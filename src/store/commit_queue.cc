#include "store/commit_queue.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/check.h"

namespace palena::store {

// The task that writes a batch. Its end is noticed even when an executor that has stopped drops it
// without running it: Close() must not wait for it then.
class CommitQueue::Turn {
 public:
  explicit Turn(std::weak_ptr<CommitQueue> queue) : queue_(std::move(queue)) {}
  Turn(Turn&&) = default;
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    if (const auto queue = queue_.lock()) queue->DropTurn();
  }

  void operator()() {
    if (const auto queue = std::exchange(queue_, {}).lock()) queue->RunTurn();
  }

 private:
  std::weak_ptr<CommitQueue> queue_;  // empty once run or moved from
};

std::shared_ptr<CommitQueue> CommitQueue::Create(base::Executor& executor, BatchWriter& writer,
                                                 std::size_t commits_per_batch) {
  return std::shared_ptr<CommitQueue>(new CommitQueue(executor, writer, commits_per_batch));
}

void CommitQueue::Resume(const LogPosition& recovered) {
  base::MutexLock lock(mutex_);
  asked_ = durable_ = recovered;
}

void CommitQueue::SetListener(CommitLogListener* listener) {
  bool must_post = false;
  {
    base::MutexLock lock(mutex_);
    listener_ = listener;
    must_post = ClaimTurn();  // it may have failed before anybody listened
  }
  if (must_post) PostTurn();
}

Sequence CommitQueue::Append(model::Commit commit) {
  base::MutexLock lock(mutex_);
  PALENA_CHECK(listener_ != nullptr);
  const Sequence sequence = ++asked_.sequence;
  if (!failure_.ok()) return sequence;
  pending_.push_back(std::move(commit));
  return sequence;
}

void CommitQueue::Start() {
  bool must_post = false;
  {
    base::MutexLock lock(mutex_);
    if (is_writing_) return;
    is_started_ = !pending_.empty();
    must_post = ClaimTurn();
  }
  if (must_post) PostTurn();
}

void CommitQueue::RenewClockBound(hlc::HybridTime bound) {
  bool must_post = false;
  {
    base::MutexLock lock(mutex_);
    PALENA_CHECK(listener_ != nullptr);
    asked_.clock_bound = std::max(asked_.clock_bound, bound);
    must_post = ClaimTurn();
  }
  if (must_post) PostTurn();
}

void CommitQueue::Fail(const base::Status& cause) {
  bool must_post = false;
  {
    base::MutexLock lock(mutex_);
    if (!failure_.ok() || closed_) return;
    failure_ = cause;
    pending_.clear();
    must_post = ClaimTurn();
  }
  if (must_post) PostTurn();
}

void CommitQueue::Close() {
  bool must_post = false;
  {
    base::MutexLock lock(mutex_);
    is_started_ = !pending_.empty();  // also while a batch is being written: nobody starts again
    must_post = ClaimTurn();
  }
  if (must_post) PostTurn();
  if (executor_.IsCurrent()) {
    // A turn that is still queued finds the queue gone and does nothing.
    while (true) {
      {
        base::MutexLock lock(mutex_);
        closed_ = !HasWork();
        if (closed_) return;
      }
      WriteBatch();
      TellFailure();
    }
  }
  base::MutexLock lock(mutex_);
  while (turn_claimed_) turn_ended_.wait(mutex_);
  closed_ = true;
}

CommitLog::Stats CommitQueue::stats() const {
  base::MutexLock lock(mutex_);
  return stats_;
}

void CommitQueue::RunTurn() {
  WriteBatch();
  TellFailure();
  EndTurn();
}

void CommitQueue::WriteBatch() {
  CommitBatch batch;
  if (!TakeBatch(batch)) return;
  const base::Status written = writer_.Write(batch);
  if (written.ok()) {
    Acknowledge(batch);
  } else {
    Fail(written);
  }
}

void CommitQueue::Acknowledge(const CommitBatch& batch) {
  CommitLogListener* listener = nullptr;
  {
    base::MutexLock lock(mutex_);
    // Broken from another side meanwhile: the batch may well be durable, but nobody vouches for it.
    if (!failure_.ok()) return;
    is_writing_ = false;
    durable_ = batch.position;
    stats_.commits += batch.commits.size();
    ++stats_.batches;
    listener = listener_;
  }
  listener->OnDurable(batch.position.sequence, batch.position.clock_bound);
}

void CommitQueue::TellFailure() {
  CommitLogListener* listener = nullptr;
  base::Status cause;
  {
    base::MutexLock lock(mutex_);
    if (failure_.ok() || failure_told_ || listener_ == nullptr) return;
    failure_told_ = true;
    listener = listener_;
    cause = failure_;
  }
  listener->OnFailed(cause);
}

void CommitQueue::PostTurn() {
  executor_.Post(Turn(weak_from_this()));
}

void CommitQueue::EndTurn() {
  bool must_post = false;
  {
    base::MutexLock lock(mutex_);
    turn_claimed_ = false;
    must_post = ClaimTurn();
    if (!must_post) turn_ended_.notify_all();
  }
  if (must_post) PostTurn();
}

void CommitQueue::DropTurn() {
  base::MutexLock lock(mutex_);
  turn_claimed_ = false;
  turn_ended_.notify_all();
}

bool CommitQueue::TakeBatch(CommitBatch& batch) {
  base::MutexLock lock(mutex_);
  if (!HasBatch()) return false;
  batch.commits = pending_.size() <= commits_per_batch_ ? std::exchange(pending_, {})
                                                        : TakeFirst(commits_per_batch_);
  for (const model::Commit& commit : batch.commits) {
    asked_.clock_bound = std::max(asked_.clock_bound, commit.stamp.time);
  }
  batch.position = {asked_.sequence - pending_.size(), asked_.clock_bound};
  is_started_ &= !pending_.empty();
  is_writing_ = true;
  return true;
}

// The rest stays for the next batch.
std::vector<model::Commit> CommitQueue::TakeFirst(std::size_t commits) {
  const auto end = pending_.begin() + static_cast<std::ptrdiff_t>(commits);
  std::vector<model::Commit> first(std::move_iterator(pending_.begin()), std::move_iterator(end));
  pending_.erase(pending_.begin(), end);
  return first;
}

bool CommitQueue::HasBatch() const {
  return failure_.ok() && (is_started_ || asked_.clock_bound > durable_.clock_bound);
}

bool CommitQueue::HasWork() const {
  return HasBatch() || (!failure_.ok() && !failure_told_ && listener_ != nullptr);
}

bool CommitQueue::ClaimTurn() {
  if (turn_claimed_ || closed_ || !HasWork()) return false;
  turn_claimed_ = true;
  return true;
}

}  // namespace palena::store
