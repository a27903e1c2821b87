#pragma once

#include <optional>
#include <ostream>

#include "CLI/CLI.hpp"

namespace palena::app {

// Parses the command line of a program. Nothing: go on. Otherwise the program ends with this exit
// status: 0 after help or the version on `out`, 2 (bad usage) after one line on `err` that says
// what is wrong and where to look.
std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv, std::ostream& out,
                         std::ostream& err);

}  // namespace palena::app
