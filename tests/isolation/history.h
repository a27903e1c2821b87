#pragma once

// What every recorded history consists of. Checkers take a history and nothing else, so that a
// hand-written one can show that they refuse what they must (checkers_test.cc).

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace palena::isolation {

// Of a call, on one steady clock: it took effect somewhere between the two.
struct Interval {
  std::int64_t began_ns = 0;
  std::int64_t answered_ns = 0;

  bool EndedBefore(const Interval& other) const { return answered_ns < other.began_ns; }
};

// A run whose answer leaves open what it did makes no history: loads call in process, where each
// call is answered.
enum class Fate { kCommitted, kNotApplied };

// What a checker holds against a history, in sentences; empty: nothing. A checker that can go on
// does, since the second finding often explains the first.
using Findings = std::vector<std::string>;

// What a history must hold before its lack of findings says anything.
struct Floors {
  std::size_t commits = 0;
  std::size_t overlaps = 0;  // pairs of commits on one key, neither of which ended before the other
};

struct Weight {
  std::size_t commits = 0;
  std::size_t overlaps = 0;
};

// Counts the commits, and those of them that overlapped their neighbour on a key.
class Weighing {
 public:
  void AddCommit() { ++commits_; }
  void AddTouch(int key, const Interval& time) { touches_[key].push_back(time); }
  Weight Weigh() const;

 private:
  std::size_t commits_ = 0;
  std::map<int, std::vector<Interval>> touches_;
};

// "No verdict: …" when a history is lighter than its floors.
Findings FloorFindings(const Weight& weight, const Floors& floors);

}  // namespace palena::isolation
