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
  if (run->is_validating) {
    StampWrites(*run);
    depends_on = Commit(*run);
  } else if (Conclude(*run)) {
    if (run->is_optimistic) return StartValidating(std::move(run));
    depends_on = Commit(*run);
  }
  Close(std::move(run), depends_on);
}

// The answer is made before the commit: one that cannot be given must not be applied.
bool Shard::Conclude(Run& run) {
  const bool is_committing = run.vm.succeeded() && run.vm.wants_commit() && run.WriteResult() &&
                             run.host.MakeRoom() && !IsDecisionRefused(run);
  if (!is_committing) Refuse(run);
  run.result.stamp = run.stamp;
  return is_committing;
}

// A decision that must survive may not be about keys that do not.
bool Shard::IsDecisionRefused(const Run& run) {
  return run.transaction.is_decision_durable && run.host.has_ephemeral_writes();
}

// What Conclude met first.
void Shard::Refuse(Run& run) {
  ++counters_.script_errors;
  model::ScriptError error{model::Code::kRolledBack, "Transaction aborted", 0, ""};
  if (!run.vm.succeeded()) {
    error = run.vm.error();
  } else if (!run.host.error().message.empty()) {
    error = run.host.error();  // with the line of the write that needs the room
  } else if (run.vm.wants_commit() && IsDecisionRefused(run)) {
    error.message += ": with decisionDurability=durable no ephemeral key may be written";
  }
  if (error.code == model::Code::kOutOfMemory) ++counters_.out_of_memory;
  run.result = run.Failure(error);
}

// An optimistic run writes at the time of its validation.
void Shard::StampWrites(Run& run) {
  clock_.Observe(run.seen);
  const hlc::Stamp now = clock_.Next();
  for (RunKey& key : run.keys.keys()) {
    if (key.has_write && key.write.stamp == run.stamp.time) key.write.stamp = now.time;
  }
  run.stamp = now;
  run.result.stamp = now;
}

// Applies the writes and returns the highest commit that the answer depends on.
store::Sequence Shard::Commit(Run& run) {
  store::Sequence depends_on = run.host.depends_on();
  run.is_committed = true;
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
    if (!key.is_captured && key.entry == nullptr) continue;
    const model::VersionView old =
        key.is_captured ? key.captured.view() : store::HeadOf(*key.entry);
    if (old.kind == model::VersionKind::kAbsent) continue;
    const bool is_superseded = old.revision != key.write.revision;
    if (is_superseded && !old.norev) effect.superseded = model::Version::Copy(old);
  }
}

void Shard::Install(Run& run, store::Sequence depends_on) {
  const bool is_all_here = run.stops.empty();
  for (RunKey& key : run.keys.keys()) {
    if (!key.has_write || !(is_all_here || IsHere(run, key))) continue;
    if (key.is_captured) MakeRoomFor(key.key, key.entry, key.write.view());
    InstallHead(key.key, key.entry, key.write.view(), depends_on);
  }
}

// For what was decided without a look at this table's memory: it is taken, and what is too much
// leaves again at the end of the turn.
void Shard::MakeRoomFor(const store::KeyView& key, const store::Entry* known,
                        const model::VersionView& head) {
  is_over_budget_ |= !table_.MakeRoom(table_.GrowthOf(key, known, head), clock_.now_ms());
}

void Shard::Close(std::unique_ptr<Run> run, store::Sequence depends_on) {
  ++counters_.runs;
  Answer(*run, depends_on);
  if (run->stop > 0) LeaveStops(*run, depends_on);
  run->host.End();
  if (run->owner != 0) ReleaseLocks(run->owner);
  if (run->holds_slot) FreeSlot();
  const std::uint64_t lane = run->lane;
  Recycle(std::move(run));
  if (lane != 0 && !lanes_.empty()) NextInLane(lane);
}

// Tells the stops before this one what to install and to let go.
void Shard::LeaveStops(Run& run, store::Sequence depends_on) {
  ++counters_.multi_shard_runs;
  for (std::size_t i = 0; i < run.stop; ++i) {
    Settlement settlement = SettlementFor(run, run.stops[i], depends_on);
    if (i == 0) settlement.frees_slot = std::exchange(run.holds_slot, false);
    MailTo(run.stops[i]).settlements.push_back(std::move(settlement));
  }
}

Shard::Settlement Shard::SettlementFor(Run& run, unsigned shard, store::Sequence depends_on) {
  Settlement settlement;
  settlement.owner = run.owner;
  settlement.depends_on = depends_on;
  settlement.stamp = run.stamp.time;
  for (RunKey& key : run.keys.keys()) {
    const bool is_there = store::ShardOf(key.key.hash, options_.shards) == shard;
    if (!is_there || !(key.is_pinned || key.has_write)) continue;
    SettledKey& settled = settlement.keys.emplace_back();
    settled.durability = key.key.durability;
    settled.bytes = std::string(key.key.bytes);
    settled.hash = key.key.hash;
    settled.entry = key.entry;
    settled.is_pinned = std::exchange(key.is_pinned, false);
    if (key.has_write && run.is_committed) settled.write = std::move(key.write);
  }
  return settlement;
}

// At a stop: the run has ended elsewhere.
void Shard::Settle(Settlement& settlement) {
  clock_.Observe(settlement.stamp);
  for (SettledKey& key : settlement.keys) {
    if (key.write.has_value()) {
      MakeRoomFor(key.key(), key.entry, key.write->view());
      InstallHead(key.key(), key.entry, key.write->view(), settlement.depends_on);
    }
    if (key.is_pinned) table_.Unpin(*key.entry);
  }
  ReleaseLocks(settlement.owner);
  if (settlement.frees_slot) FreeSlot();
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

void Shard::ReleaseLocks(LockTable::Owner owner) {
  granted_.clear();
  locks_.Release(owner, granted_);
  for (Run* granted : granted_) {
    StopWaiting(granted);
    MakeReady(granted, Run::Step::kLocked);
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
