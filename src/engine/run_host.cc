#include "engine/run_host.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/limits.h"

namespace palena::engine {
namespace {

using script::HostStatus;
using script::WriteResult;

// language.md 7.3: which revision a `cmprev` must name.
bool CmpRevHolds(const model::VersionView& head, std::int64_t now_ms, std::int64_t revision) {
  switch (head.kind) {
    case model::VersionKind::kAbsent:
    case model::VersionKind::kTrimmed:  // never a head
      return revision == model::kNoRevision;
    case model::VersionKind::kDeletion:
      return revision == head.revision || revision == model::kNoRevision;
    case model::VersionKind::kValue:
      return head.IsLive(now_ms) ? revision == head.revision : revision == model::kNoRevision;
  }
  return false;
}

bool HasConditions(const script::SetArguments& arguments) {
  return arguments.nx || arguments.xx || arguments.has_cmp || arguments.has_cmprev;
}

bool ConditionsHold(const model::VersionView& head, std::int64_t now_ms,
                    const script::SetArguments& arguments) {
  const bool is_live = head.IsLive(now_ms);
  if (arguments.nx && is_live) return false;
  if (arguments.xx && !is_live) return false;
  if (arguments.has_cmp && !(is_live && head.value.TextEquals(arguments.cmp.ToText()))) {
    return false;
  }
  return !arguments.has_cmprev || CmpRevHolds(head, now_ms, arguments.cmprev);
}

WriteResult NoEffect(const model::VersionView& head) {
  return {false, head.revision, head.expires_ms, head.stamp.ms()};
}

model::VersionView Absent() {
  return {};
}

bool IsOwnWriteIn(const RunKey& key, const model::KeyRange& range) {
  return key.has_write && key.key.durability == range.durability && range.Contains(key.key.bytes);
}

}  // namespace

void RunHost::Attach(RunKeys& keys, store::Table& table, const Dependencies& dependencies,
                     bool is_only_shard) {
  is_only_shard_ = is_only_shard;
  keys_ = &keys;
  table_ = &table;
  dependencies_ = &dependencies;
}

void RunHost::CaptureAll() {
  for (RunKey& key : keys_->keys()) {
    Capture(key);
    if (std::exchange(key.is_pinned, false)) table_->Unpin(*key.entry);
    key.entry = nullptr;
  }
}

void RunHost::PinAll() {
  for (RunKey& key : keys_->keys()) {
    if (key.entry == nullptr || key.is_pinned) continue;
    key.is_pinned = true;
    table_->Pin(*key.entry);
  }
}

void RunHost::DropWrites() {
  keys_->DropWrites();
  ForgetWrites();
}

void RunHost::End() {
  for (RunKey& key : keys_->keys()) {
    if (!key.is_pinned) continue;
    key.is_pinned = false;
    table_->Unpin(*key.entry);
  }
  depends_on_ = 0;
  ForgetWrites();
  is_asked_ = false;
  is_answered_ = false;
  if (!error_.message.empty()) error_ = {};
}

model::VersionView RunHost::CapturedHead(RunKey& key) {
  depends_on_ = std::max(depends_on_, key.captured_depends_on);
  key.was_read = true;
  return key.captured.view();
}

void RunHost::Capture(RunKey& key) {
  const store::Entry* const entry = key.entry;
  key.captured.Assign(entry == nullptr ? Absent() : store::HeadOf(*entry));
  key.captured_depends_on = entry == nullptr ? 0 : dependencies_->DependencyOf(entry);
  key.captured_room = table_->Room();
  key.is_captured = true;
}

HostStatus RunHost::Get(script::KeySlot slot, model::VersionView& out) {
  out = Head(keys_->at(slot));
  if (!out.IsLive(now_ms())) out = Absent();
  return HostStatus::kDone;
}

HostStatus RunHost::GetAt(script::KeySlot slot, std::int64_t revision, model::VersionView& out) {
  RunKey& key = keys_->at(slot);
  const model::VersionView own = key.has_write ? key.write.view() : Absent();
  const model::VersionView head = own.revision == revision ? own : CommittedHead(key);
  if (revision >= head.revision) {
    const bool is_it = revision == head.revision && head.kind == model::VersionKind::kValue;
    out = is_it ? head : Absent();
    return HostStatus::kDone;
  }
  Question question;
  question.kind = Question::Kind::kVersionAt;
  question.key = key.key;
  question.argument = revision;
  return ShowVersion(question, out);
}

HostStatus RunHost::GetAsOf(script::KeySlot slot, std::int64_t time_ms, model::VersionView& out) {
  RunKey& key = keys_->at(slot);
  Question question;
  question.kind = Question::Kind::kVersionAsOf;
  question.key = key.key;
  question.argument = time_ms;
  question.now_ms = now_ms();
  const model::VersionView head = CommittedHead(key);
  if (head.stamp.ms() > time_ms) return ShowVersion(question, out);
  out = question.Wants(head) ? head : Absent();
  return HostStatus::kDone;
}

HostStatus RunHost::List(script::KeySlot slot, script::Listing& out) {
  Question question;
  question.kind = Question::Kind::kRange;
  question.range = keys_->range_at(slot).range;
  return ShowRange(question, has_writes_, out);
}

HostStatus RunHost::ListAsOf(script::KeySlot slot, std::int64_t time_ms, script::Listing& out) {
  Question question;
  question.kind = Question::Kind::kRangeAsOf;
  question.range = keys_->range_at(slot).range;
  question.argument = time_ms;
  return ShowRange(question, false, out);
}

// The VM asks the same again when it is resumed, so an answer serves the next question after it.
// An only shard answers for ephemeral keys at once.
bool RunHost::Ask(const Question& question) {
  if (!is_asked_) {
    question_ = question;
    findings_ = {};
    is_asked_ = true;
    is_answered_ = IsAtHand(question);
    if (is_answered_) findings_ = AskTable(question, *table_, *dependencies_);
  }
  if (!is_answered_) return false;
  is_asked_ = false;
  is_answered_ = false;
  depends_on_ = std::max(depends_on_, findings_.depends_on);
  return true;
}

HostStatus RunHost::ShowVersion(const Question& question, model::VersionView& out) {
  if (!Ask(question)) return HostStatus::kBlocked;
  if (!Conclude(question, findings_)) return FailTrimmed();
  out = findings_.entries.empty() ? Absent() : findings_.entries.front().version.view();
  return HostStatus::kDone;
}

// One more than is shown, to know whether there are more; and one for each that the run may have
// deleted.
HostStatus RunHost::ShowRange(Question question, bool has_own_writes, script::Listing& out) {
  const std::size_t own = has_own_writes ? OwnWritesIn(question.range) : 0;
  question.now_ms = now_ms();
  question.entries_max = base::kScanEntriesMax + 1 + own;
  if (!Ask(question)) return HostStatus::kBlocked;
  if (!Conclude(question, findings_)) return FailTrimmed();
  listed_.clear();
  for (const store::KeyedVersion& entry : findings_.entries) {
    listed_.push_back({entry.key, entry.version.view()});
  }
  if (own > 0) ListOwnWrites(question.range);
  out.truncated = listed_.size() > base::kScanEntriesMax;
  if (out.truncated) listed_.resize(base::kScanEntriesMax);
  out.entries = listed_;
  return HostStatus::kDone;
}

HostStatus RunHost::FailTrimmed() {
  error_ = {model::Code::kRuntime, "History no longer kept", 0, ""};
  return HostStatus::kFailed;
}

std::size_t RunHost::OwnWritesIn(const model::KeyRange& range) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      keys_->keys(), [&](const RunKey& key) { return IsOwnWriteIn(key, range); }));
}

// Into listed_, which is in order: instead of what is committed of the same keys.
void RunHost::ListOwnWrites(const model::KeyRange& range) {
  for (const RunKey& key : keys_->keys()) {
    if (!IsOwnWriteIn(key, range)) continue;
    const model::VersionView write = key.write.view();
    auto at = std::ranges::lower_bound(listed_, key.key.bytes, {}, &script::ListedKey::key);
    if (at != listed_.end() && at->key == key.key.bytes) at = listed_.erase(at);
    if (write.IsLive(now_ms())) listed_.insert(at, {key.key.bytes, write});
  }
}

HostStatus RunHost::Set(script::KeySlot slot, const script::SetArguments& arguments,
                        WriteResult& out) {
  RunKey& key = keys_->at(slot);
  const model::VersionView head = Head(key);
  if (HasConditions(arguments) && !ConditionsHold(head, now_ms(), arguments)) {
    out = NoEffect(head);
    return HostStatus::kDone;
  }
  model::VersionView version{model::VersionKind::kValue, arguments.norev, head.revision + 1,
                             arguments.expires_ms,       stamp_.time,     arguments.value};
  if (arguments.keep_ttl && head.IsLive(now_ms())) version.expires_ms = head.expires_ms;
  return Buffer(key, version, out);
}

HostStatus RunHost::Delete(script::KeySlot slot, WriteResult& out) {
  RunKey& key = keys_->at(slot);
  const model::VersionView head = Head(key);
  if (!head.IsLive(now_ms())) {
    out = NoEffect(Absent());
    return HostStatus::kDone;
  }
  model::VersionView mark;
  mark.kind = model::VersionKind::kDeletion;
  mark.revision = head.revision + 1;
  mark.stamp = stamp_.time;
  return Buffer(key, mark, out);
}

HostStatus RunHost::Extend(script::KeySlot slot, std::int64_t expires_ms, WriteResult& out) {
  RunKey& key = keys_->at(slot);
  const model::VersionView head = Head(key);
  if (!head.IsLive(now_ms())) {
    out = NoEffect(Absent());
    return HostStatus::kDone;
  }
  // The version stays what it was, stamp included: only its end moves.
  model::VersionView extended = head;
  extended.expires_ms = expires_ms;
  return Buffer(key, extended, out);
}

HostStatus RunHost::Buffer(RunKey& key, const model::VersionView& version, WriteResult& out) {
  if (!CountBuffered(key, version)) return HostStatus::kFailed;
  if (key.is_captured) {
    grows_elsewhere_ = true;
  } else {
    // A write that replaces a buffered one takes over its room.
    if (key.has_write) growth_bytes_ -= table_->GrowthOf(key.key, key.entry, key.write.view());
    growth_bytes_ += table_->GrowthOf(key.key, key.entry, version);
    room_line_ = key.line;
    if (growth_bytes_ > 0 && !MakeRoomForGrowth()) return HostStatus::kFailed;
  }
  key.write.Assign(version);
  key.has_write = true;
  has_writes_ = true;
  has_persistent_writes_ |= key.key.durability == model::Durability::kPersistent;
  out = {true, key.write.revision, key.write.expires_ms, key.write.stamp.ms()};
  return HostStatus::kDone;
}

// Buffered values are memory of the run, like its strings.
bool RunHost::CountBuffered(const RunKey& key, const model::VersionView& version) {
  if (key.has_write) buffered_bytes_ -= key.write.value.bytes.size();
  buffered_bytes_ += version.value.bytes.size();
  if (buffered_bytes_ <= base::kRunMemoryBytesMax) return true;
  error_ = {model::Code::kLimit,
            "Script memory limit exceeded: " + std::to_string(base::kRunMemoryBytesMax), 0, ""};
  return false;
}

bool RunHost::MakeRoomForGrowth() {
  // What the run has looked at must not be what makes room.
  PinAll();
  return table_->MakeRoom(growth_bytes_, now_ms()) || RefuseRoom(room_line_);
}

// Of keys that the run knows by copies: against the room that their tables had then, by which keys
// of one table are known. Estimated from above: an old value's memory is not reused, and two tables
// of equal room count as one.
bool RunHost::FitsElsewhere() {
  absl::flat_hash_map<std::size_t, std::size_t> growth_by_room;
  for (const RunKey& key : keys_->keys()) {
    if (!key.has_write || !key.is_captured) continue;
    const bool stays_integer = key.captured.value.is_integer && key.write.value.is_integer;
    if (stays_integer) continue;
    std::size_t& growth = growth_by_room[key.captured_room];
    growth += table_->GrowthOf(key.key, nullptr, key.write.view());
    if (growth > key.captured_room) return RefuseRoom(key.line);
  }
  return true;
}

bool RunHost::RefuseRoom(int line) {
  error_ = {model::Code::kOutOfMemory,
            "Out of memory: the write does not fit the node's memory budget", line, ""};
  return false;
}

bool RunHost::has_ephemeral_writes() const {
  return std::ranges::any_of(keys_->keys(), [](const RunKey& key) {
    return key.has_write && key.key.durability == model::Durability::kEphemeral;
  });
}

// An only shard knows all there is of ephemeral keys; one of several, of its own.
bool RunHost::IsAtHand(const Question& question) const {
  if (question.durability() == model::Durability::kPersistent) return false;
  return is_only_shard_;
}

std::string_view RunHost::KeyText(script::KeySlot slot) const {
  return keys_->at(slot).key.bytes;
}

}  // namespace palena::engine
