// palena-bench: load for a node, and figures of how it fared.

#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "app/bench_options.h"
#include "app/bench_report.h"
#include "app/bench_run.h"
#include "app/cli_parameters.h"
#include "app/exit_status.h"
#include "app/open_files.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/script_file.h"
#include "app/stop_signals.h"

namespace palena::app {
namespace {

int Fail(const std::string& message, int exit_status) {
  std::cerr << "palena-bench: " << message << std::endl;
  return exit_status;
}

int ExitStatusOf(const base::Status& status) {
  return status.code() == base::StatusCode::kUnavailable ? kExitNoConnection : kExitFailed;
}

// A plain command has none.
StatusOr<std::string> ReadScript(const BenchOptions& options) {
  if (options.script_file.empty()) return std::string();
  return ReadScriptFile({options.script_file, options.persistent}, std::cin);
}

// Of a script for Palena; those of one for Redis have no names.
std::string WrongParameters(const BenchOptions& options, const std::string& script) {
  if (options.target != BenchTarget::kPalena) return {};
  const std::vector<std::string> names = NamesOf(options.templates);
  const std::string missing = MissingParameter(script, names);
  return missing.empty() ? UnknownParameter(script, names) : missing;
}

int Show(const BenchReport& report, const BenchOptions& options) {
  if (options.json) {
    std::cout << ReportJson(report, options) << std::endl;
  } else {
    PrintReport(report, options, std::cout);
  }
  if (report.has_lost_all) {
    return Fail(absl::StrFormat("all connections to %s were lost, after %.2f s: %s",
                                options.connect, report.seconds, report.tally.first_failure),
                kExitNoConnection);
  }
  return report.is_all_ok() ? kExitAnswered : kExitFailed;
}

int Main(int argc, char** argv) {
  const BenchParse parse = ParseBench(argc, argv, std::cout, std::cerr);
  if (!parse.options) return parse.exit_status;
  const BenchOptions& options = *parse.options;
  const StatusOr<std::string> script = ReadScript(options);
  if (!script.ok()) return Fail(script.status().message(), kExitUsage);
  const base::StatusOr<net::Address> address = net::ParseAddress(options.connect);
  if (!address.ok()) {
    return Fail("--connect: " + std::string(address.status().message()), kExitUsage);
  }
  if (const std::string wrong = WrongParameters(options, *script); !wrong.empty()) {
    return RefuseUsage("palena-bench", wrong, std::cerr);
  }
  RaiseOpenFilesLimit();
  const StopSignals stop = StopSignals::Block();
  BenchRun run(
      options, *address, *script, [&stop](std::int64_t ns) { return stop.WaitFor(ns); },
      isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr);
  const base::StatusOr<BenchReport> report = run.Run();
  if (!report.ok()) {
    return Fail(std::string(report.status().message()), ExitStatusOf(report.status()));
  }
  return Show(*report, options);
}

}  // namespace
}  // namespace palena::app

int main(int argc, char** argv) {
  return palena::app::Finish("palena-bench", palena::app::Main(argc, argv), std::cout, std::cerr);
}
