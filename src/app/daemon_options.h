#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/limits.h"
#include "palena/options.h"

namespace palena::app {

// What the flags of palenad (or its --config file) say.
struct DaemonOptions {
  std::string listen = "127.0.0.1:7400";
  std::string limits;  // file of named limits; empty: there are none
  std::string http;    // empty: no HTTP
  bool is_insecure = false;
  std::size_t connections_max = base::kConnectionsMax;
  std::size_t http_connections_max = base::kHttpConnectionsMax;
  NodeOptions node;
  // Tiny internal capacities (base/capacities.h), for tests; --help does not show it.
  bool is_hostile = false;
};

// Nothing: `options` are filled in. Otherwise palenad ends with this exit status: help, the version
// or the one line that says what is wrong with the usage was printed.
std::optional<int> ParseDaemonOptions(int argc, char** argv, DaemonOptions& options);

}  // namespace palena::app
