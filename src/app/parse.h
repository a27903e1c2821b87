#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "CLI/CLI.hpp"
#include "app/exit_status.h"

namespace palena::app {

// Help texts of at most 100 columns. Before the first subcommand is added.
void UseHelpFormat(CLI::App& app);

// Parses the command line of a program. Nothing: go on. Otherwise the program ends with this exit
// status: 0 after help or the version on `out`, 2 (bad usage) after one line on `err` that says
// what is wrong, what was likely meant, and where to look.
std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv, std::ostream& out,
                         std::ostream& err);

// Refuses how a program is used, with one line on `err`: "palena: WHY (see palena --help)".
// kExitUsage.
ExitStatus RefuseUsage(const std::string& program, const std::string& why, std::ostream& err);

}  // namespace palena::app
