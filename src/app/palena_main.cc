// palena: scripts from the command line. Exit statuses and JSON are a contract: exit_status.h,
// cli_json.h. Signals keep their defaults: Ctrl-C ends it, and so does a reader that went away.

#include <unistd.h>

#include <iostream>

#include "app/cli_commands.h"
#include "app/cli_options.h"
#include "app/output.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const palena::app::CliParse parse = palena::app::ParseCli(argc, argv, std::cout, std::cerr);
  if (!parse.options) {
    return palena::app::Finish("palena", parse.exit_status, std::cout, std::cerr);
  }
  const palena::app::Printer printer{std::cout, std::cerr, isatty(STDOUT_FILENO) != 0};
  const int exit_status = palena::app::RunCli(*parse.options, std::cin, printer);
  return palena::app::Finish("palena", exit_status, std::cout, std::cerr);
}
