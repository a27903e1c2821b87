#include "store/history_trimmer.h"

#include <limits>
#include <memory>
#include <optional>

#include "store/rocks_format.h"
#include "store/rocks_settings.h"

namespace palena::store {

base::StatusOr<bool> HistoryTrimmer::Step(std::int64_t now_ms, std::size_t budget,
                                          rocksdb::WriteBatch& out) {
  old_before_ms_ = retention_.age_ms == 0 ? std::numeric_limits<std::int64_t>::min()
                                          : now_ms - retention_.age_ms;
  base::StatusOr<bool> goes_on = Walk(budget, out);
  if (!goes_on.ok() || !*goes_on) {
    at_.clear();
    is_inside_ = false;
  }
  return goes_on;
}

base::StatusOr<bool> HistoryTrimmer::Walk(std::size_t budget, rocksdb::WriteBatch& out) {
  rocksdb::ReadOptions in_background;
  in_background.fill_cache = false;
  // The heads before the history: a version that is newer than the head seen here is left alone.
  const std::unique_ptr<rocksdb::Iterator> heads(database_.NewIterator(in_background, &latest_));
  HistoryCursor cursor(database_, history_, /*is_background=*/true);
  for (heads->Seek(at_); heads->Valid(); heads->Next()) {
    const std::string_view key = heads->key().ToStringView();
    if (at_ != key) is_inside_ = false;
    at_ = key;
    model::VersionView head;
    if (!DecodeVersionView(heads->value().ToStringView(), head)) {
      return DescribeReadError(kLatestFamily, key, rocksdb::Status::Corruption("unknown layout"));
    }
    cursor.SetKey(at_);
    const bool is_done = head.revision <= 0 || LookThrough(head, cursor, budget);
    if (!cursor.status().ok()) return cursor.status();
    WriteGone(at_, out);
    is_inside_ = !is_done;
    if (is_done) at_.push_back('\0');
    if (budget > 0) --budget;
    if (budget == 0) return true;
  }
  if (!heads->status().ok()) return DescribeReadError(kLatestFamily, at_, heads->status());
  return false;
}

// Nobody may go whose successor is not known yet; the head is the last one's.
bool HistoryTrimmer::LookThrough(const model::VersionView& head, HistoryCursor& cursor,
                                 std::size_t& budget) {
  if (!is_inside_) Begin(cursor);
  bool is_there = cursor.SeekTo(key_.next);
  for (; is_there && cursor.version().revision < head.revision; is_there = cursor.Next()) {
    const Kept version = {cursor.version().revision, cursor.version().stamp};
    if (!key_.has_first) key_.first_stamp = version.stamp;
    key_.has_first = true;
    key_.window.push_back(version);
    key_.next = version.revision + 1;
    Release(/*versions_behind=*/1);
    if (!MayRelease(head)) return true;
    if (budget > 0) --budget;
    if (budget == 0) return false;
  }
  Finish(head);
  return true;
}

// From behind the stub: a seek among versions that were deleted walks over their remains.
void HistoryTrimmer::Begin(HistoryCursor& cursor) {
  key_ = {};
  const std::optional<TrimmedStub> stub = cursor.ReadStub();
  if (!stub) return;
  key_.next = stub->revision + 1;
  key_.first_stamp = stub->first_stamp;
  key_.has_first = true;
}

void HistoryTrimmer::Finish(const model::VersionView& head) {
  if (key_.window.empty()) return;
  key_.window.push_back({head.revision, head.stamp});
  Release(/*versions_behind=*/0);
}

void HistoryTrimmer::Release(std::size_t versions_behind) {
  std::deque<Kept>& window = key_.window;
  const std::uint64_t max = retention_.revisions_max;
  while (!window.empty()) {
    const bool is_too_many = max != 0 && window.size() + versions_behind > max;
    const bool is_too_old = window.size() > 1 && window[1].stamp.ms() < old_before_ms_;
    if (!is_too_many && !is_too_old) return;
    key_.gone.push_back(window.front());
    window.pop_front();
  }
}

// Whether a look at more of the key could let anybody go: mostly not, and then the rest of a long
// history is not read.
bool HistoryTrimmer::MayRelease(const model::VersionView& head) const {
  if (key_.window.empty()) return true;
  const Kept& oldest = key_.window.front();
  const bool may_be_old =
      retention_.age_ms != 0 && key_.window.size() == 1 && oldest.stamp.ms() < old_before_ms_;
  // Revisions that were never kept make this more than there are.
  const auto versions_most = static_cast<std::uint64_t>(head.revision - oldest.revision) + 1;
  const bool may_be_many =
      retention_.revisions_max != 0 && versions_most > retention_.revisions_max;
  return may_be_old || may_be_many;
}

void HistoryTrimmer::WriteGone(std::string_view key, rocksdb::WriteBatch& out) {
  if (key_.gone.empty()) return;
  std::string place;
  for (const Kept& version : key_.gone) {
    place.clear();
    AppendHistoryKey(key, version.revision, place);
    out.Delete(&history_, place);
  }
  model::VersionView stub;
  stub.kind = model::VersionKind::kTrimmed;
  stub.revision = key_.gone.back().revision;
  stub.stamp = key_.gone.back().stamp;
  stub.value = model::ValueView::Integer(static_cast<std::int64_t>(key_.first_stamp.packed));
  std::string bytes;
  AppendVersion(stub, bytes);
  place.clear();
  AppendHistoryKey(key, kStubPlace, place);
  out.Put(&history_, place, bytes);
  versions_trimmed_ += key_.gone.size();
  key_.gone.clear();
}

}  // namespace palena::store
