// The life of a run between its admission and its end: the fast path, and on the general path
// whatever gives it its turn: slots, slices, timers and the ready queue.

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
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

model::ScriptError LockTimeoutError(const LockTable::Obstacle& obstacle) {
  return {model::Code::kLockTimeout,
          absl::StrCat("Failed to acquire ", obstacle.is_range ? "prefix lock: " : "lock: ",
                       obstacle.text, " ", std::string(model::DurabilityName(obstacle.durability))),
          0, ""};
}

model::ScriptError AdmissionError(std::size_t open_transactions_max) {
  return {model::Code::kAdmission,
          absl::StrCat("No transaction slot became free in time: at most ", open_transactions_max,
                       " a shard"),
          0, ""};
}

// How long before its turn a run's entries are asked for; before that, only their places.
constexpr std::size_t kEntriesAhead = 4;

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
  run->host.Attach(run->keys, table_, *this, options_.shards == 1);
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
  const bool is_fast = options_.fast_path && run->stops.empty() && HasSlotFor(*run);
  if (is_fast && !AnyClaimed(*run) && LookUpKeys(*run)) return RunFast(std::move(run));
  Run* kept = Keep(std::move(run));
  JoinGeneralPath(*kept);
  Enter(kept);
}

void Shard::JoinGeneralPath(Run& run) {
  run.owner = (++last_owner_ << 16) | options_.index;
  const std::int64_t snapshot_ms = run.transaction.snapshot_ms;
  run.is_past = snapshot_ms != 0 && snapshot_ms < clock_.now_ms();
  if (run.is_past) run.is_optimistic = false;  // nothing that it reads can change
}

bool Shard::AnyClaimed(const Run& run) const {
  if (locks_.empty()) return false;
  return !run.keys.ranges().empty() || std::ranges::any_of(run.keys.keys(), [&](const RunKey& key) {
    return locks_.IsClaimed(key.key);
  });
}

// A transaction of the general path has one of a bounded number of slots until its end.
void Shard::Enter(Run* run) {
  if (!run->IsTransaction()) return Arrive(run);
  if (HasSlotFor(*run)) {
    TakeSlot(run);
    return Arrive(run);
  }
  const std::int64_t patience_ms = run->transaction.admission_wait_ms;
  if (patience_ms == 0) return OnTimeUp(run, Run::Wait::kAdmission);
  const std::int64_t until_ns = parts_.clock->SteadyNs() + patience_ms * 1'000'000;
  admission_.emplace(std::pair(-run->priority(), ++last_admission_), run);
  StartWaiting(run, Run::Wait::kAdmission, std::min(until_ns, run->deadline_ns));
}

// On the fast path as well: it may turn out to be one that has to wait.
bool Shard::HasSlotFor(const Run& run) const {
  return open_transactions_ < options_.open_transactions_max || !run.IsTransaction();
}

void Shard::TakeSlot(Run* run) {
  run->holds_slot = true;
  ++open_transactions_;
}

void Shard::LeaveAdmission(Run* run) {
  std::erase_if(admission_, [run](const auto& waiting) { return waiting.second == run; });
}

void Shard::FreeSlot() {
  --open_transactions_;
  if (admission_.empty() || open_transactions_ >= options_.open_transactions_max) return;
  Run* next = admission_.begin()->second;
  admission_.erase(admission_.begin());
  StopWaiting(next);
  TakeSlot(next);
  MakeReady(next, Run::Step::kEnter);
}

void Shard::StartVm(Run& run) {
  clock_.Observe(run.seen);
  run.stamp = clock_.Next();
  run.host.Begin(run.stamp);
  run.vm.Start(*run.program, run.parameters, run.stamp, run.host);
}

void Shard::RunFast(std::unique_ptr<Run> run) {
  StartVm(*run);
  const script::Vm::State state = run->Resume(options_.capacities.fast_path_steps);
  if (state == script::Vm::State::kFinished) {
    ++counters_.fast_runs;
    run->is_optimistic = false;  // nobody came between its reads and its commit
    return Finish(std::move(run));
  }
  // Goes on in the general path with stamp, buffer and step count.
  JoinGeneralPath(*run);
  if (run->IsTransaction()) TakeSlot(run.get());
  Run* kept = Keep(std::move(run));
  LockWhereItStands(*kept);
  if (kept->TakesCopies()) kept->host.CaptureAll();
  if (state == script::Vm::State::kOutOfSteps) return MakeReady(kept, Run::Step::kSlice);
  GoOn(kept, state);
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

// Ends a run whose caller is gone, or whose time is over.
bool Shard::EndsEarly(Run* run) {
  if (run->is_abandoned.load(std::memory_order_relaxed)) {
    FailRun(Release(run), DroppedError());
    return true;
  }
  if (parts_.clock->SteadyNs() <= run->deadline_ns) return false;
  ++counters_.run_timeouts;
  FailRun(Release(run), TimeoutError());
  return true;
}

void Shard::RunSlice(Run* run) {
  if (EndsEarly(run)) return;
  const std::int64_t begin_ns = parts_.clock->SteadyNs();
  const std::uint64_t begin_steps = run->vm.steps();
  do {
    const script::Vm::State state = run->Resume(options_.capacities.steps_per_look);
    if (state != script::Vm::State::kOutOfSteps) return GoOn(run, state);
  } while (run->vm.steps() - begin_steps < options_.capacities.slice_steps &&
           parts_.clock->SteadyNs() - begin_ns < base::kSliceNs);
  ++counters_.slices;
  MakeReady(run, Run::Step::kSlice);
}

// With a run that does not simply want more steps.
void Shard::GoOn(Run* run, script::Vm::State state) {
  switch (state) {
    case script::Vm::State::kFinished:
      return Finish(Release(run));
    case script::Vm::State::kBlocked:
      return Ask(run);
    case script::Vm::State::kSleeping:
      return Sleep(run);
    case script::Vm::State::kOutOfSteps:
      break;
  }
  PALENA_CHECK(false);
}

// Locks and stamp are kept. One that sleeps beyond its time is woken to be told.
void Shard::Sleep(Run* run) {
  ++counters_.sleeps;
  const std::int64_t wake_ns = parts_.clock->SteadyNs() + run->vm.sleep_ms() * 1'000'000;
  StartWaiting(run, Run::Wait::kSleep, std::min(wake_ns, run->deadline_ns + 1));
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
    TakeStep(run);
  }
  EndTurn();
  // What is too much even after this turn's mail goes on when that has been handled.
  if (!ready_.empty() && !HasMailedMuch()) ScheduleReady();
}

void Shard::TakeStep(Run* run) {
  switch (run->next_step) {
    case Run::Step::kBegin:
      return BeginLate(run);
    case Run::Step::kEnter:
      return Arrive(run);
    case Run::Step::kLocked:
      return OnLocked(run);
    case Run::Step::kSlice:
      return RunSlice(run);
  }
}

// A run whose turn in its lane has come.
void Shard::BeginLate(Run* run) {
  if (!EndsEarly(run)) Begin(Release(run));
}

void Shard::DropLane(std::uint64_t lane) {
  parts_.executor->Post([this, lane] {
    BeginTurn();
    if (const auto it = lanes_.find(lane); it != lanes_.end()) {
      for (Run* run : std::exchange(it->second, {})) {
        run->lane = 0;  // it lets nobody in
        FailRun(Release(run), DroppedError());
      }
    }
    Abandon(lane);
    EndTurn();
  });
}

// Those of a lane that have begun end at their next slice: they may be in the hands of the reader,
// or of another shard. Who waits here, for a lock, a slot or the time, ends at once.
void Shard::Abandon(std::uint64_t lane) {
  bool has_left = false;
  for (const auto& [run, its_lane] : away_) {
    if (its_lane != lane) continue;
    run->is_abandoned.store(true, std::memory_order_relaxed);
    has_left = true;
  }
  EndRunsOf(lane);
  if (has_left) AbandonElsewhere(lane);
}

void Shard::EndRunsOf(std::uint64_t lane) {
  std::vector<Run*> waiting;
  for (const auto& [run, owned] : open_) {
    if (run->caller != lane) continue;
    run->is_abandoned.store(true, std::memory_order_relaxed);
    if (run->wait != Run::Wait::kNone) waiting.push_back(run);
  }
  for (Run* run : waiting) {
    if (run->wait == Run::Wait::kNone) continue;  // one before it has let it in
    if (run->wait == Run::Wait::kAdmission) LeaveAdmission(run);
    StopWaiting(run);
    FailRun(Release(run), DroppedError());
  }
}

// The mark is set, so whoever arrives anywhere from now on sees it; those that arrived before, and
// wait there, are told.
void Shard::AbandonElsewhere(std::uint64_t lane) {
  for (Shard* peer : peers_) {
    if (peer == this) continue;
    peer->parts_.executor->Post([peer, lane] {
      peer->BeginTurn();
      peer->EndRunsOf(lane);
      peer->EndTurn();
    });
  }
}

void Shard::StartWaiting(Run* run, Run::Wait wait, std::int64_t until_ns) {
  run->wait = wait;
  run->timer_ns = until_ns;
  timers_.emplace(until_ns, run);
  ArmTimer();
}

void Shard::StopWaiting(Run* run) {
  timers_.erase({run->timer_ns, run});
  run->wait = Run::Wait::kNone;
}

void Shard::ArmTimer() {
  if (timers_.empty()) return;
  const std::int64_t first_ns = timers_.begin()->first;
  if (armed_ns_ != 0 && armed_ns_ <= first_ns) return;
  armed_ns_ = first_ns;
  const std::int64_t delay_ns = std::max<std::int64_t>(0, first_ns - parts_.clock->SteadyNs());
  parts_.executor->PostAfter(delay_ns, [this] { OnTimer(); });
}

void Shard::OnTimer() {
  BeginTurn();
  armed_ns_ = 0;
  const std::int64_t now_ns = parts_.clock->SteadyNs();
  while (!timers_.empty() && timers_.begin()->first <= now_ns) {
    Run* run = timers_.begin()->second;
    const Run::Wait waited_for = run->wait;
    StopWaiting(run);
    OnTimeUp(run, waited_for);
  }
  ArmTimer();
  EndTurn();
}

void Shard::OnTimeUp(Run* run, Run::Wait waited_for) {
  switch (waited_for) {
    case Run::Wait::kAdmission:
      LeaveAdmission(run);
      ++counters_.admission_refusals;
      return FailRun(Release(run), AdmissionError(options_.open_transactions_max));
    case Run::Wait::kLock:
      ++counters_.lock_timeouts;
      return FailRun(Release(run), LockTimeoutError(locks_.ObstacleOf(run->owner)));
    case Run::Wait::kSleep:
      return RunSlice(run);
    case Run::Wait::kNone:
      break;
  }
  PALENA_CHECK(false);
}

void Shard::FailRun(std::unique_ptr<Run> run, const model::ScriptError& error) {
  run->result = run->Failure(error);
  run->result.stamp = run->stamp;
  const store::Sequence depends_on = run->host.depends_on();
  Close(std::move(run), depends_on);
}

}  // namespace palena::engine
