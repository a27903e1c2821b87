#pragma once

// How far commits have been acknowledged, kept beside the database. The database recovers to the
// last whole record of its log and cannot tell a torn tail, which nobody was told about, from
// acknowledged commits that have gone missing; this number can.

#include <functional>
#include <memory>
#include <string>

#include "base/executor.h"
#include "base/mutex.h"
#include "base/status.h"
#include "store/commit_log.h"

namespace palena::store {

// One number in a file of two slots, each with its checksum. A write replaces the older slot, so a
// crash in the middle of one leaves the other. Not thread-safe.
class WatermarkFile {
 public:
  // Opens or creates `directory`/ACKED. DataLoss when neither slot of a file that had both is
  // whole; Unavailable when the disk refuses.
  static base::StatusOr<WatermarkFile> Open(const std::string& directory);
  WatermarkFile(WatermarkFile&& other) noexcept;
  WatermarkFile& operator=(WatermarkFile&&) = delete;
  ~WatermarkFile();

  // The highest number written; 0 for a new file.
  Sequence value() const { return value_; }
  // Returns once it is on disk.
  base::Status Write(Sequence value);
  // Forgets everything, to start again below value().
  base::Status Clear();

 private:
  WatermarkFile(std::string directory, int file) : directory_(std::move(directory)), file_(file) {}
  base::Status Load();
  base::Status Error(std::string_view action) const;

  std::string directory_;
  int file_;
  int next_slot_ = 0;
  Sequence value_ = 0;
};

// Writes the number on, at most once a second, on the writer executor.
class AckedWatermark : public std::enable_shared_from_this<AckedWatermark> {
 public:
  using FailureFn = std::function<void(const base::Status&)>;
  static constexpr std::int64_t kPeriodNs = 1'000'000'000;

  // `executor` must outlive the last Note(); `on_failure` hears of a disk that refuses.
  AckedWatermark(WatermarkFile file, base::Executor& executor, FailureFn on_failure)
      : executor_(executor), on_failure_(std::move(on_failure)), file_(std::move(file)) {}

  // Everything up to `sequence` may be acknowledged from now on.
  void Note(Sequence sequence);
  // Writes what was noted, now.
  void Flush();

 private:
  base::Status WriteNoted();

  base::Executor& executor_;
  const FailureFn on_failure_;
  base::Mutex mutex_;
  WatermarkFile file_ ABSL_GUARDED_BY(mutex_);
  Sequence noted_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_scheduled_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace palena::store
