#pragma once

#include <istream>
#include <string>

#include "app/cli_options.h"
#include "app/cli_print.h"
#include "app/exit_status.h"
#include "palena/client.h"

namespace palena::app {

// Does what the command line asks for and says how it went.
ExitStatus RunCli(const CliOptions& options, std::istream& in, const Printer& printer);

// The single steps, which an interactive session takes too.
ExitStatus Execute(Client& client, const std::string& script, const CliOptions& options,
                   const Printer& printer);
ExitStatus Ping(Client& client, const CliOptions& options, const Printer& printer);
ExitStatus ShowInfo(Client& client, const CliOptions& options, const Printer& printer);

}  // namespace palena::app
