#pragma once

// Random reads and writes of few keys, recorded for CheckRevisions.

#include <vector>

#include "isolation/load.h"
#include "isolation/revision_checker.h"

namespace palena::isolation {

struct RevisionRecord {
  std::vector<Touch> touches;
  Findings unexpected;  // answers that no run may give
};

// Runs the load and waits for its end; ends early at an answer that is not to be.
RevisionRecord RecordRevisions(const Setting& setting, Node& node);

}  // namespace palena::isolation
