#pragma once

// Runs the cases against whatever can run a script, and reports.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "conformance/answer.h"
#include "conformance/case.h"

namespace palena::conformance {

// How many cases cases.jsonl holds: all of them must pass.
inline constexpr std::size_t kCases = 366;

// A way to run scripts: the engine with a manual clock, a node over TCP. All runs of one runner go
// to one store. Used from one thread.
class Runner {
 public:
  virtual ~Runner() = default;
  // Runs to the end and waits for the answer. A lost connection is an answer too (type "lost"), so
  // that the case fails and the rest still runs.
  virtual Answer Run(const Step& step) = 0;
  // Lets time pass for the store: moves a manual clock, or waits.
  virtual void Sleep(std::int64_t ms) = 0;
};

struct Tally {
  std::size_t passed = 0;
  std::size_t total = 0;
};

struct Report {
  std::map<std::string, Tally> groups;
  std::vector<std::string> failures;  // id, step, script, what differed

  Tally sum() const;
  // Passed and total per group and in all, then the failures.
  std::string ToText() const;
};

// Runs every case; a case ends at its first step that differs.
Report RunCases(std::span<const Case> cases, Runner& runner);

}  // namespace palena::conformance
