#pragma once

#include "app/daemon_options.h"

namespace palena::app {

// Runs a node until SIGTERM or SIGINT; the exit status of palenad. Call it from the first thread,
// before there are others: it blocks the signals that it waits for.
int RunDaemon(const DaemonOptions& options);

}  // namespace palena::app
