// palena-bench: load for a node, and figures of how it fared.

#include <signal.h>
#include <unistd.h>

#include <ctime>
#include <iostream>

#include "app/bench_options.h"
#include "app/bench_report.h"
#include "app/bench_run.h"
#include "app/cli_options.h"
#include "app/script_file.h"

namespace palena::app {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

// Ctrl-C becomes something to wait for; blocked before the first thread begins, so that none is
// hit.
sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

bool WaitForStop(const sigset_t& signals, std::int64_t ns) {
  const timespec timeout{ns / kNsPerSecond, ns % kNsPerSecond};
  return sigtimedwait(&signals, nullptr, &timeout) > 0;
}

int Fail(const std::string& message, int exit_status) {
  std::cerr << "palena-bench: " << message << std::endl;
  return exit_status;
}

int ExitStatusOf(const base::Status& status) {
  switch (status.code()) {
    case base::StatusCode::kUnavailable:
      return kExitNoConnection;
    default:
      return kExitFailed;
  }
}

int Main(int argc, char** argv) {
  const BenchParse parse = ParseBench(argc, argv, std::cout, std::cerr);
  if (!parse.options) return parse.exit_status;
  const BenchOptions& options = *parse.options;
  const StatusOr<std::string> script = ReadScriptFile(options.script_file, std::cin);
  if (!script.ok()) return Fail(script.status().message(), kExitUsage);
  const base::StatusOr<net::Address> address = net::ParseAddress(options.connect);
  if (!address.ok()) return Fail(std::string(address.status().message()), kExitUsage);

  const sigset_t signals = BlockStopSignals();
  BenchRun run(
      options, *address, *script, [&signals](std::int64_t ns) { return WaitForStop(signals, ns); },
      isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr);
  const base::StatusOr<BenchReport> report = run.Run();
  if (!report.ok()) {
    return Fail(std::string(report.status().message()), ExitStatusOf(report.status()));
  }
  if (options.json) {
    std::cout << ReportJson(*report, options) << std::endl;
  } else {
    PrintReport(*report, options, std::cout);
  }
  return report->is_all_ok() ? kExitAnswered : kExitFailed;
}

}  // namespace
}  // namespace palena::app

int main(int argc, char** argv) {
  return palena::app::Main(argc, argv);
}
