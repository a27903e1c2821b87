// palenad: builds a node and its doors from flags, and waits for a signal.

#include <iostream>

#include "app/daemon.h"
#include "app/daemon_options.h"
#include "app/open_files.h"
#include "app/output.h"

int main(int argc, char** argv) {
  palena::app::DaemonOptions options;
  const palena::app::ParseOutcome outcome = palena::app::ParseDaemonOptions(argc, argv, options);
  if (outcome.ends) {
    return palena::app::Finish("palenad", outcome.exit_code, std::cout, std::cerr);
  }
  palena::app::RaiseOpenFilesLimit();
  return palena::app::RunDaemon(options);
}
