#pragma once

// Group commit without a disk: numbers commits, gathers whatever is in flight, hands it to a
// BatchWriter as one batch on the writer executor, and tells the listener what became of it. Every
// CommitLog of a single node is this queue plus a writer.

#include <condition_variable>
#include <memory>
#include <vector>

#include "base/capacities.h"
#include "base/executor.h"
#include "base/mutex.h"
#include "store/commit_log.h"

namespace palena::store {

// How far a log reaches: its last commit, and the clock bound beside it.
struct LogPosition {
  Sequence sequence = 0;
  hlc::HybridTime clock_bound;
};

// What one synced write makes durable. `commits` may be empty: then only the bound moves.
struct CommitBatch {
  std::vector<model::Commit> commits;  // in sequence order
  LogPosition position;                // reached once the batch is durable
};

class BatchWriter {
 public:
  virtual ~BatchWriter() = default;
  // Returns when the batch is durable. On the writer executor, one batch at a time; after an error
  // it is not called again.
  virtual base::Status Write(const CommitBatch& batch) = 0;
};

// Owned through shared_ptr, because tasks left in an executor may outlive the log they belong to.
class CommitQueue : public std::enable_shared_from_this<CommitQueue> {
 public:
  // Both must outlive Close().
  static std::shared_ptr<CommitQueue> Create(base::Executor& executor, BatchWriter& writer,
                                             std::size_t commits_per_batch = base::kUnbounded);

  // Where recovery ended; before the first Append.
  void Resume(const LogPosition& recovered);
  void SetListener(CommitLogListener* listener);

  // See CommitLog. The bound of a batch is never below the stamps of its commits, so a restart
  // begins above every stamp on disk whatever was asked for.
  Sequence Append(model::Commit commit);
  void Start();
  void RenewClockBound(hlc::HybridTime bound);

  // The log is broken: nothing is written or acknowledged from here on, and the listener hears of
  // it once. Any thread; the first cause counts.
  void Fail(const base::Status& cause);

  // Writes what is queued, tells the listener, and ends; no call to writer or listener follows.
  // Nothing may be appended meanwhile. On the executor's own thread the batches are written there
  // and then; elsewhere it waits for the executor to have done so. What an executor that has
  // stopped drops was never acknowledged, and is not waited for.
  void Close();

  CommitLog::Stats stats() const;

 private:
  class Turn;

  CommitQueue(base::Executor& executor, BatchWriter& writer, std::size_t commits_per_batch)
      : executor_(executor), writer_(writer), commits_per_batch_(commits_per_batch) {}

  // One batch at most, so that other tasks of the executor get their turn under constant load.
  void RunTurn();
  void WriteBatch();
  void Acknowledge(const CommitBatch& batch);
  void TellFailure();
  void PostTurn();
  void EndTurn();
  void DropTurn();

  bool TakeBatch(CommitBatch& batch);
  std::vector<model::Commit> TakeFirst(std::size_t commits) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The turn has something to write; a batch takes commits along that nobody has started.
  bool HasBatch() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasWork() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // True when the caller must post a turn, after it let go of the lock: an executor that has
  // stopped destroys the task inside Post, which takes the lock.
  bool ClaimTurn() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  base::Executor& executor_;
  BatchWriter& writer_;
  const std::size_t commits_per_batch_;

  mutable base::Mutex mutex_;
  std::condition_variable_any turn_ended_;
  std::vector<model::Commit> pending_ ABSL_GUARDED_BY(mutex_);
  LogPosition asked_ ABSL_GUARDED_BY(mutex_);    // last sequence given, highest bound asked for
  LogPosition durable_ ABSL_GUARDED_BY(mutex_);  // last position acknowledged
  base::Status failure_ ABSL_GUARDED_BY(mutex_);
  bool failure_told_ ABSL_GUARDED_BY(mutex_) = false;
  bool turn_claimed_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_writing_ ABSL_GUARDED_BY(mutex_) = false;  // a batch that is not durable yet
  bool is_started_ ABSL_GUARDED_BY(mutex_) = false;  // there are pending ones, to be written
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  CommitLogListener* listener_ ABSL_GUARDED_BY(mutex_) = nullptr;
  CommitLog::Stats stats_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace palena::store
