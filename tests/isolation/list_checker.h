#pragma once

// Histories of runs that read lists and append to them. A list's final order is the order of its
// writers, so everything that a serial order must explain can be read off the lists.

#include <cstdint>
#include <vector>

#include "isolation/history.h"

namespace palena::isolation {

using RunId = std::int32_t;

struct ListStep {
  int key = 0;
  bool appends = false;     // the run's id, after reading
  std::vector<RunId> seen;  // what it read; meaningless unless the run committed
};

struct ListRun {
  RunId id = 0;  // of this run alone
  Fate fate = Fate::kCommitted;
  // A read of the past may begin long before it was asked, and end never: real time then says
  // nothing about it beyond what it is given here.
  Interval time;
  std::vector<ListStep> steps;  // of different keys
};

// Refuses: a read that is no prefix of its list; an id that nobody appended, that a run which was
// not applied appended, or that is there twice; a committed append that is not there, or lies
// elsewhere than its run read; and a cycle (lost update, write skew, fractured read, stale read).
// Lists are as long as the longest read of them, so a history ends with a read of each.
Findings CheckLists(const std::vector<ListRun>& runs);

Weight Weigh(const std::vector<ListRun>& runs);

}  // namespace palena::isolation
