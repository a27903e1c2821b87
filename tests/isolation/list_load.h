#pragma once

// Random load on lists, recorded for CheckLists.

#include <string_view>
#include <vector>

#include "isolation/list_checker.h"
#include "isolation/load.h"

namespace palena::isolation {

struct ListHistory {
  std::vector<ListRun> runs;
  Findings unexpected;  // answers that no run may give
};

// Runs the load and waits for its end; ends early at an answer that is not to be.
ListHistory RecordLists(const Setting& setting, Node& node);

// A list's text, "3,17,", as ids; one that nobody has (-1) when it is none.
std::vector<RunId> ParseList(std::string_view text);

}  // namespace palena::isolation
