#include "store/ordered_index.h"

#include <cstring>

#include "base/check.h"

namespace palena::store {
namespace {

absl::weak_ordering Compare(std::string_view a, std::string_view b) {
  const int order = a.compare(b);
  if (order == 0) return absl::weak_ordering::equivalent;
  return order < 0 ? absl::weak_ordering::less : absl::weak_ordering::greater;
}

// The part before the last '/'. From the end, where that is near; the standard library's search
// from the end goes byte by byte.
std::string_view BucketOf(std::string_view key) {
  const void* const slash = ::memrchr(key.data(), '/', key.size());
  PALENA_CHECK(slash != nullptr);
  return key.substr(0, static_cast<std::size_t>(static_cast<const char*>(slash) - key.data()));
}

// Shows a run of neighbours, from `at` on.
template <typename Iterator, typename IsInside>
void ShowWhile(IsInside is_inside, Iterator at, Iterator end, const EntryPool& pool,
               absl::FunctionRef<bool(Entry&)> visit) {
  for (; at != end; ++at) {
    Entry& entry = pool.At(*at);
    if (!is_inside(entry.key()) || !visit(entry)) return;
  }
}

}  // namespace

absl::weak_ordering OrderedIndex::KeyOrder::operator()(EntryHandle a, EntryHandle b) const {
  return Compare(KeyAt(a), KeyAt(b));
}
absl::weak_ordering OrderedIndex::KeyOrder::operator()(EntryHandle a, FirstOfPrefix b) const {
  return Compare(KeyAt(a), b.prefix);
}
absl::weak_ordering OrderedIndex::KeyOrder::operator()(FirstOfPrefix a, EntryHandle b) const {
  return Compare(a.prefix, KeyAt(b));
}

absl::weak_ordering OrderedIndex::BucketOrder::operator()(EntryHandle a, EntryHandle b) const {
  const std::string_view key_a = KeyAt(a);
  const std::string_view key_b = KeyAt(b);
  const std::string_view bucket = BucketOf(key_a);
  const absl::weak_ordering order = Compare(bucket, BucketOf(key_b));
  if (order != 0) return order;
  return Compare(key_a.substr(bucket.size()), key_b.substr(bucket.size()));
}
// A bucket begins before its keys.
absl::weak_ordering OrderedIndex::BucketOrder::operator()(EntryHandle a, FirstOfBucket b) const {
  return BucketOf(KeyAt(a)) < b.bucket ? absl::weak_ordering::less : absl::weak_ordering::greater;
}
absl::weak_ordering OrderedIndex::BucketOrder::operator()(FirstOfBucket a, EntryHandle b) const {
  return BucketOf(KeyAt(b)) < a.bucket ? absl::weak_ordering::greater : absl::weak_ordering::less;
}

void OrderedIndex::Insert(const Entry& entry) {
  const EntryHandle handle = pool_.HandleOf(entry);
  const bool is_new = by_key_.insert(handle).second;
  PALENA_CHECK(is_new);
  if (HasBucket(entry.key())) by_bucket_.insert(handle);
}

void OrderedIndex::Erase(const Entry& entry) {
  const EntryHandle handle = pool_.HandleOf(entry);
  const bool was_there = by_key_.erase(handle) == 1;
  PALENA_CHECK(was_there);
  if (HasBucket(entry.key())) by_bucket_.erase(handle);
}

void OrderedIndex::ForEachIn(const model::KeyRange& range,
                             absl::FunctionRef<bool(Entry&)> visit) const {
  const std::string_view text = range.text;
  if (range.kind == model::RangeKind::kBucket) {
    const auto is_inside = [text](std::string_view key) { return BucketOf(key) == text; };
    ShowWhile(is_inside, by_bucket_.lower_bound(FirstOfBucket{text}), by_bucket_.end(), pool_,
              visit);
  } else {
    const auto is_inside = [text](std::string_view key) { return key.starts_with(text); };
    ShowWhile(is_inside, by_key_.lower_bound(FirstOfPrefix{text}), by_key_.end(), pool_, visit);
  }
}

}  // namespace palena::store
