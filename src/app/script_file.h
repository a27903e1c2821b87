#pragma once

#include <istream>
#include <string>

#include "palena/status.h"

namespace palena::app {

struct ScriptFile {
  std::string name;            // "-": standard input
  bool is_persistent = false;  // work on persistent keys: eset becomes set, and so on
};

// The text of a script file. kInvalidArgument naming the file and why. Stops a little beyond what a
// request may hold: the node refuses such a text whatever follows.
StatusOr<std::string> ReadScriptFile(const ScriptFile& file, std::istream& standard_input);

}  // namespace palena::app
