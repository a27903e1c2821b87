#include "store/rocks_commit_log.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "store/acked_watermark.h"
#include "store/commit_queue.h"
#include "store/data_directory.h"
#include "store/history_trimmer.h"
#include "store/rocks_format.h"
#include "store/rocks_internals.h"
#include "store/rocks_reads.h"
#include "store/rocks_settings.h"

namespace palena::store {
namespace {

constexpr std::size_t kBatchChecksumBytes = 8;  // per key, carried from the batch to the memtable

rocksdb::Slice ToSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

std::string_view ToView(const rocksdb::Slice& bytes) {
  return {bytes.data(), bytes.size()};
}

rocksdb::WriteBatch NewBatch() {
  return rocksdb::WriteBatch(/*reserved_bytes=*/0, /*max_bytes=*/0, kBatchChecksumBytes,
                             /*default_cf_ts_sz=*/0);
}

// Trouble of the database's own threads, a flush or a compaction, is as final as a failed write.
class FailureListener final : public rocksdb::EventListener {
 public:
  FailureListener(std::string directory, std::weak_ptr<CommitQueue> queue)
      : directory_(std::move(directory)), queue_(std::move(queue)) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status* status) override {
    if (const auto queue = queue_.lock()) queue->Fail(DescribeWriteError(directory_, *status));
  }

 private:
  const std::string directory_;
  const std::weak_ptr<CommitQueue> queue_;
};

class RocksCommitLog final : public CommitLog, private BatchWriter {
 public:
  RocksCommitLog(RocksCommitLogOptions options, base::Executor& writer)
      : options_(std::move(options)),
        writer_(writer),
        queue_(CommitQueue::Create(writer, *this, options_.commits_per_batch)) {}
  ~RocksCommitLog() override {
    queue_->Close();
    trimmer_.reset();
    if (watermark_) watermark_->Flush();
    CloseFamilies();
  }

  base::Status Open(const RocksInternals& internals);

  void SetListener(CommitLogListener* listener) override { queue_->SetListener(listener); }
  Sequence Append(model::Commit commit) override { return queue_->Append(std::move(commit)); }
  void Start() override { queue_->Start(); }
  void RenewClockBound(hlc::HybridTime bound) override { queue_->RenewClockBound(bound); }

  base::StatusOr<model::Version> ReadHead(std::string_view key) override {
    return ReadAt(*latest_, ToSlice(key), key);
  }
  std::optional<model::Version> PeekHead(std::string_view key) override;
  base::StatusOr<model::Version> ReadVersion(std::string_view key, std::int64_t revision) override {
    if (revision < 0) return model::Version{};
    std::string place;
    AppendHistoryKey(key, revision, place);
    return ReadAt(*history_, place, key);
  }
  base::StatusOr<model::Version> ReadAsOf(std::string_view key, std::int64_t time_ms) override;
  base::StatusOr<std::vector<KeyedVersion>> ReadRange(const model::KeyRange& range,
                                                      std::string_view after,
                                                      std::size_t entries_max) override;

  base::StatusOr<bool> TrimHistory(std::int64_t now_ms) override;

  Sequence recovered_sequence() const override { return recovered_.sequence; }
  hlc::HybridTime recovered_clock_bound() const override { return recovered_.clock_bound; }
  Stats stats() const override;

 private:
  base::Status OpenDatabase(const RocksInternals& internals);
  void CloseFamilies();

  base::Status CheckFormat();
  base::Status MarkFormat();
  base::StatusOr<bool> IsUnused();
  base::Status Recover();
  // Compares what was recovered with what had been acknowledged.
  base::Status CheckWatermark();
  // The value in `meta`; 0 when there is none.
  base::StatusOr<std::uint64_t> ReadMeta(std::string_view key);

  base::StatusOr<model::Version> ReadAt(rocksdb::ColumnFamilyHandle& family,
                                        const rocksdb::Slice& place, std::string_view key);

  base::Status Write(const CommitBatch& batch) override;
  base::Status WriteSynced(rocksdb::WriteBatch& batch);
  base::Status WriteTrimmed(rocksdb::WriteBatch& batch);
  void Encode(const model::Effect& effect, rocksdb::WriteBatch& out);

  const RocksCommitLogOptions options_;
  base::Executor& writer_;
  LogPosition recovered_;
  // Outlives the database, whose threads report failures to it until they are gone.
  const std::shared_ptr<CommitQueue> queue_;
  std::shared_ptr<AckedWatermark> watermark_;
  std::unique_ptr<rocksdb::DB> database_;
  rocksdb::ColumnFamilyHandle* default_ = nullptr;  // owned through database_, see CloseFamilies
  rocksdb::ColumnFamilyHandle* latest_ = nullptr;
  rocksdb::ColumnFamilyHandle* history_ = nullptr;
  rocksdb::ColumnFamilyHandle* meta_ = nullptr;
  std::unique_ptr<HistoryTrimmer> trimmer_;  // null when everything is kept
  std::atomic<std::uint64_t> versions_trimmed_{0};
  std::string encoded_;  // scratch of the writer
  std::string place_;
};

base::Status RocksCommitLog::Open(const RocksInternals& internals) {
  PALENA_RETURN_IF_ERROR(PrepareDataDirectory(options_.directory));
  PALENA_RETURN_IF_ERROR(OpenDatabase(internals));
  PALENA_RETURN_IF_ERROR(CheckFormat());
  PALENA_RETURN_IF_ERROR(Recover());
  PALENA_RETURN_IF_ERROR(CheckWatermark());
  if (!options_.retention.keeps_all()) {
    trimmer_ =
        std::make_unique<HistoryTrimmer>(*database_, *latest_, *history_, options_.retention);
  }
  queue_->Resume(recovered_);
  return base::Ok();
}

base::Status RocksCommitLog::OpenDatabase(const RocksInternals& internals) {
  rocksdb::DBOptions database_options = MakeDatabaseOptions();
  database_options.env = internals.env;
  database_options.listeners.push_back(
      std::make_shared<FailureListener>(options_.directory, queue_));

  const rocksdb::ColumnFamilyOptions family = MakeFamilyOptions(options_);
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, family},
      {std::string(kLatestFamily), family},
      {std::string(kHistoryFamily), MakeHistoryFamilyOptions(options_)},
      {std::string(kMetaFamily), family}};
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* database = nullptr;
  const rocksdb::Status opened =
      rocksdb::DB::Open(database_options, options_.directory, families, &handles, &database);
  if (!opened.ok()) return DescribeOpenError(options_.directory, opened);
  database_.reset(database);
  default_ = handles[0];
  latest_ = handles[1];
  history_ = handles[2];
  meta_ = handles[3];
  return base::Ok();
}

// Handles go before the database they belong to.
void RocksCommitLog::CloseFamilies() {
  if (!database_) return;
  for (rocksdb::ColumnFamilyHandle* family : {default_, latest_, history_, meta_}) {
    database_->DestroyColumnFamilyHandle(family);
  }
}

base::Status RocksCommitLog::CheckFormat() {
  PALENA_ASSIGN_OR_RETURN(const std::uint64_t format, ReadMeta(kFormatKey));
  if (format == kDataFormat) return base::Ok();
  if (format == 0) {
    // New, or its first start ended before it could be marked.
    PALENA_ASSIGN_OR_RETURN(const bool is_unused, IsUnused());
    if (is_unused) return MarkFormat();
  }
  return DirectoryError(base::StatusCode::kInvalidArgument, options_.directory,
                        absl::StrCat("has format ", format, ", this program reads ", kDataFormat),
                        "name another, or use the program that wrote it");
}

base::Status RocksCommitLog::MarkFormat() {
  rocksdb::WriteBatch batch;
  batch.Put(meta_, ToSlice(kFormatKey), EncodeMeta(kDataFormat));
  return WriteSynced(batch);
}

base::StatusOr<bool> RocksCommitLog::IsUnused() {
  rocksdb::ReadOptions whole;
  whole.total_order_seek = true;
  for (rocksdb::ColumnFamilyHandle* family : {default_, latest_, history_, meta_}) {
    const std::unique_ptr<rocksdb::Iterator> first(database_->NewIterator(whole, family));
    first->SeekToFirst();
    if (first->Valid()) return false;
    if (!first->status().ok()) return DescribeOpenError(options_.directory, first->status());
  }
  return true;
}

base::Status RocksCommitLog::Recover() {
  PALENA_ASSIGN_OR_RETURN(recovered_.sequence, ReadMeta(kSequenceKey));
  PALENA_ASSIGN_OR_RETURN(recovered_.clock_bound.packed, ReadMeta(kClockBoundKey));
  return base::Ok();
}

base::Status RocksCommitLog::CheckWatermark() {
  PALENA_ASSIGN_OR_RETURN(WatermarkFile file, WatermarkFile::Open(options_.directory));
  if (recovered_.sequence < file.value()) {
    if (!options_.accept_data_loss) {
      return DirectoryError(
          base::StatusCode::kDataLoss, options_.directory,
          absl::StrCat("is damaged: commits up to ", file.value(),
                       " were acknowledged, those after ", recovered_.sequence, " are missing"),
          "restore it from a copy, or accept the loss");
    }
    PALENA_RETURN_IF_ERROR(file.Clear());
  }
  const auto on_failure = [queue = std::weak_ptr<CommitQueue>(queue_)](const base::Status& cause) {
    if (const auto open = queue.lock()) open->Fail(cause);
  };
  watermark_ = std::make_shared<AckedWatermark>(std::move(file), writer_, on_failure);
  return base::Ok();
}

base::StatusOr<std::uint64_t> RocksCommitLog::ReadMeta(std::string_view key) {
  rocksdb::PinnableSlice bytes;
  const rocksdb::Status found = database_->Get(rocksdb::ReadOptions(), meta_, ToSlice(key), &bytes);
  if (found.IsNotFound()) return 0;
  if (!found.ok()) return DescribeOpenError(options_.directory, found);
  std::uint64_t value = 0;
  if (DecodeMeta(ToView(bytes), value)) return value;
  return DescribeReadError(kMetaFamily, key, rocksdb::Status::Corruption("unknown layout"));
}

base::StatusOr<model::Version> RocksCommitLog::ReadAt(rocksdb::ColumnFamilyHandle& family,
                                                      const rocksdb::Slice& place,
                                                      std::string_view key) {
  rocksdb::PinnableSlice bytes;
  const rocksdb::Status found = database_->Get(rocksdb::ReadOptions(), &family, place, &bytes);
  model::Version version;
  if (found.IsNotFound()) return version;
  if (!found.ok()) return DescribeReadError(family.GetName(), key, found);
  if (DecodeVersion(ToView(bytes), version)) return version;
  return DescribeReadError(family.GetName(), key, rocksdb::Status::Corruption("unknown layout"));
}

// Memtables, filters, and blocks that are in the cache. What cannot be told from them is left to
// ReadHead: trouble, and the empty value by which a table that is not open says "perhaps", which is
// no version.
std::optional<model::Version> RocksCommitLog::PeekHead(std::string_view key) {
  rocksdb::ReadOptions from_memory;
  from_memory.read_tier = rocksdb::kBlockCacheTier;
  rocksdb::PinnableSlice bytes;
  const rocksdb::Status found = database_->Get(from_memory, latest_, ToSlice(key), &bytes);
  model::Version version;
  if (found.IsNotFound()) return version;
  if (found.ok() && DecodeVersion(ToView(bytes), version)) return version;
  return std::nullopt;
}

// The head first: whatever supersedes it afterwards is newer than what the search looks for.
base::StatusOr<model::Version> RocksCommitLog::ReadAsOf(std::string_view key,
                                                        std::int64_t time_ms) {
  PALENA_ASSIGN_OR_RETURN(model::Version head, ReadHead(key));
  const bool is_answer = head.kind == model::VersionKind::kAbsent || head.stamp.ms() <= time_ms;
  if (is_answer) return head;
  return ReadHistoryAsOf(*database_, *history_, key, head, time_ms);
}

base::StatusOr<std::vector<KeyedVersion>> RocksCommitLog::ReadRange(const model::KeyRange& range,
                                                                    std::string_view after,
                                                                    std::size_t entries_max) {
  return ReadHeadsIn(*database_, *latest_, range, after, entries_max);
}

CommitLog::Stats RocksCommitLog::stats() const {
  Stats stats = queue_->stats();
  stats.versions_trimmed = versions_trimmed_;
  return stats;
}

base::StatusOr<bool> RocksCommitLog::TrimHistory(std::int64_t now_ms) {
  if (trimmer_ == nullptr) return false;
  rocksdb::WriteBatch out = NewBatch();
  const base::StatusOr<bool> goes_on = trimmer_->Step(now_ms, options_.trimmed_per_step, out);
  PALENA_RETURN_IF_ERROR(WriteTrimmed(out));
  versions_trimmed_ = trimmer_->versions_trimmed();
  return goes_on;
}

// Not synced, so that no commit waits for a sync of ours: what a crash undoes is trimmed again.
base::Status RocksCommitLog::WriteTrimmed(rocksdb::WriteBatch& batch) {
  if (batch.Count() == 0) return base::Ok();
  rocksdb::WriteOptions when_idle;
  when_idle.low_pri = true;
  const rocksdb::Status written = database_->Write(when_idle, &batch);
  if (written.ok()) return base::Ok();
  const base::Status cause = DescribeWriteError(options_.directory, written);
  queue_->Fail(cause);
  return cause;
}

base::Status RocksCommitLog::Write(const CommitBatch& batch) {
  rocksdb::WriteBatch out = NewBatch();
  for (const model::Commit& commit : batch.commits) {
    for (const model::Effect& effect : commit.effects) Encode(effect, out);
  }
  out.Put(meta_, ToSlice(kSequenceKey), EncodeMeta(batch.position.sequence));
  out.Put(meta_, ToSlice(kClockBoundKey), EncodeMeta(batch.position.clock_bound.packed));
  PALENA_RETURN_IF_ERROR(WriteSynced(out));
  watermark_->Note(batch.position.sequence);
  return base::Ok();
}

base::Status RocksCommitLog::WriteSynced(rocksdb::WriteBatch& batch) {
  rocksdb::WriteOptions synced;
  synced.sync = true;
  const rocksdb::Status written = database_->Write(synced, &batch);
  return written.ok() ? base::Ok() : DescribeWriteError(options_.directory, written);
}

void RocksCommitLog::Encode(const model::Effect& effect, rocksdb::WriteBatch& out) {
  encoded_.clear();
  AppendVersion(effect.head.view(), encoded_);
  out.Put(latest_, effect.key, encoded_);
  if (effect.superseded.kind == model::VersionKind::kAbsent) return;
  encoded_.clear();
  AppendVersion(effect.superseded.view(), encoded_);
  place_.clear();
  AppendHistoryKey(effect.key, effect.superseded.revision, place_);
  out.Put(history_, place_, encoded_);
}

}  // namespace

base::StatusOr<std::unique_ptr<CommitLog>> OpenRocksCommitLog(const RocksCommitLogOptions& options,
                                                              base::Executor& writer,
                                                              const RocksInternals& internals) {
  auto log = std::make_unique<RocksCommitLog>(options, writer);
  PALENA_RETURN_IF_ERROR(log->Open(internals));
  return log;
}

base::StatusOr<std::unique_ptr<CommitLog>> OpenRocksCommitLog(const RocksCommitLogOptions& options,
                                                              base::Executor& writer) {
  return OpenRocksCommitLog(options, writer, RocksInternals{});
}

}  // namespace palena::store
