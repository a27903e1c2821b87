#include "app/daemon_doors.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace palena::app {
namespace {

// The address that `flag` names.
base::StatusOr<net::Address> DoorAddress(const char* flag, const std::string& text,
                                         bool is_insecure) {
  base::StatusOr<net::Address> parsed = net::ParseAddress(text);
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(flag, ": ", parsed.status().message()));
  }
  net::Address address = *std::move(parsed);
  if (!net::IsLoopback(address) && !is_insecure) {
    return absl::InvalidArgumentError(absl::StrCat(
        flag, " ", text,
        " is reachable from other machines, and there is no authentication yet: use a loopback "
        "address, or add --insecure"));
  }
  return address;
}

base::Status NameFlag(const char* flag, const base::Status& status) {
  return {status.code(), absl::StrCat(flag, ": ", status.message(),
                                      "; name another address, or stop what "
                                      "serves there")};
}

}  // namespace

base::StatusOr<DaemonDoors> DaemonDoors::Choose(const DaemonOptions& options) {
  DaemonDoors doors;
  doors.options_ = &options;
  PALENA_ASSIGN_OR_RETURN(doors.native_address_,
                          DoorAddress("--listen", options.listen, options.is_insecure));
  if (options.http.empty()) return doors;
  PALENA_ASSIGN_OR_RETURN(doors.http_address_,
                          DoorAddress("--http", options.http, options.is_insecure));
  return doors;
}

base::Status DaemonDoors::Open(node::Runtime& runtime, limits::LimitService& limits) {
  PALENA_RETURN_IF_ERROR(OpenNative(runtime, limits));
  return http_address_.has_value() ? OpenHttp(runtime, limits) : base::Ok();
}

base::Status DaemonDoors::OpenNative(node::Runtime& runtime, limits::LimitService& limits) {
  server::NativeServerOptions options;
  options.address = native_address_;
  options.connections_max = options_->connections_max;
  options.server_version = PALENA_VERSION;
  options.limits = &limits;
  auto opened = server::NativeServer::Open(options, runtime);
  if (!opened.ok()) return NameFlag("--listen", opened.status());
  native_ = *std::move(opened);
  return base::Ok();
}

base::Status DaemonDoors::OpenHttp(node::Runtime& runtime, limits::LimitService& limits) {
  server::HttpServerOptions options;
  options.address = *http_address_;
  options.connections_max = options_->http_connections_max;
  options.server_version = PALENA_VERSION;
  options.other_doors = [native = native_.get()] {
    return std::vector<server::DoorMetrics>{{"native", native->stats()}};
  };
  auto opened = server::HttpServer::Open(options, runtime, limits);
  if (!opened.ok()) return NameFlag("--http", opened.status());
  http_ = *std::move(opened);
  http_->SetReady(true);
  return base::Ok();
}

base::Status DaemonDoors::PrintReady(node::Runtime& runtime) const {
  std::printf("ready listen=%s node_id=%u boot_id=%016" PRIx64 " shards=%u",
              net::FormatAddress(native_->address()).c_str(), unsigned{runtime.node_id()},
              runtime.boot_id(), runtime.engine().shards());
  if (http_) std::printf(" http=%s", net::FormatAddress(http_->address()).c_str());
  std::printf("\n");
  if (std::fflush(stdout) == 0) return base::Ok();
  return absl::UnavailableError(
      absl::StrCat("the ready line cannot be written to standard output: ", std::strerror(errno)));
}

void DaemonDoors::BeginToStop() {
  if (native_) native_->StopAccepting();
  if (http_) http_->SetReady(false);
}

}  // namespace palena::app
