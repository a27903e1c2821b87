#include "app/daemon.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>

#include "app/daemon_doors.h"
#include "app/named_limits.h"
#include "app/stop_signals.h"
#include "base/capacities.h"
#include "base/clock.h"
#include "node/runtime.h"

namespace palena::app {
namespace {

constexpr int kStoppedAtOnce = 1;
constexpr int kCannotStart = 2;
constexpr int kDamaged = 3;
constexpr int kWriteFailed = 70;
constexpr int kDiskFull = 71;
constexpr std::int64_t kDrainPatienceMs = 4'500;

int Complain(const base::Status& status) {
  std::fprintf(stderr, "palenad: %s\n", std::string(status.message()).c_str());
  return status.code() == base::StatusCode::kDataLoss ? kDamaged : kCannotStart;
}

// After a failed write or sync nothing may be answered any more: the process ends at once, and the
// next start recovers what was durable.
void DieOfFailedLog(const base::Status& status) {
  std::fprintf(stderr, "palenad: the commit log failed, stopping: %s\n",
               std::string(status.message()).c_str());
  _exit(status.code() == base::StatusCode::kResourceExhausted ? kDiskFull : kWriteFailed);
}

[[noreturn]] void EndAtOnce() {
  std::fputs("palenad: a second signal, stopped at once: what was not answered may be lost\n",
             stderr);
  _exit(kStoppedAtOnce);
}

// Whoever asks twice does not want to wait.
void ExitOnSecondSignal(const StopSignals& stop) {
  if (stop.WaitFor(0)) EndAtOnce();  // both came together
  std::thread([stop] {
    stop.Wait();
    EndAtOnce();
  }).detach();
}

}  // namespace

int RunDaemon(const DaemonOptions& options) {
  StopSignals stop = StopSignals::Block();
  if (!options.limits.empty()) stop.BlockHangup();
  std::signal(SIGPIPE, SIG_IGN);
  base::StatusOr<DaemonDoors> chosen = DaemonDoors::Choose(options);
  if (!chosen.ok()) return Complain(chosen.status());
  base::StatusOr<NamedLimits> named = NamedLimits::Read(options.limits);
  if (!named.ok()) return Complain(named.status());

  const base::SystemClock clock;
  const auto capacities = options.is_hostile ? base::Capacities::Hostile() : base::Capacities{};
  NodeOptions node_options = options.node;
  if (options.is_hostile) node_options.fast_path = false;
  auto runtime = node::Runtime::Open(node_options, clock, DieOfFailedLog, capacities);
  if (!runtime.ok()) return Complain(runtime.status());

  named->Serve(**runtime);

  DaemonDoors doors = *std::move(chosen);
  base::Status serves = doors.Open(**runtime, named->service());
  if (serves.ok()) serves = doors.PrintReady(**runtime);
  if (!serves.ok()) {
    doors.BeginToStop();
    (*runtime)->Stop(kDrainPatienceMs);
    return Complain(serves);
  }

  while (stop.WaitForHangup()) named->Reload();
  ExitOnSecondSignal(stop);
  doors.BeginToStop();
  if (!(*runtime)->Stop(kDrainPatienceMs)) {
    std::fprintf(stderr, "palenad: stopped before every request was answered\n");
  }
  return 0;
}

}  // namespace palena::app
