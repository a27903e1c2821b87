// The life of a run between its admission and its end: the fast path, and the general path with
// locks, disk reads and slices.

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "engine/shard.h"

namespace palena::engine {
namespace {

model::ScriptError TimeoutError() {
  return {model::Code::kTimeout, "Transaction aborted by timeout", 0, ""};
}

model::ScriptError DroppedError() {
  return {model::Code::kDraining, "The connection was reset before the run ended", 0, ""};
}

model::ScriptError OverloadError(std::size_t open_runs_max) {
  return {model::Code::kOverloaded,
          "Too many open runs: at most " + std::to_string(open_runs_max) + " a shard", 0, ""};
}

model::ScriptError HeldError(std::size_t bytes_max) {
  return {
      model::Code::kOverloaded,
      "Too many answers wait for the disk: at most " + std::to_string(bytes_max) + " bytes a shard",
      0, ""};
}

model::ScriptError LockTimeoutError(const store::KeyView& key) {
  return {model::Code::kLockTimeout,
          "Failed to acquire lock: " + std::string(key.bytes) + " " +
              std::string(model::DurabilityName(key.durability)),
          0, ""};
}

model::ScriptError ReadFailure(const base::Status& status) {
  return {model::Code::kCorruption, std::string(status.message()), 0, ""};
}

// How long before its turn a run's entries are asked for; before that, only their places.
constexpr std::size_t kEntriesAhead = 4;

bool IsMissing(const RunKey& key) {
  return key.entry == nullptr && key.key.durability == model::Durability::kPersistent;
}

}  // namespace

void Shard::RefuseOverload(std::unique_ptr<Run> run) {
  ++counters_.overload_refusals;
  run->lane = 0;  // it never entered its lane, so it must not let the next one in
  const bool is_full = open_.size() >= options_.open_runs_max;
  FailRun(std::move(run),
          is_full ? OverloadError(options_.open_runs_max) : HeldError(kHeldBytesMax));
}

// A lookup in a large table waits for memory twice, in turn: for the place in the index, then for
// the entry. Runs that came in together wait for each other's memory at the same time.
void Shard::Await(std::unique_ptr<Run> run) {
  if (awaiting_count_ == kAwaitingMax) AdmitNext();
  for (const RunKey& key : run->keys.keys()) table_.PrefetchPlace(key.key);
  awaiting_[(awaiting_first_ + awaiting_count_++) % kAwaitingMax] = std::move(run);
  if (awaiting_count_ <= kEntriesAhead) return;
  const std::size_t due = awaiting_first_ + awaiting_count_ - 1 - kEntriesAhead;
  for (const RunKey& key : awaiting_[due % kAwaitingMax]->keys.keys()) {
    table_.PrefetchEntry(key.key);
  }
}

std::unique_ptr<Run> Shard::TakeAwaiting() {
  std::unique_ptr<Run> run = std::move(awaiting_[awaiting_first_]);
  awaiting_first_ = (awaiting_first_ + 1) % kAwaitingMax;
  --awaiting_count_;
  return run;
}

void Shard::AdmitNext() {
  Admit(TakeAwaiting());
}

void Shard::DropAwaiting() {
  while (awaiting_count_ > 0) Recycle(TakeAwaiting());
}

void Shard::Admit(std::unique_ptr<Run> run) {
  run->host.Attach(run->keys, table_, *this);
  if (IsOverloaded()) return RefuseOverload(std::move(run));
  if (run->lane != 0 && !lanes_.empty()) {
    if (const auto lane = lanes_.find(run->lane); lane != lanes_.end()) {
      lane->second.push_back(Keep(std::move(run)));
      return;
    }
  }
  if (HasMailedMuch()) return MakeReady(Keep(std::move(run)), Run::Step::kBegin);
  Begin(std::move(run));
}

// One mail may bring a thousand runs with large answers: what is made is handed over before more is
// made.
bool Shard::HasMailedMuch() const {
  return mailed_bytes_ + unhandled_bytes_ > options_.capacities.mailed_bytes_max;
}

void Shard::Begin(std::unique_ptr<Run> run) {
  if (options_.fast_path && !AnyLocked(*run) && LookUpKeys(*run)) return RunFast(std::move(run));
  SortLocks(*run);
  ContinueLocking(Keep(std::move(run)));
}

// True when the table has, or can get without waiting, every key of the run.
bool Shard::LookUpKeys(Run& run) {
  bool all_resident = true;
  for (RunKey& key : run.keys.keys()) {
    key.entry = table_.Find(key.key);
    if (IsMissing(key)) all_resident = false;
  }
  return all_resident || PeekMissing(run);
}

// All or nothing: what is loaded is pinned, and a run that still waits for its locks pins nothing.
bool Shard::PeekMissing(Run& run) {
  if (!options_.capacities.peeks_into_log) return false;
  std::vector<model::Version> heads;
  for (const RunKey& key : run.keys.keys()) {
    if (!IsMissing(key)) continue;
    std::optional<model::Version> head = parts_.log->PeekHead(key.key.bytes);
    if (!head.has_value()) return false;
    heads.push_back(*std::move(head));
  }
  Load(run, heads);
  return true;
}

bool Shard::AnyLocked(const Run& run) const {
  if (locks_.empty()) return false;
  return std::ranges::any_of(run.keys.keys(),
                             [&](const RunKey& key) { return locks_.IsLocked(key.key); });
}

void Shard::StartVm(Run& run) {
  run.stamp = clock_.Next();
  run.host.Begin(run.stamp);
  run.vm.Start(*run.program, run.parameters, run.stamp, run.host);
}

void Shard::RunFast(std::unique_ptr<Run> run) {
  StartVm(*run);
  const script::Vm::State state = run->vm.Resume(options_.capacities.fast_path_steps);
  if (state == script::Vm::State::kFinished) {
    ++counters_.fast_runs;
    return Finish(std::move(run));
  }
  PALENA_CHECK(state != script::Vm::State::kSleeping);  // not built yet
  // Goes on in the general path with stamp, buffer and step count.
  SortLocks(*run);
  LockWhereItStands(*run);
  Run* kept = Keep(std::move(run));
  if (state == script::Vm::State::kBlocked) return Block(kept);
  MakeReady(kept, Run::Step::kSlice);
}

Run* Shard::Keep(std::unique_ptr<Run> run) {
  Run* kept = run.get();
  kept->Detach(parts_.clock->SteadyNs());
  if (kept->lane != 0) lanes_.try_emplace(kept->lane);
  open_.emplace(kept, std::move(run));
  return kept;
}

std::unique_ptr<Run> Shard::Release(Run* run) {
  const auto it = open_.find(run);
  PALENA_CHECK(it != open_.end());
  std::unique_ptr<Run> owned = std::move(it->second);
  open_.erase(it);
  return owned;
}

void Shard::SortLocks(Run& run) const {
  run.lock_order.resize(run.keys.keys().size());
  std::iota(run.lock_order.begin(), run.lock_order.end(), 0U);
  std::ranges::sort(run.lock_order, [&](std::uint32_t a, std::uint32_t b) {
    return LockBefore(run.keys.keys()[a].key, run.keys.keys()[b].key);
  });
}

// The fast path looked before it began, and nobody has had a turn since: every lock is free.
void Shard::LockWhereItStands(Run& run) {
  for (; run.locks_held < run.lock_order.size(); ++run.locks_held) {
    const RunKey& key = run.keys.keys()[run.lock_order[run.locks_held]];
    PALENA_CHECK(locks_.Acquire(key.key, key.writes, &run));
  }
  run.host.PinAll();
}

void Shard::ContinueLocking(Run* run) {
  while (run->locks_held < run->lock_order.size()) {
    const RunKey& key = run->keys.keys()[run->lock_order[run->locks_held]];
    if (!locks_.Acquire(key.key, key.writes, run)) {
      ++counters_.lock_waits;
      run->is_waiting_for_lock = true;
      lock_deadlines_.emplace(run->deadline_ns, run);
      return ArmLockTimer();
    }
    ++run->locks_held;
  }
  FetchThenStart(run);
}

void Shard::FetchThenStart(Run* run) {
  // Looked up anew: entries may have come and gone while the run waited for its locks.
  const bool all_resident = LookUpKeys(*run);
  run->host.PinAll();
  if (all_resident) {
    StartVm(*run);
    return RunSlice(run);
  }
  ++counters_.disk_fetches;
  parts_.reader->Post([this, run] { ReadMissing(run); });
}

// On the reader. The run is locked and waits: its keys stay as they are meanwhile.
void Shard::ReadMissing(Run* run) {
  std::vector<model::Version> heads;
  for (const RunKey& key : run->keys.keys()) {
    if (!IsMissing(key)) continue;
    base::StatusOr<model::Version> head = parts_.log->ReadHead(key.key.bytes);
    if (!head.ok()) {
      run->fetch_error = ReadFailure(head.status());
      break;
    }
    heads.push_back(*std::move(head));
  }
  parts_.executor->Post([this, run, heads = std::move(heads)] {
    BeginTurn();
    OnFetched(run, heads);
    EndTurn();
  });
}

void Shard::OnFetched(Run* run, const std::vector<model::Version>& heads) {
  if (run->fetch_error.has_value()) return FailRun(Release(run), *run->fetch_error);
  Load(*run, heads);
  StartVm(*run);
  RunSlice(run);
}

// `heads` of the missing keys, in their order.
void Shard::Load(Run& run, const std::vector<model::Version>& heads) {
  run.host.PinAll();  // what the run has must not be what makes room
  std::size_t growth_bytes = 0;
  auto head = heads.begin();
  for (const RunKey& key : run.keys.keys()) {
    if (IsMissing(key)) growth_bytes += table_.GrowthOf(key.key, nullptr, (head++)->view());
  }
  // Other persistent entries make room for these. When that is not enough the read is served all
  // the same, and what it brought in leaves again at the end of the turn.
  is_over_budget_ |= !table_.MakeRoom(growth_bytes, clock_.now_ms());
  head = heads.begin();
  for (RunKey& key : run.keys.keys()) {
    if (IsMissing(key)) key.entry = &table_.Load(key.key, (head++)->view());
  }
  run.host.PinAll();
}

void Shard::RunSlice(Run* run) {
  if (run->is_abandoned) return FailRun(Release(run), DroppedError());
  const std::int64_t begin_ns = parts_.clock->SteadyNs();
  if (begin_ns > run->deadline_ns) {
    ++counters_.run_timeouts;
    return FailRun(Release(run), TimeoutError());
  }
  const std::uint64_t begin_steps = run->vm.steps();
  do {
    switch (run->vm.Resume(options_.capacities.steps_per_look)) {
      case script::Vm::State::kFinished:
        return Finish(Release(run));
      case script::Vm::State::kBlocked:
        return Block(run);
      case script::Vm::State::kSleeping:
        PALENA_CHECK(false && "not built yet");
      case script::Vm::State::kOutOfSteps:
        break;
    }
  } while (run->vm.steps() - begin_steps < options_.capacities.slice_steps &&
           parts_.clock->SteadyNs() - begin_ns < base::kSliceNs);
  ++counters_.slices;
  MakeReady(run, Run::Step::kSlice);
}

void Shard::Block(Run* run) {
  const store::Sequence after = run->host.blocked_read().after;
  if (after <= parts_.watermark->sequence()) return ReadBlocked(run);
  Waiter waiter;
  waiter.blocked = run;
  gate_.Hold(after, hlc::HybridTime{}, std::move(waiter));
}

void Shard::ReadBlocked(Run* run) {
  ++counters_.disk_fetches;
  parts_.reader->Post([this, run] {
    RunHost::BlockedRead& read = run->host.blocked_read();
    base::StatusOr<model::Version> version =
        parts_.log->ReadVersion(read.key->key.bytes, read.revision);
    if (version.ok()) {
      read.version = *std::move(version);
      read.is_known = true;
    } else {
      run->fetch_error = ReadFailure(version.status());
    }
    parts_.executor->Post([this, run] {
      BeginTurn();
      if (run->fetch_error.has_value()) {
        FailRun(Release(run), *run->fetch_error);
      } else {
        RunSlice(run);
      }
      EndTurn();
    });
  });
}

void Shard::MakeReady(Run* run, Run::Step step) {
  run->next_step = step;
  ready_.push_back(run);
  ScheduleReady();
}

void Shard::ScheduleReady() {
  if (std::exchange(is_ready_scheduled_, true)) return;
  parts_.executor->Post([this] { OnReady(); });
}

// Serves the ready queue for about one slice, then lets the sockets have their turn.
void Shard::OnReady() {
  is_ready_scheduled_ = false;
  const std::int64_t began_ns = parts_.clock->SteadyNs();
  BeginTurn();
  // Those that come back for another slice wait for the next turn.
  std::size_t left = std::min(ready_.size(), options_.capacities.ready_runs_per_turn);
  while (left-- > 0 && !HasMailedMuch() && parts_.clock->SteadyNs() - began_ns < base::kSliceNs) {
    Run* run = ready_.front();
    ready_.pop_front();
    switch (run->next_step) {
      case Run::Step::kBegin:
        BeginLate(run);
        break;
      case Run::Step::kLock:
        ContinueLocking(run);
        break;
      case Run::Step::kSlice:
        RunSlice(run);
        break;
    }
  }
  EndTurn();
  // What is too much even after this turn's mail goes on when that has been handled.
  if (!ready_.empty() && !HasMailedMuch()) ScheduleReady();
}

// A run whose turn in its lane has come.
void Shard::BeginLate(Run* run) {
  if (run->is_abandoned) return FailRun(Release(run), DroppedError());
  if (parts_.clock->SteadyNs() > run->deadline_ns) {
    ++counters_.run_timeouts;
    return FailRun(Release(run), TimeoutError());
  }
  Begin(Release(run));
}

void Shard::DropLane(std::uint64_t lane) {
  parts_.executor->Post([this, lane] {
    BeginTurn();
    if (const auto it = lanes_.find(lane); it != lanes_.end()) {
      for (Run* run : std::exchange(it->second, {})) {
        run->lane = 0;  // it lets nobody in
        FailRun(Release(run), DroppedError());
      }
      // The open one ends at its next slice: it may be in the hands of the reader now.
      for (const auto& [run, owned] : open_) run->is_abandoned |= run->lane == lane;
    }
    EndTurn();
  });
}

void Shard::ArmLockTimer() {
  const std::int64_t first_ns = lock_deadlines_.begin()->first;
  if (lock_timer_ns_ != 0 && lock_timer_ns_ <= first_ns) return;
  lock_timer_ns_ = first_ns;
  const std::int64_t delay_ns = std::max<std::int64_t>(0, first_ns - parts_.clock->SteadyNs());
  parts_.executor->PostAfter(delay_ns, [this] { OnLockTimer(); });
}

void Shard::OnLockTimer() {
  BeginTurn();
  lock_timer_ns_ = 0;
  const std::int64_t now_ns = parts_.clock->SteadyNs();
  while (!lock_deadlines_.empty() && lock_deadlines_.begin()->first <= now_ns) {
    Run* run = lock_deadlines_.begin()->second;
    ++counters_.lock_timeouts;
    const store::KeyView key = run->keys.keys()[run->lock_order[run->locks_held]].key;
    FailRun(Release(run), LockTimeoutError(key));
  }
  if (!lock_deadlines_.empty()) ArmLockTimer();
  EndTurn();
}

void Shard::FailRun(std::unique_ptr<Run> run, const model::ScriptError& error) {
  run->result = model::Result::Failure(error);
  run->result.stamp = run->stamp;
  const store::Sequence depends_on = run->host.depends_on();
  Close(std::move(run), depends_on);
}

}  // namespace palena::engine
