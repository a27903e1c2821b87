// The end of a run: its result, its commit, its reply, and whom it lets in.

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/shard.h"

namespace palena::engine {
namespace {

// The durable clock bound stays about this far ahead of the stamps, and is renewed at half.
constexpr std::int64_t kBoundAheadMs = 1'000;

}  // namespace

void Shard::Finish(std::unique_ptr<Run> run) {
  store::Sequence depends_on = run->host.depends_on();
  if (Conclude(*run)) depends_on = Commit(*run);
  Close(std::move(run), depends_on);
}

// The answer is made before the commit: one that cannot be given must not be applied.
bool Shard::Conclude(Run& run) {
  const model::ScriptError* error = nullptr;
  if (!run.vm.succeeded() || !run.vm.WriteResult(run.result)) {
    error = &run.vm.error();
  } else if (!run.host.MakeRoom()) {
    error = &run.host.error();  // with the line of the write that needs the room
  }
  if (error != nullptr) {
    ++counters_.script_errors;
    if (error->code == model::Code::kOutOfMemory) ++counters_.out_of_memory;
    run.result = model::Result::Failure(*error);
  }
  run.result.stamp = run.stamp;
  return error == nullptr;
}

// Applies the writes and returns the highest commit that the answer depends on.
store::Sequence Shard::Commit(Run& run) {
  store::Sequence depends_on = run.host.depends_on();
  if (!run.host.has_writes()) return depends_on;
  if (run.host.has_persistent_writes()) {
    model::Commit commit;
    commit.stamp = run.stamp;
    AppendEffects(run, commit);
    appended_ = parts_.log->Append(std::move(commit));
    depends_on = std::max(depends_on, appended_);
    ++counters_.commits;
  }
  Install(run, depends_on);
  return depends_on;
}

void Shard::AppendEffects(Run& run, model::Commit& commit) const {
  for (const RunKey& key : run.keys.keys()) {
    if (!key.has_write || key.key.durability != model::Durability::kPersistent) continue;
    model::Effect& effect = commit.effects.emplace_back();
    effect.key = std::string(key.key.bytes);
    effect.head = key.write;
    if (key.entry == nullptr) continue;
    const model::VersionView old = store::HeadOf(*key.entry);
    const bool is_superseded = old.revision != key.write.revision;
    if (is_superseded && !old.norev) effect.superseded = model::Version::Copy(old);
  }
}

void Shard::Install(Run& run, store::Sequence depends_on) {
  for (RunKey& key : run.keys.keys()) {
    if (!key.has_write) continue;
    store::Entry& entry = table_.Install(key.key, key.entry, key.write.view());
    if (depends_on != 0) gate_.Track(entry, depends_on);
  }
}

void Shard::Close(std::unique_ptr<Run> run, store::Sequence depends_on) {
  ++counters_.runs;
  Answer(*run, depends_on);
  if (!run->lock_order.empty()) ReleaseLocks(*run);
  run->host.End();
  const std::uint64_t lane = run->lane;
  Recycle(std::move(run));
  if (lane != 0 && !lanes_.empty()) NextInLane(lane);
}

void Shard::Answer(Run& run, store::Sequence depends_on) {
  const hlc::HybridTime stamp = run.stamp.time;
  RenewBound(stamp);
  if (gate_.Covers(depends_on, stamp)) return SendReply(run.origin, run.reply_to, run.result);
  held_bytes_ += ValueBytes(run.result);
  Waiter waiter;
  waiter.origin = run.origin;
  waiter.reply = {run.reply_to, std::move(run.result)};
  gate_.Hold(depends_on, stamp, std::move(waiter));
}

void Shard::ReleaseLocks(Run& run) {
  granted_.clear();
  if (run.is_waiting_for_lock) {
    lock_deadlines_.erase({run.deadline_ns, &run});
    locks_.Cancel(run.keys.keys()[run.lock_order[run.locks_held]].key, &run, granted_);
  }
  for (std::size_t i = 0; i < run.locks_held; ++i) {
    locks_.Release(run.keys.keys()[run.lock_order[i]].key, &run, granted_);
  }
  for (Run* granted : granted_) {
    lock_deadlines_.erase({granted->deadline_ns, granted});
    granted->is_waiting_for_lock = false;
    ++granted->locks_held;
    MakeReady(granted, Run::Step::kLock);
  }
}

// A run of this lane has ended: the next may start. Fast runs end in their turn and open no lane.
void Shard::NextInLane(std::uint64_t lane) {
  const auto it = lanes_.find(lane);
  if (it == lanes_.end()) return;
  if (it->second.empty()) {
    lanes_.erase(it);
    return;
  }
  Run* next = it->second.front();
  it->second.pop_front();
  MakeReady(next, Run::Step::kBegin);
}

void Shard::RenewBound(hlc::HybridTime stamp) {
  if (stamp == hlc::HybridTime{}) return;  // refused before it had one
  if (stamp.ms() + kBoundAheadMs / 2 < bound_asked_.ms()) return;
  bound_asked_ = hlc::HybridTime::FromMs(stamp.ms() + kBoundAheadMs);
  parts_.log->RenewClockBound(bound_asked_);
}

}  // namespace palena::engine
