#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/capacities.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/hash.h"
#include "engine/call.h"
#include "engine/counters.h"
#include "engine/durability_gate.h"
#include "engine/lock_table.h"
#include "engine/program_cache.h"
#include "engine/question.h"
#include "engine/reply.h"
#include "engine/router.h"
#include "engine/run.h"
#include "hlc/shard_clock.h"
#include "model/request.h"
#include "store/commit_log.h"
#include "store/table.h"

namespace palena::engine {

// What an answer holds in memory, more or less.
std::size_t ValueBytes(const model::Result& result);

struct ShardOptions {
  unsigned index = 0;
  unsigned shards = 1;
  std::uint16_t node = 1;
  bool fast_path = true;
  std::size_t open_runs_max = 65'536;         // runs of the general path
  std::size_t open_transactions_max = 4'096;  // of these, runs of a `begin`
  store::TableOptions table;
  base::Capacities capacities;
};

// What a shard shares with the rest of the node. All of it outlives the shard.
struct ShardParts {
  const base::Clock* clock = nullptr;  // steady time, for slices and deadlines
  const hlc::NodeClock* node_clock = nullptr;
  hlc::StampFloor* floor = nullptr;
  const Watermark* watermark = nullptr;
  const std::atomic<bool>* is_draining = nullptr;  // new requests are refused
  store::CommitLog* log = nullptr;
  ProgramCache* programs = nullptr;
  base::Executor* executor = nullptr;  // this shard's thread
  base::Executor* reader = nullptr;    // for blocking reads
  const base::KeyedHash* hash = nullptr;
};

// A shard: a thread's worth of keys, and the runs on them. Everything but the functions marked "any
// thread" belongs to the thread of `parts.executor`.
//
// The path of a run: Execute (program, parameters, keys, stops) → [mail to its first stop] → Admit
// → fast path, or at each of its stops locks → disk reads → [mail to the next], and at the last one
// slices → Finish (result, commit) → Reply, held back until what it depends on is durable → [mail
// to the origin] → sink. What it wrote and locked at the stops before is mailed to them and settled
// there; until then their locks keep everybody else from what is not written yet.
class Shard final : private Dependencies {
 public:
  Shard(const ShardOptions& options, const ShardParts& parts);
  ~Shard() override;

  // All shards of the node, this one included, by index. Before anything else.
  void SetPeers(std::vector<Shard*> peers) { peers_ = std::move(peers); }
  // Starts the periodic sweep. Any thread.
  void Start();

  // The frame of whatever a shard's thread does: BeginTurn after input was read, EndTurn before
  // answers leave. Turns do not nest.
  void BeginTurn();
  void EndTurn();
  // Inside a turn. The run begins by the end of the turn, behind those that came before it; a few
  // (kAwaitingMax) wait together, so that the memory of one is fetched while another runs. False
  // when it is not among them: it was refused, and answered, or has left for another shard.
  bool Execute(const Call& call);
  bool Execute(const ManyCall& call);
  // The same for a call that nothing comes with: the run begins at once.
  void ExecuteNow(const Call& call);
  void ExecuteNow(const ManyCall& call);
  // The runs that wait to begin: how many, the oldest begins, all begin, all are forgotten as if
  // they had never come (for a caller who can ask again, and has no room for more answers now).
  static constexpr std::size_t kAwaitingMax = 8;
  std::size_t awaiting() const { return awaiting_count_; }
  void AdmitNext();
  void AdmitAll() {
    while (awaiting_count_ > 0) AdmitNext();
  }
  void DropAwaiting();

  // A bound run from outside any shard's thread. Any thread.
  void Submit(std::unique_ptr<Run> run);
  // The log has come further. Any thread; wakes the shard only when something waits for that.
  void OnDurable();
  // Drops the runs of a lane that have not committed: their caller is gone. Any thread.
  void DropLane(std::uint64_t lane);
  // `done` is called on the shard's thread, once nothing is open. Any thread.
  void WhenIdle(base::Task done);
  const ShardCounters& counters() const { return counters_; }
  store::TableStats table_stats() const { return table_.stats(); }
  std::size_t open_runs() const { return open_.size(); }
  const base::Clock& clock() const { return *parts_.clock; }
  // The node's clock at the beginning of the last turn.
  std::int64_t now_ms() const { return clock_.now_ms(); }

 private:
  // Answers that wait until what they depend on is durable.
  static constexpr std::size_t kHeldBytesMax = std::size_t{64} << 20;

  struct Reply {
    ReplyTo to;
    model::Result result;
  };
  // What a run leaves at a stop when it has ended elsewhere: locks, pins, and perhaps writes.
  struct SettledKey {
    model::Durability durability = model::Durability::kEphemeral;
    std::string bytes;
    std::uint64_t hash = 0;
    store::Entry* entry = nullptr;
    bool is_pinned = false;
    std::optional<model::Version> write;

    store::KeyView key() const { return {durability, bytes, hash}; }
  };
  struct Settlement {
    LockTable::Owner owner = 0;
    bool frees_slot = false;
    store::Sequence depends_on = 0;
    hlc::HybridTime stamp;
    std::vector<SettledKey> keys;
  };
  // A run that is suspended on another shard asks, or is answered.
  struct Inquiry {
    Run* run = nullptr;
    unsigned asker = 0;
  };
  struct Information {
    Run* run = nullptr;
    Findings findings;
  };
  // What goes to another shard at the end of a turn: one task, one wake-up.
  struct Mail {
    std::vector<std::unique_ptr<Run>> runs;      // to begin there
    std::vector<std::unique_ptr<Run>> visitors;  // to go on there
    std::vector<Settlement> settlements;
    std::vector<Inquiry> inquiries;
    std::vector<Information> information;
    std::vector<Reply> replies;                  // to hand to sinks there
    std::vector<std::unique_ptr<Run>> returned;  // to that shard's pool
    std::size_t answer_bytes = 0;                // of `replies`
    bool is_empty = true;
  };
  // What waits for the commit log: a reply, or a run whose disk read must not overtake a commit.
  struct Waiter {
    Run* asking = nullptr;
    unsigned origin = kOutside;
    Reply reply;
  };

  // shard.cc: requests in, mail, replies out.
  std::unique_ptr<Run> Receive(const Call& call);
  std::unique_ptr<Run> Receive(const ManyCall& call);
  std::unique_ptr<Run> RefuseBound(std::unique_ptr<Run> run, const model::ScriptError& error);
  std::unique_ptr<Run> Route(std::unique_ptr<Run> run);
  template <typename AnyCall>
  bool ExecuteAny(const AnyCall& call);
  template <typename AnyCall>
  void ExecuteAnyNow(const AnyCall& call);
  std::unique_ptr<Run> TakeRun();
  void Refuse(const ReplyTo& to, model::Result refusal);
  void OnMail(Mail mail, Shard& from);
  void SendReply(unsigned origin, const ReplyTo& to, model::Result& result);
  Mail& MailTo(unsigned shard);
  void SendMail();
  // A large mail of this shard has been handled. Any thread.
  void OnHandled(std::size_t answer_bytes);
  bool IsLarge(const Mail& mail) const {
    return mail.answer_bytes >= options_.capacities.large_mail_bytes;
  }
  void ReleaseHeld();
  void GatherCommits();
  void OnGathered();
  void Recycle(std::unique_ptr<Run> run);
  void ReturnToBudget();
  void AnswerOutside();
  void Tick();
  bool IsIdle() const;
  void ReportIdle();

  // shard_runs.cc: admission, the fast path, slices. A run on the fast path belongs to its turn;
  // one that has to wait belongs to open_, and moves on only from the ready queue, so that long
  // chains of runs that let each other in do not recurse.
  void Await(std::unique_ptr<Run> run);
  std::unique_ptr<Run> TakeAwaiting();
  void Admit(std::unique_ptr<Run> run);
  bool IsOverloaded() const {
    return open_.size() >= options_.open_runs_max || held_bytes_ > kHeldBytesMax;
  }
  void RefuseOverload(std::unique_ptr<Run> run);
  bool HasMailedMuch() const;
  void Begin(std::unique_ptr<Run> run);
  bool AnyClaimed(const Run& run) const;
  void StartVm(Run& run);
  void RunFast(std::unique_ptr<Run> run);
  Run* Keep(std::unique_ptr<Run> run);
  std::unique_ptr<Run> Release(Run* run);
  void JoinGeneralPath(Run& run);
  void Enter(Run* run);
  bool HasSlotFor(const Run& run) const;
  void TakeSlot(Run* run);
  void LeaveAdmission(Run* run);
  void FreeSlot();
  bool EndsEarly(Run* run);
  void RunSlice(Run* run);
  void GoOn(Run* run, script::Vm::State state);
  void Sleep(Run* run);
  void MakeReady(Run* run, Run::Step step);
  void ScheduleReady();
  void OnReady();
  void TakeStep(Run* run);
  void BeginLate(Run* run);
  void StartWaiting(Run* run, Run::Wait wait, std::int64_t until_ns);
  void StopWaiting(Run* run);
  void ArmTimer();
  void OnTimer();
  void OnTimeUp(Run* run, Run::Wait waited_for);
  void Abandon(std::uint64_t lane);
  void EndRunsOf(std::uint64_t lane);
  void AbandonElsewhere(std::uint64_t lane);
  void FailRun(std::unique_ptr<Run> run, const model::ScriptError& error);

  // shard_stops.cc: what a run does at each of its stops: locks, heads, and on.
  bool IsHere(const Run& run, const RunKey& key) const {
    return run.stops.empty() || store::ShardOf(key.key.hash, options_.shards) == options_.index;
  }
  bool IsMissing(const Run& run, const RunKey& key) const {
    return key.entry == nullptr && key.key.durability == model::Durability::kPersistent &&
           !(key.is_captured && run.TakesCopies()) && IsHere(run, key);
  }
  // True when the table has, or can get without waiting, every key that the run has here. In the
  // class because every decision does it.
  bool LookUpKeys(Run& run) {
    bool all_resident = true;
    const bool is_all_here = run.stops.empty();
    for (RunKey& key : run.keys.keys()) {
      if (!is_all_here && !IsHere(run, key)) continue;
      key.entry = table_.Find(key.key);
      if (key.entry == nullptr && IsMissing(run, key)) all_resident = false;
    }
    return all_resident || PeekMissing(run);
  }
  bool PeekMissing(Run& run);
  void LookAtCopies(Run& run);
  LockTable::Wishes Wish(const Run& run);
  bool TakesLock(const Run& run, const RunKey& key) const;
  bool TakesLock(const Run& run, const RunRange& range) const;
  void LockWhereItStands(Run& run);
  void Arrive(Run* run);
  void OnLocked(Run* run);
  void ReadMissing(Run* run);
  void OnFetched(Run* run, std::vector<model::Version> heads);
  void Load(Run& run, const std::vector<model::Version>& heads);
  void TakeCopies(Run& run, std::vector<model::Version> heads);
  void GoFrom(Run* run);
  void Depart(Run* run);
  void SendOn(std::unique_ptr<Run> run);
  bool IsStill(const Run& run) const;
  void StartValidating(std::unique_ptr<Run> run);

  // shard_questions.cc: what a suspended run has asked for.
  void Ask(Run* run);
  void AnswerInquiry(const Inquiry& inquiry);
  void OnInformation(Run* run, Findings findings);
  void AskLogFor(Run* run);
  void ReadAnswer(Run* run);

  // shard_commit.cc: the end of a run.
  void Finish(std::unique_ptr<Run> run);
  bool Conclude(Run& run);
  static bool IsDecisionRefused(const Run& run);
  void Refuse(Run& run);
  store::Sequence Commit(Run& run);
  void AppendEffects(Run& run, model::Commit& commit) const;
  void Install(Run& run, store::Sequence depends_on);
  void Close(std::unique_ptr<Run> run, store::Sequence depends_on);
  void Answer(Run& run, store::Sequence depends_on);
  void MakeRoomFor(const store::KeyView& key, const store::Entry* known,
                   const model::VersionView& head);
  void InstallHead(const store::KeyView& key, store::Entry* known, const model::VersionView& head,
                   store::Sequence depends_on) {
    store::Entry& entry = table_.Install(key, known, head);
    if (depends_on != 0) gate_.Track(entry, depends_on);
  }
  void StampWrites(Run& run);
  void LeaveStops(Run& run, store::Sequence depends_on);
  Settlement SettlementFor(Run& run, unsigned shard, store::Sequence depends_on);
  void Settle(Settlement& settlement);
  void ReleaseLocks(LockTable::Owner owner);
  void NextInLane(std::uint64_t lane);
  void RenewBound(hlc::HybridTime stamp);

  store::Sequence DependencyOf(const store::Entry* entry) const override {
    return gate_.DependencyOf(entry);
  }

  const ShardOptions options_;
  const ShardParts parts_;
  std::vector<Shard*> peers_;
  hlc::ShardClock clock_;
  store::Table table_;
  LocalProgramCache programs_;
  LockTable locks_;
  DurabilityGate<Waiter> gate_;
  ShardCounters counters_;

  // Runs on their way to Admit, oldest at awaiting_first_, in a ring.
  std::array<std::unique_ptr<Run>, kAwaitingMax> awaiting_;
  std::size_t awaiting_first_ = 0;
  std::size_t awaiting_count_ = 0;

  std::vector<std::unique_ptr<Run>> pool_;
  absl::flat_hash_map<Run*, std::unique_ptr<Run>> open_;  // beyond their first turn, or queued
  absl::flat_hash_map<std::uint64_t, std::deque<Run*>> lanes_;  // lanes with an open run, and who
                                                                // comes next in them
  std::deque<Run*> ready_;
  bool is_ready_scheduled_ = false;
  std::set<std::pair<std::int64_t, Run*>> timers_;  // runs that wait, by the end of their patience
  std::int64_t armed_ns_ = 0;                       // when the armed timer fires; 0: none
  std::vector<LockTable::KeyWish> wished_keys_;     // scratch of Wish
  std::vector<model::KeyRange> wished_ranges_;
  std::vector<Run*> granted_;        // scratch of ReleaseLocks
  LockTable::Owner last_owner_ = 0;  // of a run that began here
  // Runs of this shard's pool that are on their way between others, and the lanes they came in.
  absl::flat_hash_map<Run*, std::uint64_t> away_;
  std::size_t open_transactions_ = 0;
  // Transactions that wait for a slot: the highest priority first, then the first that came.
  std::map<std::pair<int, std::uint64_t>, Run*> admission_;
  std::uint64_t last_admission_ = 0;

  bool is_over_budget_ = false;  // the table holds more than it may: reads brought it in
  std::uint64_t runs_at_last_eviction_ = 0;
  std::size_t held_bytes_ = 0;       // of the answers that wait in gate_
  std::vector<Mail> outbox_;         // by shard
  bool has_mail_ = false;            // something is in it
  std::size_t mailed_bytes_ = 0;     // of the answers in it
  std::size_t unhandled_bytes_ = 0;  // of those in large mails that are on their way
  std::vector<Reply> outside_;       // for callers outside, after Settle
  std::vector<base::Task> when_idle_;
  hlc::HybridTime bound_asked_;
  store::Sequence appended_ = 0;  // the last commit of this shard
  store::Sequence started_ = 0;   // of these, the last that the log was told to start
  store::Sequence gathered_ = 0;  // appended_ one pass of the loop ago, while gathering
  std::optional<std::int64_t> gathering_since_ns_;
  store::Sequence seen_sequence_ = 0;  // watermark at the last ReleaseHeld
  hlc::HybridTime seen_bound_;
  std::atomic<bool> waits_for_log_{false};
  bool is_in_turn_ = false;
};

}  // namespace palena::engine
