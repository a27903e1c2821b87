#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/call.h"
#include "engine/program_cache.h"
#include "engine/router.h"
#include "model/request.h"
#include "model/result.h"
#include "model/script_or.h"
#include "script/program.h"

namespace palena::engine {

// The programs of a run of several: which they are, how far the run is, and what they have
// answered. First the calls; then, when one that is required did not answer 1, those of the other
// list.
class Series {
 public:
  Series();
  ~Series();

  struct Member {
    ProgramPtr program;
    bool is_required = true;
    std::size_t first_parameter = 0;  // of the run's
    std::size_t first_slot = 0;       // of the run's keys
  };

  // Finds the programs of `call`. Fails for what cannot be run as one of several: too many calls,
  // or a `begin` block, whose options are for a run of its own.
  template <typename Cache>
  std::optional<model::ScriptError> Find(Cache& cache, const ManyCall& call) {
    if (auto error = CheckSizes(call)) return error;
    calls_ = call.calls.size();
    members_.reserve(calls_ + call.otherwise.size());
    for (const ProgramCall& one : call.calls) {
      if (auto error = FindOne(cache, one)) return error;
    }
    for (const ProgramCall& one : call.otherwise) {
      if (auto error = FindOne(cache, one)) return error;
    }
    current_ = kNone;
    return std::nullopt;
  }

  std::vector<Member>& members() { return members_; }
  // The member that is blamed for an error from now on.
  void Point(std::size_t place) { current_ = static_cast<std::int32_t>(place); }
  bool IsBeforeFirst() const { return current_ == kNone && !is_complete_; }
  // The failure as the answer of the whole: tells which member failed.
  model::Result Failure(const model::ScriptError& error) const;

  // The member at work has answered.
  void Take(model::Result answer);
  // The next to run; null when that was the last.
  const Member* Next();
  bool IsFirstOfOthers() const { return static_cast<std::size_t>(current_) == calls_; }
  // The calls are through, and one that is required did not answer 1.
  bool IsRefused() const { return has_run_calls_ && !results_.refused.empty(); }
  // Whether all have answered; then the answer of the whole, all of one `stamp`.
  bool IsComplete() const { return is_complete_; }
  model::Result Answer(hlc::Stamp stamp);

 private:
  static constexpr std::int32_t kNone = -1;

  static std::optional<model::ScriptError> CheckSizes(const ManyCall& call);
  static ProgramPtr Own(const script::Program* program) { return program->shared_from_this(); }
  static ProgramPtr Own(ProgramPtr program) { return program; }

  template <typename Cache>
  std::optional<model::ScriptError> FindOne(Cache& cache, const ProgramCall& call) {
    Point(members_.size());
    auto program = FindProgram(cache, call);
    if (!program.ok()) return program.error();
    members_.push_back({Own(*std::move(program)), call.is_required});
    return CheckLast();
  }
  std::optional<model::ScriptError> CheckLast() const;
  bool IsAmongCalls() const { return static_cast<std::size_t>(current_) < calls_; }

  std::vector<Member> members_;  // the calls, then the others
  std::size_t calls_ = 0;
  std::int32_t current_ = kNone;
  bool has_run_calls_ = false;
  bool is_complete_ = false;
  model::ManyResults results_;
};

}  // namespace palena::engine
