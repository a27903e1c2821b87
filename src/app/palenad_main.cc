// palenad: builds a node and its doors from flags, and waits for a signal.

#include <iostream>
#include <optional>

#include "app/daemon.h"
#include "app/daemon_options.h"
#include "app/open_files.h"
#include "app/output.h"

int main(int argc, char** argv) {
  palena::app::DaemonOptions options;
  if (const std::optional<int> ends = palena::app::ParseDaemonOptions(argc, argv, options)) {
    return palena::app::Finish("palenad", *ends, std::cout, std::cerr);
  }
  palena::app::RaiseOpenFilesLimit();
  return palena::app::RunDaemon(options);
}
