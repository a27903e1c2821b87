#pragma once

// Histories of revisions and stamps: of each key the revisions count its commits, and stamps order
// runs as real time does.

#include <cstdint>
#include <vector>

#include "isolation/history.h"
#include "palena/result.h"

namespace palena::isolation {

// One key that a committed run wrote (the revision it made) or read (the one it found).
struct Touch {
  int key = 0;
  bool writes = false;
  std::int64_t revision = 0;
  Interval time;
  Stamp stamp;
};

// Refuses: two writes of one revision, a revision that nobody wrote between two that somebody did,
// stamps that fall where revisions rise, a reader stamped before the write that it read or after
// the next one; and, for A answered before B began: a revision of A above B's, or not below it when
// B wrote, or a stamp of A that is not below B's, whatever their keys.
Findings CheckRevisions(const std::vector<Touch>& touches);

Weight Weigh(const std::vector<Touch>& touches);

}  // namespace palena::isolation
