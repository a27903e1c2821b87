#include "store/memory_commit_log.h"

#include <map>
#include <utility>

#include "base/mutex.h"
#include "store/commit_queue.h"

namespace palena::store {
namespace {

class MemoryCommitLog final : public CommitLog, private BatchWriter {
 public:
  MemoryCommitLog(base::Executor& writer, std::size_t commits_per_batch)
      : queue_(CommitQueue::Create(writer, *this, commits_per_batch)) {}
  ~MemoryCommitLog() override { queue_->Close(); }

  void SetListener(CommitLogListener* listener) override { queue_->SetListener(listener); }
  Sequence Append(model::Commit commit) override { return queue_->Append(std::move(commit)); }
  void Start() override { queue_->Start(); }
  void RenewClockBound(hlc::HybridTime bound) override { queue_->RenewClockBound(bound); }

  base::StatusOr<model::Version> ReadHead(std::string_view key) override {
    base::MutexLock lock(mutex_);
    const auto found = heads_.find(key);
    return found == heads_.end() ? model::Version{} : found->second;
  }

  std::optional<model::Version> PeekHead(std::string_view key) override { return *ReadHead(key); }

  base::StatusOr<model::Version> ReadVersion(std::string_view key, std::int64_t revision) override {
    base::MutexLock lock(mutex_);
    const auto of_key = history_.find(key);
    if (of_key == history_.end()) return model::Version{};
    const auto found = of_key->second.find(revision);
    return found == of_key->second.end() ? model::Version{} : found->second;
  }

  base::StatusOr<model::Version> ReadAsOf(std::string_view key, std::int64_t time_ms) override {
    base::MutexLock lock(mutex_);
    const auto head = heads_.find(key);
    if (head == heads_.end()) return model::Version{};
    if (head->second.stamp.ms() <= time_ms) return head->second;
    const auto of_key = history_.find(key);
    if (of_key == history_.end()) return model::Version{};
    for (auto it = of_key->second.rbegin(); it != of_key->second.rend(); ++it) {
      if (it->second.stamp.ms() <= time_ms) return it->second;
    }
    return model::Version{};
  }

  base::StatusOr<std::vector<KeyedVersion>> ReadRange(const model::KeyRange& range,
                                                      std::string_view after,
                                                      std::size_t entries_max) override {
    base::MutexLock lock(mutex_);
    std::vector<KeyedVersion> found;
    auto it = heads_.lower_bound(range.text);
    if (after >= range.text) it = heads_.upper_bound(after);
    for (; it != heads_.end() && found.size() < entries_max; ++it) {
      if (!std::string_view(it->first).starts_with(range.text)) break;
      if (range.Contains(it->first)) found.push_back({it->first, it->second});
    }
    return found;
  }

  Sequence recovered_sequence() const override { return 0; }
  hlc::HybridTime recovered_clock_bound() const override { return {}; }
  Stats stats() const override { return queue_->stats(); }

 private:
  base::Status Write(const CommitBatch& batch) override {
    base::MutexLock lock(mutex_);
    for (const model::Commit& commit : batch.commits) {
      for (const model::Effect& effect : commit.effects) Apply(effect);
    }
    return base::Ok();
  }

  void Apply(const model::Effect& effect) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    heads_.insert_or_assign(effect.key, effect.head);
    if (effect.superseded.kind == model::VersionKind::kAbsent) return;
    history_[effect.key].insert_or_assign(effect.superseded.revision, effect.superseded);
  }

  base::Mutex mutex_;
  std::map<std::string, model::Version, std::less<>> heads_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::map<std::int64_t, model::Version>, std::less<>> history_
      ABSL_GUARDED_BY(mutex_);
  const std::shared_ptr<CommitQueue> queue_;
};

}  // namespace

std::unique_ptr<CommitLog> MakeMemoryCommitLog(base::Executor& writer,
                                               std::size_t commits_per_batch) {
  return std::make_unique<MemoryCommitLog>(writer, commits_per_batch);
}

}  // namespace palena::store
