#include "store/rocks_settings.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "store/data_directory.h"
#include "store/rocks_format.h"

namespace palena::store {
namespace {

constexpr std::size_t kWriteBufferBytes = std::size_t{32} << 20;
constexpr std::uint64_t kWalBytesMax = std::uint64_t{256} << 20;  // bounds replay
constexpr std::size_t kInfoLogBytes = std::size_t{1} << 20;
constexpr std::size_t kInfoLogFiles = 2;
constexpr int kOpenFilesMax = 256;
constexpr int kBloomBitsPerKey = 10;
constexpr int kMemtableChecksumBytes = 8;
// About as many as a full write buffer has versions of small values.
constexpr std::size_t kHistoryBuckets = std::size_t{1} << 18;

// LZ4 costs next to nothing and shrinks text; a library built without it stores plain blocks.
rocksdb::CompressionType ChooseCompression() {
  const auto supported = rocksdb::GetSupportedCompressions();
  const bool has_lz4 = std::count(supported.begin(), supported.end(), rocksdb::kLZ4Compression) > 0;
  return has_lz4 ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
}

// The key's part of a place in `history`.
class HistoryKeyPrefix final : public rocksdb::SliceTransform {
 public:
  const char* Name() const override { return "palena.HistoryKey"; }
  rocksdb::Slice Transform(const rocksdb::Slice& place) const override {
    return {place.data(), place.size() - kRevisionBytes};
  }
  bool InDomain(const rocksdb::Slice& place) const override {
    return place.size() >= kRevisionBytes;
  }
};

bool Mentions(const rocksdb::Status& status, int error) {
  return absl::StrContains(status.ToString(), std::system_category().message(error));
}

bool IsDenied(const rocksdb::Status& status) {
  return status.IsIOError() &&
         (Mentions(status, EACCES) || Mentions(status, EROFS) || Mentions(status, EPERM));
}

// The database has no code of its own for "somebody holds the lock file".
bool IsLocked(const rocksdb::Status& status) {
  return status.IsIOError() && absl::StrContains(status.ToString(), "/LOCK");
}

// A file that the manifest names and the directory lacks is damage as much as a bad checksum.
bool IsDamage(const rocksdb::Status& status) {
  return status.IsCorruption() || status.IsPathNotFound() || status.IsNotFound();
}

}  // namespace

rocksdb::DBOptions MakeDatabaseOptions() {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;

  // Some of these are the defaults of this version. They are what durability rests on, so they do
  // not depend on the next version's.
  options.paranoid_checks = true;
  options.track_and_verify_wals_in_manifest = true;
  options.recycle_log_file_num = 0;
  options.wal_bytes_per_sync = 0;
  options.manual_wal_flush = false;
  options.avoid_flush_during_recovery = false;
  options.max_bgerror_resume_count = 0;  // a failed sync is never retried
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;

  // Commits have one writer, the trimming of history another that seldom writes; and not every
  // write buffer could take several at once.
  options.allow_concurrent_memtable_write = false;

  options.max_total_wal_size = kWalBytesMax;
  options.max_open_files = kOpenFilesMax;
  options.max_background_jobs = 2;

  options.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  options.keep_log_file_num = kInfoLogFiles;
  options.max_log_file_size = kInfoLogBytes;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  return options;
}

rocksdb::ColumnFamilyOptions MakeFamilyOptions(const RocksCommitLogOptions& options) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(options.block_cache_bytes);
  table.cache_index_and_filter_blocks = true;  // so that the cache bounds them too
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBloomBitsPerKey));

  rocksdb::ColumnFamilyOptions family;
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  family.write_buffer_size = kWriteBufferBytes;
  family.compression = ChooseCompression();
  family.force_consistency_checks = true;
  family.memtable_protection_bytes_per_key = kMemtableChecksumBytes;
  return family;
}

rocksdb::ColumnFamilyOptions MakeHistoryFamilyOptions(const RocksCommitLogOptions& options) {
  rocksdb::ColumnFamilyOptions family = MakeFamilyOptions(options);
  family.prefix_extractor = std::make_shared<HistoryKeyPrefix>();
  family.memtable_factory.reset(rocksdb::NewHashLinkListRepFactory(kHistoryBuckets));
  return family;
}

base::Status DescribeOpenError(const std::string& directory, const rocksdb::Status& status) {
  using Code = base::StatusCode;
  const std::string text = status.ToString();
  if (IsDenied(status)) {
    return DirectoryError(Code::kPermissionDenied, directory, "cannot be used: " + text,
                          "give its owner's rights to this user, or name another");
  }
  if (IsLocked(status)) {
    return DirectoryError(Code::kFailedPrecondition, directory, "is in use by another process",
                          "stop it, or name another");
  }
  if (IsDamage(status)) {
    return DirectoryError(Code::kDataLoss, directory, "is damaged: " + text,
                          "restore it from a copy");
  }
  if (status.IsInvalidArgument() || status.IsNotSupported()) {
    return DirectoryError(Code::kInvalidArgument, directory, "holds another format: " + text,
                          "name another, or use the program that wrote it");
  }
  if (status.IsNoSpace()) {
    return DirectoryError(Code::kResourceExhausted, directory, "has no space left: " + text,
                          "free some");
  }
  return DirectoryError(Code::kUnavailable, directory, "cannot be opened: " + text,
                        "check the disk");
}

base::Status DescribeWriteError(const std::string& directory, const rocksdb::Status& status) {
  const std::string what = "cannot be written: " + status.ToString();
  if (status.IsNoSpace()) {
    return DirectoryError(base::StatusCode::kResourceExhausted, directory, what, "free some space");
  }
  if (status.IsCorruption()) {
    return DirectoryError(base::StatusCode::kDataLoss, directory, what, "restore it from a copy");
  }
  return DirectoryError(base::StatusCode::kUnavailable, directory, what, "check the disk");
}

base::Status DescribeReadError(std::string_view family, std::string_view key,
                               const rocksdb::Status& status) {
  const auto code = IsDamage(status) ? base::StatusCode::kDataLoss : base::StatusCode::kUnavailable;
  return {code, absl::StrCat("column family ", std::string(family), ", key '", PrintableKey(key),
                             "': ", status.ToString())};
}

}  // namespace palena::store
