#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/result.h"
#include "script/host.h"
#include "script/program.h"
#include "script/run_state.h"

namespace palena::script {

// Runs programs, one at a time, and can stop in the middle and go on later. Reusable: registers and
// arena keep their memory from run to run, so that a warm run of a small script allocates nothing.
// One thread at a time.
class Vm {
 public:
  enum class State : std::uint8_t {
    kFinished,    // succeeded() tells how; the host's writes are to be committed or dropped
    kOutOfSteps,  // this call's budget is used up; Resume goes on
    kBlocked,     // the host answered kBlocked; Resume asks it again
    kSleeping,    // a `sleep` began: Resume, after sleep_ms(), goes on behind it
  };

  // `parameters` by slot; an absent one has no value (`Undefined parameter: @x` where it is read).
  // Program, parameters and host must outlive the run.
  void Start(const Program& program, std::span<const std::optional<std::string_view>> parameters,
             hlc::Stamp stamp, Host& host);

  // After WriteResult: goes on with a further program of the same run. The steps of all count
  // together, and their results have to fit together.
  void Continue(const Program& program,
                std::span<const std::optional<std::string_view>> parameters);

  // Runs at most about `step_budget` more steps (one instruction may overshoot by the size of what
  // it works on). A run that has used base::kRunStepsMax in all fails with "Step limit exceeded:
  // 10000000".
  State Resume(std::uint64_t step_budget);

  std::uint64_t steps() const { return run_.evaluation.steps(); }
  // After kSleeping: from 1 to base::kSleepMsMax.
  std::int64_t sleep_ms() const { return run_.sleep_ms; }

  // After kFinished: false when the run failed (error() says why) and nothing may be applied.
  bool succeeded() const { return has_succeeded_; }
  const model::ScriptError& error() const { return run_.evaluation.error(); }
  // After kFinished and succeeded(): whether the script wants its writes kept. If not, whoever runs
  // it drops them and answers "Transaction aborted" (Code::kRolledBack). `rollback` does not want
  // them; the end of a `begin` block without `commit` only with autoCommit; any other end does.
  bool wants_commit() const {
    const bool is_decided = run_.ending != Ending::kEnd;
    if (is_decided) return run_.ending == Ending::kCommit;
    return !run_.program->is_transaction() || CommitsAtItsEnd();
  }
  // After kFinished and succeeded(): fills type, values and truncated (language.md 6.9); leaves
  // stamp, applied and code alone. False when the result would exceed base::kResultBytesMax; then
  // error() is "Result too large" (Code::kLimit) with the line of the statement that answered.
  bool WriteResult(model::Result& result);

 private:
  bool CommitsAtItsEnd() const;
  // Ends the run with the evaluation's failure, which the instruction at `place` met.
  State Fail(std::uint32_t place);

  RunState run_;
  bool is_finished_ = true;
  bool has_succeeded_ = false;
};

}  // namespace palena::script
