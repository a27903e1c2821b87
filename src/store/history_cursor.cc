#include "store/history_cursor.h"

#include "base/bytes.h"
#include "store/rocks_format.h"
#include "store/rocks_settings.h"

namespace palena::store {
namespace {

rocksdb::ReadOptions WithinOneKey(bool is_background) {
  rocksdb::ReadOptions options;
  options.prefix_same_as_start = true;
  options.fill_cache = !is_background;
  return options;
}

}  // namespace

HistoryCursor::HistoryCursor(rocksdb::DB& database, rocksdb::ColumnFamilyHandle& history,
                             bool is_background)
    : at_(database.NewIterator(WithinOneKey(is_background), &history)) {}

void HistoryCursor::SetKey(std::string_view key) {
  key_ = key;
  place_.clear();
  AppendHistoryKey(key, 0, place_);
  prefix_bytes_ = place_.size() - kRevisionBytes;
}

std::optional<TrimmedStub> HistoryCursor::ReadStub() {
  if (!SeekToPlace(kStubPlace) || !is_stub_) return std::nullopt;
  const auto first = static_cast<std::uint64_t>(version_.value.integer);
  return TrimmedStub{version_.revision, version_.stamp, {first}};
}

bool HistoryCursor::SeekTo(std::int64_t revision) {
  return SeekToPlace(revision) && !is_stub_;
}

bool HistoryCursor::Next() {
  at_->Next();
  return Load() && !is_stub_;
}

bool HistoryCursor::SeekToPlace(std::int64_t revision) {
  place_.resize(prefix_bytes_);
  base::AppendBig(place_, static_cast<std::uint64_t>(revision));
  at_->Seek(place_);
  return Load();
}

bool HistoryCursor::Load() {
  if (!at_->Valid()) {
    if (!at_->status().ok()) status_ = DescribeReadError(kHistoryFamily, key_, at_->status());
    return false;
  }
  const std::string_view place = at_->key().ToStringView();
  const bool is_of_key = place.size() == prefix_bytes_ + kRevisionBytes &&
                         place.substr(0, prefix_bytes_) == place_.substr(0, prefix_bytes_);
  if (!is_of_key) return false;
  is_stub_ = base::LoadBig<std::uint64_t>(place.data() + prefix_bytes_) ==
             static_cast<std::uint64_t>(kStubPlace);
  const bool is_sound = DecodeVersionView(at_->value().ToStringView(), version_) &&
                        is_stub_ == (version_.kind == model::VersionKind::kTrimmed);
  if (!is_sound) {
    status_ =
        DescribeReadError(kHistoryFamily, key_, rocksdb::Status::Corruption("unknown layout"));
  }
  return is_sound;
}

}  // namespace palena::store
