#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/capacities.h"
#include "engine/call.h"
#include "engine/lock_table.h"
#include "engine/program_cache.h"
#include "engine/run_host.h"
#include "engine/run_keys.h"
#include "engine/series.h"
#include "model/request.h"
#include "script/transaction.h"
#include "script/vm.h"

namespace palena::engine {

// One run of a program, or of a series of them, from its request to its answer: everything that
// must survive a wait. Pooled by the shards, so that a warm run allocates nothing. On the fast path
// it lives for one turn.
class Run {
 public:
  explicit Run(const base::Capacities& capacities = {})
      : keys(capacities), kept_parameter_bytes_(capacities.kept_parameter_bytes) {}
  ~Run();

  // Takes over a call that came in by shard `came_in_by` (or kOutside): parameters are copied (a
  // frame does not outlive its turn) and put into the program's slots; of duplicates the first
  // wins, unknown ones are ignored. The program must live until the end of the turn.
  void Bind(const script::Program& bound_program, const Call& call, unsigned came_in_by);
  // The same for the programs of a series, which has found them.
  void Bind(std::unique_ptr<Series> bound_series, const ManyCall& call, unsigned came_in_by);
  // Makes the run fit to outlive its turn: it shares the program, and has a deadline from `now_ns`
  // (steady time) on. A timeout of 0 is the default, one above the maximum the maximum. Runs that
  // end in the turn they came in, nearly all, are spared both. Idempotent.
  void Detach(std::int64_t now_ns);
  // Back to the pool: forgets, and gives back memory that only a large request needed.
  void Reset();

  const script::Program* program = nullptr;                 // of a series, the first
  std::unique_ptr<Series> series;                           // null: the program alone
  std::vector<std::optional<std::string_view>> parameters;  // by slot, of one program after another
  ReplyTo reply_to;
  unsigned origin = kOutside;              // shard whose thread gets the answer
  std::uint64_t lane = 0;                  // runs of one lane start in order; 0: no lane
  std::uint64_t caller = 0;                // that lane for as long as the run lives, wherever it is
  unsigned home = kOutside;                // shard whose pool it comes from
  std::atomic<bool> is_abandoned = false;  // its caller is gone: it must not commit
  std::int64_t deadline_ns = 0;            // steady; 0 before Detach
  script::TransactionOptions transaction;  // of a `begin`, otherwise the defaults

  RunKeys keys;
  RunHost host;
  script::Vm vm;
  hlc::Stamp stamp;
  model::Result result;

  // General path only.
  enum class Step : std::uint8_t { kBegin, kEnter, kLocked, kSlice };
  Step next_step = Step::kBegin;  // what its turn in the ready queue is for
  enum class Wait : std::uint8_t { kNone, kAdmission, kLock, kSleep };
  Wait wait = Wait::kNone;    // what ends it: somebody else, or the shard's timer
  std::int64_t timer_ns = 0;  // steady, while it waits
  LockTable::Owner owner = 0;
  bool holds_slot = false;  // counts as an open transaction, at its first stop
  // Takes no locks on its way, and goes by copies of the heads.
  bool is_optimistic = false;
  bool is_past = false;        // a snapshot of a time gone by: what is read of it stays as it is
  bool is_validating = false;  // an optimistic run on its second way, with locks
  // The shards that it visits in turn, ascending, and where it is; empty: this one alone.
  std::vector<unsigned> stops;
  std::size_t stop = 0;
  hlc::HybridTime seen;           // the clocks of the shards that it has visited
  bool is_committed = false;      // its writes are to be installed
  std::size_t parts_missing = 0;  // of the answer to its question
  std::optional<model::ScriptError> fetch_error;

  bool IsTransaction() const { return program->is_transaction(); }
  bool IsAtLastStop() const { return stop + 1 >= stops.size(); }
  bool TakesCopies() const { return is_past || (is_optimistic && !is_validating); }
  int priority() const { return static_cast<int>(transaction.priority); }
  // Keys and options, from the program and the parameters.
  std::optional<model::ScriptError> Resolve(const base::KeyedHash& hash) {
    std::optional<model::ScriptError> error = keys.Resolve(*program, parameters, hash);
    if (!error.has_value() && IsTransaction()) error = ResolveTransaction();
    return error;
  }
  // The same for a series.
  std::optional<model::ScriptError> ResolveSeries(const base::KeyedHash& hash);

  // vm.Resume, through one program of a series after another.
  script::Vm::State Resume(std::uint64_t step_budget) {
    return series == nullptr ? vm.Resume(step_budget) : ResumeSeries(step_budget);
  }
  // At its end, into `result`. False when the answer cannot be given, or there is none.
  bool WriteResult() { return series == nullptr ? vm.WriteResult(result) : WriteSeriesResult(); }
  // Whatever ended the run, as its answer.
  model::Result Failure(const model::ScriptError& error) const {
    return series == nullptr ? model::Result::Failure(error) : series->Failure(error);
  }

 private:
  // Where an answer goes, and whom it waits for.
  template <typename AnyCall>
  void BindCaller(const AnyCall& call, unsigned came_in_by) {
    reply_to = call.reply_to;
    origin = came_in_by;
    lane = call.lane;
    caller = call.lane;
  }
  void BindParameters(std::size_t slots, std::span<const std::string_view> values,
                      std::span<const model::ParameterView> named);
  void GrowParameterBytes(std::size_t bytes);
  RunKeys::Parameters ParametersOf(const Series::Member& member) const {
    return RunKeys::Parameters(parameters)
        .subspan(member.first_parameter, member.program->parameters().size());
  }
  script::Vm::State ResumeSeries(std::uint64_t step_budget);
  bool EndMember();
  bool StartNextMember();
  bool WriteSeriesResult();
  std::optional<model::ScriptError> ResolveTransaction();

  const std::size_t kept_parameter_bytes_;
  ProgramPtr owned_program_;  // after Detach
  std::int64_t timeout_ms_ = 0;
  std::unique_ptr<char[]> parameter_bytes_;
  std::size_t parameter_capacity_ = 0;
};

}  // namespace palena::engine
