// What a run of the general path does at each shard where it has keys: it takes its locks, finds
// the heads of its keys, and goes on to the next shard with copies of them, or begins to run.
//
// An optimistic run goes this way twice: first without locks, then, when it has run, with them, to
// see that what it read still holds.

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "engine/shard.h"

namespace palena::engine {
namespace {

model::ScriptError ReadFailure(const base::Status& status) {
  return {model::Code::kCorruption, std::string(status.message()), 0, ""};
}

model::ScriptError ConflictError() {
  return {model::Code::kConflict, "Transaction aborted", 0, ""};
}

model::ScriptError MemoryError() {
  return {model::Code::kLimit,
          "Script memory limit exceeded: " + std::to_string(base::kRunMemoryBytesMax), 0, ""};
}

// What a run carries from shard to shard is memory of the run.
std::size_t CapturedBytes(const Run& run) {
  std::size_t bytes = 0;
  for (const RunKey& key : run.keys.keys()) {
    if (key.is_captured) bytes += key.captured.value.bytes.size();
  }
  return bytes;
}

bool IsSameHead(const model::VersionView& a, const model::VersionView& b) {
  return a.kind == b.kind && a.revision == b.revision && a.stamp == b.stamp &&
         a.expires_ms == b.expires_ms;
}

}  // namespace

// All or nothing: what is loaded is pinned, and a run that still waits for its locks pins nothing.
bool Shard::PeekMissing(Run& run) {
  if (!options_.capacities.peeks_into_log) return false;
  std::vector<model::Version> heads;
  for (const RunKey& key : run.keys.keys()) {
    if (!IsMissing(run, key)) continue;
    std::optional<model::Version> head = parts_.log->PeekHead(key.key.bytes);
    if (!head.has_value()) return false;
    heads.push_back(*std::move(head));
  }
  Load(run, heads);
  return true;
}

// Of a snapshot of the past, only what may still be written into it is waited for.
bool Shard::TakesLock(const Run& run, const RunKey& key) const {
  if (run.is_past && !key.reads_now) {
    return locks_.HasWriterUpTo(run.transaction.snapshot_ms, key.key);
  }
  return !run.is_optimistic || run.is_validating;
}

bool Shard::TakesLock(const Run& run, const RunRange& range) const {
  if (!run.is_past || range.reads_now) return true;
  return locks_.HasWriterUpTo(run.transaction.snapshot_ms, range.range);
}

LockTable::Wishes Shard::Wish(const Run& run) {
  wished_keys_.clear();
  wished_ranges_.clear();
  for (const RunKey& key : run.keys.keys()) {
    if (IsHere(run, key) && TakesLock(run, key)) wished_keys_.push_back({key.key, key.writes});
  }
  for (const RunRange& range : run.keys.ranges()) {
    if (TakesLock(run, range)) wished_ranges_.push_back(range.range);
  }
  return {wished_keys_, wished_ranges_, run.priority()};
}

// The fast path looked before it began, and nobody has had a turn since: every lock is free.
void Shard::LockWhereItStands(Run& run) {
  const LockTable::Wishes wishes = Wish(run);
  if (!wishes.empty()) PALENA_CHECK(locks_.Claim(run.owner, &run, wishes));
  locks_.SetStampFloor(run.owner, run.stamp.time);
  run.host.PinAll();
}

void Shard::Arrive(Run* run) {
  clock_.Observe(run->seen);
  run->host.Attach(run->keys, table_, *this, options_.shards == 1);
  const LockTable::Wishes wishes = Wish(*run);
  if (wishes.empty() || locks_.Claim(run->owner, run, wishes)) return OnLocked(run);
  ++counters_.lock_waits;
  StartWaiting(run, Run::Wait::kLock, run->deadline_ns);
}

void Shard::OnLocked(Run* run) {
  if (run->TakesCopies()) {
    LookAtCopies(*run);
  } else {
    // Looked up only now: entries may have come and gone while the run waited for its locks.
    LookUpKeys(*run);
    run->host.PinAll();
  }
  const bool is_complete = std::ranges::none_of(
      run->keys.keys(), [&](const RunKey& key) { return IsMissing(*run, key); });
  if (is_complete) return GoFrom(run);
  ++counters_.disk_fetches;
  parts_.reader->Post([this, run] { ReadMissing(run); });
}

// Without locks an entry may change or leave at any time: what there is is copied at once.
void Shard::LookAtCopies(Run& run) {
  for (RunKey& key : run.keys.keys()) {
    if (!IsHere(run, key)) continue;
    key.entry = table_.Find(key.key);
    if (!IsMissing(run, key)) run.host.Capture(key);
    key.entry = nullptr;
  }
}

// On the reader. The run waits: nobody touches its keys meanwhile.
void Shard::ReadMissing(Run* run) {
  std::vector<model::Version> heads;
  for (const RunKey& key : run->keys.keys()) {
    if (!IsMissing(*run, key)) continue;
    base::StatusOr<model::Version> head = parts_.log->ReadHead(key.key.bytes);
    if (!head.ok()) {
      run->fetch_error = ReadFailure(head.status());
      break;
    }
    heads.push_back(*std::move(head));
  }
  parts_.executor->Post([this, run, heads = std::move(heads)]() mutable {
    BeginTurn();
    OnFetched(run, std::move(heads));
    EndTurn();
  });
}

// `heads` of the missing keys, in their order.
void Shard::OnFetched(Run* run, std::vector<model::Version> heads) {
  if (run->fetch_error.has_value()) return FailRun(Release(run), *run->fetch_error);
  if (run->TakesCopies()) {
    TakeCopies(*run, std::move(heads));
  } else {
    Load(*run, heads);
  }
  GoFrom(run);
}

// A run without locks must not put into the table what may be old by now.
void Shard::TakeCopies(Run& run, std::vector<model::Version> heads) {
  auto head = heads.begin();
  for (RunKey& key : run.keys.keys()) {
    if (!IsMissing(run, key)) continue;
    run.host.Capture(key);
    key.captured = *std::move(head++);
  }
}

void Shard::Load(Run& run, const std::vector<model::Version>& heads) {
  run.host.PinAll();  // what the run has must not be what makes room
  std::size_t growth_bytes = 0;
  auto head = heads.begin();
  for (const RunKey& key : run.keys.keys()) {
    if (IsMissing(run, key)) growth_bytes += table_.GrowthOf(key.key, nullptr, (head++)->view());
  }
  // Other persistent entries make room for these. When that is not enough the read is served all
  // the same, and what it brought in leaves again at the end of the turn.
  is_over_budget_ |= !table_.MakeRoom(growth_bytes, clock_.now_ms());
  head = heads.begin();
  for (RunKey& key : run.keys.keys()) {
    if (IsMissing(run, key)) key.entry = &table_.Load(key.key, (head++)->view());
  }
  run.host.PinAll();
}

// Locks and heads of this stop are there.
void Shard::GoFrom(Run* run) {
  if (EndsEarly(run)) return;
  if (CapturedBytes(*run) > base::kRunMemoryBytesMax) return FailRun(Release(run), MemoryError());
  if (run->is_validating && !IsStill(*run)) {
    ++counters_.conflicts;
    return FailRun(Release(run), ConflictError());
  }
  if (!run->IsAtLastStop()) return Depart(run);
  if (run->is_validating) return Finish(Release(run));
  StartVm(*run);
  locks_.SetStampFloor(run->owner, run->stamp.time);
  RunSlice(run);
}

// What the run holds here stays here, and belongs to it by its name.
void Shard::Depart(Run* run) {
  for (RunKey& key : run->keys.keys()) {
    if (!IsHere(*run, key) || key.is_captured) continue;
    run->host.Capture(key);
  }
  locks_.SetStampFloor(run->owner, clock_.latest());
  ++run->stop;
  SendOn(Release(run));
}

void Shard::SendOn(std::unique_ptr<Run> run) {
  run->seen = std::max(run->seen, clock_.latest());
  const std::uint64_t lane = std::exchange(run->lane, 0);
  if (run->home == options_.index) away_.emplace(run.get(), lane);
  if (lane != 0) NextInLane(lane);
  const unsigned next = run->stops[run->stop];
  MailTo(next).visitors.push_back(std::move(run));
}

// Whether what an optimistic run has read here is what there is, and nothing that it has read, here
// or elsewhere, has expired since.
bool Shard::IsStill(const Run& run) const {
  const std::int64_t read_ms = run.stamp.time.ms();
  const std::int64_t now_ms = clock_.latest().ms();
  return std::ranges::all_of(run.keys.keys(), [&](const RunKey& key) {
    if (!(key.was_read || key.has_write)) return true;
    const model::VersionView read = key.captured.view();
    if (read.IsLive(read_ms) != read.IsLive(now_ms)) return false;
    if (!IsHere(run, key)) return true;
    const model::VersionView now =
        key.entry == nullptr ? model::VersionView{} : store::HeadOf(*key.entry);
    return IsSameHead(now, read);
  });
}

void Shard::StartValidating(std::unique_ptr<Run> run) {
  run->is_validating = true;
  run->stop = 0;
  if (!run->stops.empty() && run->stops.front() != options_.index) return SendOn(std::move(run));
  Run* kept = run.get();
  open_.emplace(kept, std::move(run));
  Arrive(kept);
}

}  // namespace palena::engine
