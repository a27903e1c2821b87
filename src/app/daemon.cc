#include "app/daemon.h"

#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "app/named_limits.h"
#include "app/stop_signals.h"
#include "base/capacities.h"
#include "base/clock.h"
#include "node/runtime.h"
#include "server/native_server.h"

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

base::StatusOr<net::Address> ListenAddress(const DaemonOptions& options) {
  base::StatusOr<net::Address> parsed = net::ParseAddress(options.listen);
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("--listen: ", parsed.status().message()));
  }
  net::Address address = *std::move(parsed);
  if (!net::IsLoopback(address) && !options.is_insecure) {
    return absl::InvalidArgumentError(
        "--listen " + options.listen +
        " is reachable from other machines, and there is no authentication yet: use a loopback "
        "address, or add --insecure");
  }
  return address;
}

base::Status PrintReady(const server::NativeServer& server, node::Runtime& runtime) {
  std::printf("ready listen=%s node_id=%u boot_id=%016" PRIx64 " shards=%u\n",
              net::FormatAddress(server.address()).c_str(), unsigned{runtime.node_id()},
              runtime.boot_id(), runtime.engine().shards());
  if (std::fflush(stdout) == 0) return base::Ok();
  return absl::UnavailableError(
      absl::StrCat("the ready line cannot be written to standard output: ", std::strerror(errno)));
}

base::Status NameListen(const base::Status& status) {
  return {status.code(), absl::StrCat("--listen: ", status.message(),
                                      "; name another address, or stop what "
                                      "serves there")};
}

}  // namespace

int RunDaemon(const DaemonOptions& options) {
  StopSignals stop = StopSignals::Block();
  if (!options.limits.empty()) stop.BlockHangup();
  std::signal(SIGPIPE, SIG_IGN);
  base::StatusOr<net::Address> address = ListenAddress(options);
  if (!address.ok()) return Complain(address.status());
  base::StatusOr<NamedLimits> named = NamedLimits::Read(options.limits);
  if (!named.ok()) return Complain(named.status());

  const base::SystemClock clock;
  const auto capacities = options.is_hostile ? base::Capacities::Hostile() : base::Capacities{};
  NodeOptions node_options = options.node;
  if (options.is_hostile) node_options.fast_path = false;
  auto runtime = node::Runtime::Open(node_options, clock, DieOfFailedLog, capacities);
  if (!runtime.ok()) return Complain(runtime.status());
  named->Serve(**runtime);

  server::NativeServerOptions server_options;
  server_options.address = *address;
  server_options.connections_max = options.connections_max;
  server_options.server_version = PALENA_VERSION;
  server_options.limits = &named->service();
  auto server = server::NativeServer::Open(server_options, **runtime);
  if (!server.ok()) {
    (*runtime)->Stop(kDrainPatienceMs);
    return Complain(NameListen(server.status()));
  }
  if (const base::Status printed = PrintReady(**server, **runtime); !printed.ok()) {
    (*server)->StopAccepting();
    (*runtime)->Stop(kDrainPatienceMs);
    return Complain(printed);
  }

  while (stop.WaitForHangup()) named->Reload();
  ExitOnSecondSignal(stop);
  (*server)->StopAccepting();
  if (!(*runtime)->Stop(kDrainPatienceMs)) {
    std::fprintf(stderr, "palenad: stopped before every request was answered\n");
  }
  return 0;
}

}  // namespace palena::app
