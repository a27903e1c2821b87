#pragma once

#include <ostream>
#include <string>

namespace palena::app {

// The end of a program: `exit_status`, or kExitOutput and a line on `err` when what it printed on
// `out` could not be written: the disk is full, or the file is closed.
int Finish(const std::string& program, int exit_status, std::ostream& out, std::ostream& err);

}  // namespace palena::app
