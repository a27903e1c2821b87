#pragma once

#include <istream>
#include <string>

#include "palena/status.h"

namespace palena::app {

// The text of a script file; "-" reads `standard_input`. kInvalidArgument naming the file and why.
// Stops a little beyond what a request may hold: the node refuses such a text whatever follows.
StatusOr<std::string> ReadScriptFile(const std::string& file, std::istream& standard_input);

}  // namespace palena::app
