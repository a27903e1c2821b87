#include "twin/store.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "twin/failure.h"

namespace palena::twin {
namespace {

using model::Durability;

constexpr std::int64_t kDayMs = 24 * 60 * 60 * 1000;

bool IsAliveAt(const Version& version, std::int64_t time_ms) {
  if (version.is_mark) return false;
  return version.expires_ms == 0 || time_ms <= version.expires_ms;
}

// Ephemeral keys keep 16 versions, the head included (7.2).
bool IsTrimmed(const Key& key, const Versions& versions) {
  return key.durability == Durability::kEphemeral &&
         versions.size() > std::size_t{base::kVersionsInMemoryMax};
}

}  // namespace

const Versions* Store::Find(const Key& key) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? nullptr : &found->second;
}

void Store::Commit(const Key& key, const Version& head, Fault planted) {
  Versions& versions = keys_[key];
  const bool is_same = !versions.empty() && versions.back().revision == head.revision;
  const bool is_forgotten =
      !versions.empty() && versions.back().norev && planted != Fault::kNoRevKeeps;
  if (is_same || is_forgotten) versions.pop_back();
  versions.push_back(head);
}

void Store::Sweep(std::int64_t now_ms) {
  std::erase_if(keys_, [now_ms](const auto& item) {
    const auto& [key, versions] = item;
    const Version& head = versions.back();
    if (key.durability != Durability::kEphemeral) return false;
    if (head.is_mark) return now_ms > head.modified_ms + kDayMs;
    return !IsAliveAt(head, now_ms);
  });
}

bool Range::Contains(const Key& key, Fault planted) const {
  if (key.durability != durability) return false;
  if (!is_bucket) return key.name.starts_with(name);
  if (planted == Fault::kBucketHasSubBuckets) return key.name.starts_with(name + "/");
  const std::size_t slash = key.name.rfind('/');
  return slash != std::string::npos && key.name.substr(0, slash) == name;
}

std::optional<Version> Transaction::Head(const Key& key) const {
  if (const auto own = own_.find(key); own != own_.end()) return own->second;
  const Versions* const versions = store_.Find(key);
  if (versions == nullptr) return {};
  return versions->back();
}

bool Transaction::IsLive(const std::optional<Version>& head) const {
  const std::int64_t now_ms = planted_ == Fault::kExpiresEarly ? now_ms_ + 1 : now_ms_;
  return head && IsAliveAt(*head, now_ms);
}

std::optional<Version> Transaction::Get(const Key& key) const {
  const auto head = Head(key);
  if (!IsLive(head)) return {};
  return head;
}

std::optional<Version> Transaction::At(const Key& key, std::int64_t revision) const {
  Versions known;
  if (const Versions* const versions = store_.Find(key)) known = *versions;
  if (IsTrimmed(key, known)) known.erase(known.begin(), known.end() - base::kVersionsInMemoryMax);
  if (const auto own = own_.find(key); own != own_.end()) known.push_back(own->second);
  for (const Version& version : known) {
    // An extended head stands there twice: the run's own is the later one.
    if (version.revision != revision || version.is_mark) continue;
    if (&version != &known.back() && known.back().revision == revision) continue;
    return version;
  }
  return {};
}

std::optional<Version> Transaction::AsOf(const Key& key, std::int64_t time_ms) const {
  if (planted_ == Fault::kAsOfSeesOwnWrites && own_.contains(key)) return Get(key);
  const Versions* const versions = store_.Find(key);
  if (versions == nullptr) return {};
  std::size_t oldest = 0;
  if (IsTrimmed(key, *versions)) oldest = versions->size() - base::kVersionsInMemoryMax;
  for (std::size_t i = versions->size(); i > 0; --i) {
    const Version& version = (*versions)[i - 1];
    if (version.modified_ms > time_ms) continue;
    if (i - 1 < oldest) throw Failure{model::Code::kRuntime, "History no longer kept", 0, ""};
    // Of a time to come nothing is known but now (7.6).
    if (!IsAliveAt(version, std::min(time_ms, now_ms_))) return {};
    return version;
  }
  return {};
}

std::vector<Key> Transaction::KeysIn(const Range& range) const {
  std::set<Key> keys;
  for (const auto& [key, versions] : store_.keys()) keys.insert(key);
  for (const auto& [key, version] : own_) keys.insert(key);
  std::vector<Key> inside;
  for (const Key& key : keys) {
    if (range.Contains(key, planted_)) inside.push_back(key);
  }
  return inside;
}

namespace {

void Append(Listing& listing, const Key& key, const std::optional<Version>& version) {
  if (!version) return;
  if (listing.entries.size() == base::kScanEntriesMax) {
    listing.truncated = true;
    return;
  }
  listing.entries.push_back({key.name, *version});
}

}  // namespace

Listing Transaction::List(const Range& range) const {
  Listing listing;
  for (const Key& key : KeysIn(range)) Append(listing, key, Get(key));
  return listing;
}

Listing Transaction::ListAsOf(const Range& range, std::int64_t time_ms) const {
  Listing listing;
  for (const Key& key : KeysIn(range)) Append(listing, key, AsOf(key, time_ms));
  return listing;
}

bool Transaction::RevisionHolds(const std::optional<Version>& head, std::int64_t revision) const {
  if (!head) return revision == -1;
  if (IsLive(head)) return revision == head->revision;
  const bool is_mark = head->is_mark && revision == head->revision;
  return revision == -1 || is_mark;
}

bool Transaction::ConditionsHold(const std::optional<Version>& head, const SetFlags& flags) const {
  const bool is_live = IsLive(head);
  if (flags.nx && is_live) return false;
  if (flags.xx && !is_live) return false;
  if (flags.cmp) {
    const bool matches_absent = planted_ == Fault::kCmpMatchesAbsent && flags.cmp->empty();
    if (!is_live && !matches_absent) return false;
    if (is_live && head->value != *flags.cmp) return false;
  }
  return !flags.cmprev || RevisionHolds(head, *flags.cmprev);
}

Written Transaction::Write(const Key& key, Version version) {
  own_[key] = version;
  return {true, std::move(version)};
}

Written Transaction::Set(const Key& key, std::string value, const SetFlags& flags) {
  const auto head = Head(key);
  if (!ConditionsHold(head, flags)) return {false, head};
  Version version;
  version.revision = head ? head->revision + 1 : 0;
  version.norev = flags.norev;
  version.modified_ms = now_ms_;
  version.value = std::move(value);
  version.expires_ms = flags.expires_ms.value_or(0);
  const bool keeps =
      flags.keep_ttl || (planted_ == Fault::kSetKeepsTtl && !flags.expires_ms.has_value());
  if (keeps && IsLive(head)) version.expires_ms = head->expires_ms;
  return Write(key, std::move(version));
}

Written Transaction::Delete(const Key& key) {
  const auto head = Head(key);
  const bool deletes_expired = planted_ == Fault::kDeletesExpired && head && !head->is_mark;
  if (!IsLive(head) && !deletes_expired) return {false, {}};
  Version mark;
  mark.is_mark = true;
  mark.revision = head->revision + (planted_ == Fault::kDeleteTakesNoRevision ? 0 : 1);
  mark.modified_ms = now_ms_;
  return Write(key, std::move(mark));
}

Written Transaction::Extend(const Key& key, std::int64_t expires_ms) {
  auto head = Head(key);
  if (!IsLive(head)) return {false, {}};
  head->expires_ms = expires_ms;
  if (planted_ == Fault::kExtendAdvances) ++head->revision;
  return Write(key, *std::move(head));
}

bool Transaction::has_ephemeral_writes() const {
  return std::ranges::any_of(
      own_, [](const auto& item) { return item.first.durability == Durability::kEphemeral; });
}

void Transaction::Commit() {
  for (const auto& [key, head] : own_) store_.Commit(key, head, planted_);
  own_.clear();
}

}  // namespace palena::twin
