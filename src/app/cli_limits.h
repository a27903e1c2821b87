#pragma once

#include "app/cli_limits_options.h"
#include "app/cli_print.h"
#include "app/exit_status.h"
#include "palena/client.h"
#include "palena/named_limits.h"

namespace palena::app {

// `palena limits …` on a node: everything but check. `timeout_ms` as of every run.
ExitStatus RunLimits(Client& client, const LimitsOptions& options, const ExecuteOptions& execute,
                     bool json, const Printer& printer);

// `palena limits check FILE`: reads and tries the file as palenad would, without a node. Says
// FILE:LINE: why, or what the limits are.
ExitStatus CheckLimits(const LimitsOptions& options, bool json, const Printer& printer);

}  // namespace palena::app
