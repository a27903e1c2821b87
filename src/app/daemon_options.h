#pragma once

#include <cstddef>
#include <string>

#include "palena/options.h"

namespace palena::app {

// What the flags of palenad (or its --config file) say.
struct DaemonOptions {
  std::string listen = "127.0.0.1:7400";
  bool is_insecure = false;
  std::size_t connections_max = 1000;
  NodeOptions node;
  // Tiny internal capacities (base/capacities.h), for tests; --help does not show it.
  bool is_hostile = false;
};

struct ParseOutcome {
  bool ends = false;  // --help, --version, or bad usage: the program ends with this exit code
  int exit_code = 0;
};

// Prints help, version or the one line that says what is wrong with the usage.
ParseOutcome ParseDaemonOptions(int argc, char** argv, DaemonOptions& options);

}  // namespace palena::app
