#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "app/cli_limits_options.h"
#include "app/exit_status.h"
#include "palena/result.h"

namespace palena::app {

enum class Command { kNone, kRun, kEval, kBatch, kPing, kInfo, kRepl, kLimits };

struct CliOptions {
  Command command = Command::kNone;
  std::string connect = "127.0.0.1:7400";
  std::int64_t timeout_ms = 0;  // of a run on the server; 0: the server's default
  std::string file;             // run; "-" is standard input
  std::string script;           // eval
  Parameters parameters;        // run, eval
  bool json = false;
  bool persistent = false;   // run
  std::size_t pipeline = 1;  // batch
  LimitsOptions limits;      // limits
};

struct CliParse {
  std::optional<CliOptions> options;
  int exit_status = kExitAnswered;  // without options: help was printed, or what is wrong
};

CliParse ParseCli(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace palena::app
