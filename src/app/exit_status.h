#pragma once

namespace palena::app {

// Exit statuses of `palena` and `palena-bench`, a contract. Those of palenad differ (daemon.cc),
// but for help and usage it has these.
enum ExitStatus : int {
  kExitAnswered = 0,
  kExitFailed = 1,
  kExitUsage = 2,
  kExitNoConnection = 3,
  kExitOutput = 4,  // standard output could not be written; what ran has run
};

}  // namespace palena::app
