#pragma once

// Several scripts as one run, on palena::Node and palena::Client alike:
//
//   palena::Many many;
//   many.calls = {{kTake, {{"@key", "user/7"}, {"@limit", "10"}}},
//                 {kTake, {{"@key", "tenant/3"}, {"@limit", "1000"}}}};
//   palena::ManyResult r = node->ExecuteMany(many);
//   if (!r.ok()) …                  // failed: r.verdict.reason, which names the call
//   else if (!r.is_applied()) …     // refused by the calls in r.refused
//
// All of them run at one instant, over the keys of all, one after the other, each seeing what those
// before it wrote, wherever the keys live. A required call passes when the first value that it
// answers is 1, the integer or its text. When all required calls pass, everything that any call
// wrote is applied; otherwise nothing is. Every call is run in either case, so that the answer says
// of each whether it would pass. An error, a limit, a timeout or a `rollback` in any call fails the
// whole. `commit` ends its script as `return` does. `begin` blocks are refused.
//
// Limits of a run (steps, buffered bytes, time, size of the answer) are those of the whole.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "palena/result.h"

namespace palena {

struct ManyCall {
  std::string script;
  Parameters parameters = {};
  // False: its answer decides nothing. What it writes is applied when the rest is.
  bool is_required = true;
};

struct Many {
  std::vector<ManyCall> calls;  // 1 to 32
  // Run instead when a required call refused: in the same run, on the state as it was before the
  // calls. What these write is never applied. At most 32. For asking what could be had.
  std::vector<ManyCall> otherwise = {};
  std::int64_t timeout_ms = 0;  // of the whole; 0: the default of 5 s
};

struct ManyResult {
  Result verdict;  // without values; `applied` says whether the calls were
  // One per call, as if it had been alone; none after a failure.
  std::vector<Result> calls;
  std::vector<Result> otherwise;     // one per call of that list, when it was run
  std::vector<std::size_t> refused;  // places in `calls` of the required ones that did not pass
  // After a failure: the call that failed, counted on through the other list; nullopt when it was
  // none in particular.
  std::optional<std::size_t> failed;

  // The calls were run to their ends, whether they passed or not.
  bool ok() const { return verdict.ok(); }
  bool is_applied() const { return verdict.applied == Applied::kYes; }
};

}  // namespace palena
