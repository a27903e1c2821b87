#pragma once

// A host over ordered maps: the store's rules of the language written down as plainly as possible.
// Dead entries stay, so revisions always go on; old versions go as the language says: those written
// with `norev`, those that one run overwrites itself, and of ephemeral keys all but the newest.
// Deletion marks are versions too.

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "model/key_range.h"
#include "model/version.h"
#include "script/host.h"
#include "script/program.h"

namespace palena::script {

class MapHost final : public Host {
 public:
  using Parameters = std::vector<std::optional<std::string_view>>;

  // Every call answers kBlocked once before it is answered.
  bool blocks_first = false;

  // Opens a run: finds the keys of the program's footprint. False when a key is no key; then
  // error() says why.
  bool Begin(const Program& program, const Parameters& parameters, hlc::Stamp stamp) {
    stamp_ = stamp;
    written_.clear();
    keys_.clear();
    kinds_.clear();
    for (const FootprintKey& key : program.footprint()) {
      if (!AddKey(key, parameters)) return false;
    }
    return true;
  }

  void Commit() {
    for (auto& [name, head] : written_) {
      Entry& entry = entries_[name];
      if (entry.head.revision != head.revision) Supersede(entry);
      if (name.first == model::Durability::kEphemeral) Trim(entry);
      entry.head = std::move(head);
    }
    written_.clear();
  }
  void Rollback() { written_.clear(); }

  // What is committed, one version a line: equal texts, equal stores.
  std::string Text() const {
    std::string text;
    for (const auto& [name, entry] : entries_) {
      AppendVersion(name, entry.head, text);
      for (const auto& [revision, version] : entry.history) AppendVersion(name, version, text);
    }
    return text;
  }

  HostStatus Get(KeySlot key, model::VersionView& out) override {
    if (Blocks()) return HostStatus::kBlocked;
    const model::Version& head = Head(key);
    out = IsLive(head) ? head.view() : model::VersionView();
    return HostStatus::kDone;
  }

  HostStatus GetAt(KeySlot key, std::int64_t revision, model::VersionView& out) override {
    if (Blocks()) return HostStatus::kBlocked;
    const model::Version* const version = FindVersion(key, revision);
    const bool is_value = version != nullptr && version->kind == model::VersionKind::kValue;
    out = is_value ? version->view() : model::VersionView();
    return HostStatus::kDone;
  }

  HostStatus GetAsOf(KeySlot key, std::int64_t time_ms, model::VersionView& out) override {
    if (Blocks()) return HostStatus::kBlocked;
    out = {};
    const auto entry = entries_.find(keys_[key]);
    if (entry == entries_.end() || VisibleAt(entry->second, time_ms, out)) return HostStatus::kDone;
    return HistoryIsGone();
  }

  HostStatus List(KeySlot range, Listing& out) override {
    if (Blocks()) return HostStatus::kBlocked;
    std::map<Name, const model::Version*> heads;
    for (const auto& [name, entry] : entries_) heads[name] = &entry.head;
    for (const auto& [name, head] : written_) heads[name] = &head;
    std::vector<ListedKey> listed;
    for (const auto& [name, head] : heads) {
      if (Covers(range, name) && IsLive(*head)) listed.push_back({KeptText(name), head->view()});
    }
    return Show(std::move(listed), out);
  }

  HostStatus ListAsOf(KeySlot range, std::int64_t time_ms, Listing& out) override {
    if (Blocks()) return HostStatus::kBlocked;
    std::vector<ListedKey> listed;
    for (const auto& [name, entry] : entries_) {
      if (!Covers(range, name)) continue;
      model::VersionView version;
      if (!VisibleAt(entry, time_ms, version)) return HistoryIsGone();
      if (version.kind == model::VersionKind::kValue) listed.push_back({name.second, version});
    }
    return Show(std::move(listed), out);
  }

  HostStatus Set(KeySlot key, const SetArguments& arguments, WriteResult& out) override {
    if (Blocks()) return HostStatus::kBlocked;
    const model::Version& head = Head(key);
    if (!Holds(arguments, head)) return Unchanged(head, out);
    model::Version next;
    next.kind = model::VersionKind::kValue;
    next.norev = arguments.norev;
    next.revision = head.revision + 1;
    next.expires_ms = arguments.expires_ms;
    if (arguments.keep_ttl) next.expires_ms = IsLive(head) ? head.expires_ms : model::kNoExpiry;
    next.value = model::Value::Copy(arguments.value);
    return Write(key, std::move(next), out);
  }

  HostStatus Delete(KeySlot key, WriteResult& out) override {
    if (Blocks()) return HostStatus::kBlocked;
    const model::Version& head = Head(key);
    if (!IsLive(head)) return Unchanged(head, out);
    model::Version mark;
    mark.kind = model::VersionKind::kDeletion;
    mark.revision = head.revision + 1;
    return Write(key, std::move(mark), out);
  }

  HostStatus Extend(KeySlot key, std::int64_t expires_ms, WriteResult& out) override {
    if (Blocks()) return HostStatus::kBlocked;
    const model::Version& head = Head(key);
    if (!IsLive(head)) return Unchanged(head, out);
    model::Version same = head;
    same.expires_ms = expires_ms;
    return Store(key, std::move(same), out);
  }

  std::string_view KeyText(KeySlot key) const override { return keys_[key].second; }
  const model::ScriptError& error() const override { return error_; }

 private:
  using Name = std::pair<model::Durability, std::string>;
  struct Entry {
    model::Version head;
    std::map<std::int64_t, model::Version> history;
    bool is_trimmed = false;  // there were older ones
  };

  static void AppendVersion(const Name& name, const model::Version& version, std::string& text) {
    text.append(name.first == model::Durability::kEphemeral ? "e " : "p ").append(name.second);
    for (const std::int64_t number :
         {std::int64_t{version.revision}, static_cast<std::int64_t>(version.kind),
          std::int64_t{version.norev}, version.expires_ms, version.stamp.ms()}) {
      text.append(" ").append(std::to_string(number));
    }
    text.append(" ").append(version.value.view().ToText()).append("\n");
  }

  static void Supersede(Entry& entry) {
    if (entry.head.kind == model::VersionKind::kAbsent || entry.head.norev) return;
    entry.history[entry.head.revision] = std::move(entry.head);
  }

  static void Trim(Entry& entry) {
    constexpr std::size_t kBesideTheHead = base::kVersionsInMemoryMax - 1;
    while (entry.history.size() > kBesideTheHead) {
      entry.history.erase(entry.history.begin());
      entry.is_trimmed = true;
    }
  }

  bool AddKey(const FootprintKey& key, const Parameters& parameters) {
    std::string text = key.text;
    if (key.is_parameter) {
      if (!parameters[key.parameter]) return Refuse("Undefined parameter: " + key.text, key);
      text = *parameters[key.parameter];
    }
    if (text.empty() && key.kind == KeyKind::kPoint) return Refuse("Empty key", key);
    if (text.size() > base::kKeyBytesMax) {
      return Refuse("Key too long: " + std::to_string(text.size()), key);
    }
    kinds_.push_back(key.kind);
    keys_.emplace_back(key.durability, std::move(text));
    return true;
  }

  bool Refuse(std::string message, const FootprintKey& key) {
    error_ = {model::Code::kRuntime, std::move(message), key.line, {}};
    return false;
  }

  bool Blocks() {
    if (!blocks_first) return false;
    has_blocked_ = !has_blocked_;
    return has_blocked_;
  }

  // The newest version, the run's own writes included; an absent one for a key never written.
  const model::Version& Head(KeySlot key) const {
    if (const auto own = written_.find(keys_[key]); own != written_.end()) return own->second;
    static const model::Version kNeverWritten;
    const auto entry = entries_.find(keys_[key]);
    return entry == entries_.end() ? kNeverWritten : entry->second.head;
  }

  const model::Version* FindVersion(KeySlot key, std::int64_t revision) const {
    if (const model::Version& head = Head(key); head.revision == revision) return &head;
    const auto entry = entries_.find(keys_[key]);
    if (entry == entries_.end()) return nullptr;
    if (entry->second.head.revision == revision) return &entry->second.head;
    const auto version = entry->second.history.find(revision);
    return version == entry->second.history.end() ? nullptr : &version->second;
  }

  bool Covers(KeySlot range, const Name& name) const {
    const auto kind =
        kinds_[range] == KeyKind::kBucket ? model::RangeKind::kBucket : model::RangeKind::kPrefix;
    const auto& [durability, text] = keys_[range];
    return name.first == durability &&
           model::KeyRange{durability, kind, text}.Contains(name.second);
  }

  // The key's text, where it stays until the next write.
  std::string_view KeptText(const Name& name) const {
    if (const auto own = written_.find(name); own != written_.end()) return own->first.second;
    return entries_.find(name)->first.second;
  }

  HostStatus Show(std::vector<ListedKey> listed, Listing& out) {
    out.truncated = listed.size() > base::kScanEntriesMax;
    if (out.truncated) listed.resize(base::kScanEntriesMax);
    out.entries = shown_.emplace_back(std::move(listed));
    return HostStatus::kDone;
  }

  // False when the version of that time was trimmed. Whether it was visible is asked of that time,
  // but for a time to come of now.
  bool VisibleAt(const Entry& entry, std::int64_t time_ms, model::VersionView& out) const {
    const model::Version* found = entry.head.stamp.ms() <= time_ms ? &entry.head : nullptr;
    for (auto old = entry.history.rbegin(); found == nullptr && old != entry.history.rend();
         ++old) {
      if (old->second.stamp.ms() <= time_ms) found = &old->second;
    }
    if (found == nullptr) return !entry.is_trimmed;
    if (found->view().IsLive(std::min(time_ms, stamp_.time.ms()))) out = found->view();
    return true;
  }

  HostStatus HistoryIsGone() {
    error_ = {model::Code::kRuntime, "History no longer kept", 0, {}};
    return HostStatus::kFailed;
  }

  bool IsLive(const model::Version& version) const {
    return version.view().IsLive(stamp_.time.ms());
  }

  bool Holds(const SetArguments& arguments, const model::Version& head) const {
    if (arguments.nx && IsLive(head)) return false;
    if (arguments.xx && !IsLive(head)) return false;
    if (arguments.has_cmp && !(IsLive(head) && head.value == model::Value::Copy(arguments.cmp))) {
      return false;
    }
    return !arguments.has_cmprev || HoldsRevision(head, arguments.cmprev);
  }

  bool HoldsRevision(const model::Version& head, std::int64_t revision) const {
    if (IsLive(head)) return head.revision == revision;
    const bool is_mark = head.kind == model::VersionKind::kDeletion && head.revision == revision;
    return revision == model::kNoRevision || is_mark;
  }

  HostStatus Unchanged(const model::Version& head, WriteResult& out) const {
    out = {false, head.revision, head.expires_ms, head.stamp.ms()};
    return HostStatus::kDone;
  }

  HostStatus Write(KeySlot key, model::Version next, WriteResult& out) {
    next.stamp = stamp_.time;
    return Store(key, std::move(next), out);
  }

  HostStatus Store(KeySlot key, model::Version next, WriteResult& out) {
    shown_.clear();
    out = {true, next.revision, next.expires_ms, next.stamp.ms()};
    written_[keys_[key]] = std::move(next);
    return HostStatus::kDone;
  }

  std::map<Name, Entry> entries_;
  std::map<Name, model::Version> written_;    // the heads that the open run made
  std::vector<Name> keys_;                    // by slot
  std::vector<KeyKind> kinds_;                // by slot
  std::deque<std::vector<ListedKey>> shown_;  // the listings since the last write
  hlc::Stamp stamp_;
  model::ScriptError error_;
  bool has_blocked_ = false;
};

}  // namespace palena::script
