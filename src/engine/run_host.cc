#include "engine/run_host.h"

#include <algorithm>
#include <string>
#include <utility>

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

}  // namespace

void RunHost::Attach(RunKeys& keys, store::Table& table, const Dependencies& dependencies) {
  keys_ = &keys;
  table_ = &table;
  dependencies_ = &dependencies;
}

void RunHost::PinAll() {
  for (RunKey& key : keys_->keys()) {
    if (key.entry == nullptr || key.is_pinned) continue;
    key.is_pinned = true;
    table_->Pin(*key.entry);
  }
}

void RunHost::End() {
  for (RunKey& key : keys_->keys()) {
    if (!key.is_pinned) continue;
    key.is_pinned = false;
    table_->Unpin(*key.entry);
  }
  depends_on_ = 0;
  growth_bytes_ = 0;
  buffered_bytes_ = 0;
  has_writes_ = false;
  has_persistent_writes_ = false;
  blocked_.key = nullptr;
  blocked_.is_known = false;
}

model::VersionView RunHost::Head(RunKey& key) {
  if (key.has_write) return key.write.view();
  if (key.entry == nullptr) return Absent();
  depends_on_ = std::max(depends_on_, dependencies_->DependencyOf(key.entry));
  return store::HeadOf(*key.entry);
}

HostStatus RunHost::Get(script::KeySlot slot, model::VersionView& out) {
  out = Head(keys_->at(slot));
  if (!out.IsLive(now_ms())) out = Absent();
  return HostStatus::kDone;
}

HostStatus RunHost::GetAt(script::KeySlot slot, std::int64_t revision, model::VersionView& out) {
  RunKey& key = keys_->at(slot);
  out = Absent();
  if (key.has_write && key.write.revision == revision) {
    if (key.write.kind == model::VersionKind::kValue) out = key.write.view();
    return HostStatus::kDone;
  }
  if (key.entry == nullptr) return HostStatus::kDone;
  depends_on_ = std::max(depends_on_, dependencies_->DependencyOf(key.entry));
  const model::VersionView head = store::HeadOf(*key.entry);
  if (key.key.durability == model::Durability::kEphemeral || revision >= head.revision) {
    out = table_->VersionAt(*key.entry, revision);
    return HostStatus::kDone;
  }
  return VersionOnDisk(key, revision, out);
}

HostStatus RunHost::VersionOnDisk(RunKey& key, std::int64_t revision, model::VersionView& out) {
  if (blocked_.is_known && blocked_.key == &key && blocked_.revision == revision) {
    if (blocked_.version.kind == model::VersionKind::kValue) out = blocked_.version.view();
    return HostStatus::kDone;
  }
  blocked_.key = &key;
  blocked_.revision = revision;
  blocked_.after = dependencies_->DependencyOf(key.entry);
  blocked_.is_known = false;
  return HostStatus::kBlocked;
}

HostStatus RunHost::GetAsOf(script::KeySlot, std::int64_t, model::VersionView&) {
  return HostStatus::kFailed;
}

HostStatus RunHost::List(script::KeySlot, script::Listing&) {
  return HostStatus::kFailed;
}

HostStatus RunHost::ListAsOf(script::KeySlot, std::int64_t, script::Listing&) {
  return HostStatus::kFailed;
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
  // A write that replaces a buffered one takes over its room.
  if (key.has_write) growth_bytes_ -= table_->GrowthOf(key.key, key.entry, key.write.view());
  growth_bytes_ += table_->GrowthOf(key.key, key.entry, version);
  room_line_ = key.line;
  if (!MakeRoom()) return HostStatus::kFailed;
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
  if (table_->MakeRoom(growth_bytes_, now_ms())) return true;
  error_ = {model::Code::kOutOfMemory,
            "Out of memory: the write does not fit the node's memory budget", room_line_, ""};
  return false;
}

std::string_view RunHost::KeyText(script::KeySlot slot) const {
  return keys_->at(slot).key.bytes;
}

}  // namespace palena::engine
