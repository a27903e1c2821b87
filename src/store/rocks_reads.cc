#include "store/rocks_reads.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "store/history_cursor.h"
#include "store/rocks_format.h"
#include "store/rocks_settings.h"

namespace palena::store {
namespace {

constexpr char kSlash = '/';
constexpr char kBehindSlash = '/' + 1;

// The first text behind all that begin with `prefix`; empty when nothing is.
std::string EndOfPrefix(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

// The keys of a range are some of those with one prefix.
std::string PrefixOf(const model::KeyRange& range) {
  std::string prefix(range.text);
  if (range.kind == model::RangeKind::kBucket) prefix += kSlash;
  return prefix;
}

// A walk over `latest` that goes round the buckets inside a bucket.
class RangeWalk {
 public:
  RangeWalk(rocksdb::DB& database, rocksdb::ColumnFamilyHandle& latest,
            const model::KeyRange& range)
      : range_(range), prefix_(PrefixOf(range)), end_(EndOfPrefix(prefix_)), end_slice_(end_) {
    rocksdb::ReadOptions options;
    // What lies behind is not even looked at, were it a million keys that were removed.
    if (!end_.empty()) options.iterate_upper_bound = &end_slice_;
    at_.reset(database.NewIterator(options, &latest));
  }

  void Start(std::string_view after) {
    std::string first = prefix_;
    if (after >= prefix_) first = std::string(after) + '\0';
    at_->Seek(first);
    SkipBuckets();
  }
  bool is_valid() const { return at_->Valid(); }
  std::string_view key() const { return at_->key().ToStringView(); }
  std::string_view bytes() const { return at_->value().ToStringView(); }
  rocksdb::Status status() const { return at_->status(); }
  void Next() {
    at_->Next();
    SkipBuckets();
  }

 private:
  // All that begins with "bucket/inner/" lies in buckets inside.
  void SkipBuckets() {
    if (range_.kind != model::RangeKind::kBucket) return;
    while (at_->Valid()) {
      const std::size_t slash = key().find(kSlash, prefix_.size());
      if (slash == std::string_view::npos) return;
      at_->Seek(std::string(key().substr(0, slash)) + kBehindSlash);
    }
  }

  const model::KeyRange range_;
  const std::string prefix_;
  const std::string end_;
  const rocksdb::Slice end_slice_;
  std::unique_ptr<rocksdb::Iterator> at_;
};

// The newest revision in [first, end) whose version is old enough; kNoRevision when none is.
std::int64_t NewestAtMost(HistoryCursor& cursor, std::int64_t first, std::int64_t end,
                          std::int64_t time_ms) {
  std::int64_t newest = model::kNoRevision;
  while (first < end && cursor.status().ok()) {
    const std::int64_t middle = first + (end - first) / 2;
    const bool is_old_enough = cursor.SeekTo(middle) && cursor.version().revision < end &&
                               cursor.version().stamp.ms() <= time_ms;
    if (is_old_enough) {
      newest = cursor.version().revision;
      first = newest + 1;
    } else {
      end = middle;
    }
  }
  return newest;
}

model::Version AnswerOf(const std::optional<TrimmedStub>& stub, std::int64_t time_ms) {
  model::Version version;
  if (!stub || stub->first_stamp.ms() > time_ms) return version;
  version.kind = model::VersionKind::kTrimmed;
  version.revision = stub->revision;
  version.stamp = stub->stamp;
  return version;
}

}  // namespace

base::StatusOr<model::Version> ReadHistoryAsOf(rocksdb::DB& database,
                                               rocksdb::ColumnFamilyHandle& history,
                                               std::string_view key, const model::Version& head,
                                               std::int64_t time_ms) {
  HistoryCursor cursor(database, history, /*is_background=*/false);
  cursor.SetKey(key);
  const std::optional<TrimmedStub> stub = cursor.ReadStub();
  // Not from 0: a seek among versions that were deleted walks over their remains.
  const std::int64_t first = stub ? stub->revision + 1 : 0;
  const std::int64_t newest = NewestAtMost(cursor, first, head.revision, time_ms);
  const bool is_found = newest != model::kNoRevision && cursor.SeekTo(newest);
  if (!cursor.status().ok()) return cursor.status();
  return is_found ? model::Version::Copy(cursor.version()) : AnswerOf(stub, time_ms);
}

base::StatusOr<std::vector<KeyedVersion>> ReadHeadsIn(rocksdb::DB& database,
                                                      rocksdb::ColumnFamilyHandle& latest,
                                                      const model::KeyRange& range,
                                                      std::string_view after,
                                                      std::size_t entries_max) {
  std::vector<KeyedVersion> heads;
  RangeWalk walk(database, latest, range);
  for (walk.Start(after); heads.size() < entries_max && walk.is_valid(); walk.Next()) {
    KeyedVersion& head = heads.emplace_back();
    head.key = walk.key();
    if (DecodeVersion(walk.bytes(), head.version)) continue;
    return DescribeReadError(kLatestFamily, head.key,
                             rocksdb::Status::Corruption("unknown layout"));
  }
  if (!walk.status().ok()) return DescribeReadError(kLatestFamily, range.text, walk.status());
  return heads;
}

}  // namespace palena::store
