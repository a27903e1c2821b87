#include "server/native_server.h"

#include <utility>

namespace palena::server {

net::SessionOptions NativeServerOptions::DefaultSessionOptions() {
  net::SessionOptions options;
  options.handshake_timeout_ms = base::kHandshakeTimeoutMs;
  options.input_timeout_ms = base::kFrameTimeoutMs;
  options.output_stall_timeout_ms = base::kOutputStallTimeoutMs;
  options.output_pause_bytes = base::kOutputPauseBytes;
  options.output_close_bytes = base::kOutputCloseBytes;
  return options;
}

NativeServer::NativeServer(const NativeServerOptions& options, node::Runtime& runtime)
    : options_(options) {
  DoorOptions door;
  door.server_version = options.server_version;
  door.node_id = runtime.node_id();
  door.boot_id = runtime.boot_id();
  door.capacities = runtime.capacities();
  const std::vector<net::Loop*> loops = runtime.loops();
  limits::LimitService* named = options.limits;
  if (named == nullptr) {
    no_limits_ = std::make_unique<limits::LimitService>(
        runtime.engine(), std::vector<base::Executor*>(loops.begin(), loops.end()));
    named = no_limits_.get();
  }
  for (unsigned i = 0; i < loops.size(); ++i) {
    doors_.push_back(std::make_unique<NativeDoor>(
        door, runtime.engine(), *named, i, *loops[i],
        [this](std::vector<wire::Metric>& metrics) { AddMetrics(metrics); }));
  }
}

base::StatusOr<std::unique_ptr<NativeServer>> NativeServer::Open(const NativeServerOptions& options,
                                                                 node::Runtime& runtime) {
  std::unique_ptr<NativeServer> server(new NativeServer(options, runtime));
  net::Listener::Options listener;
  listener.address = options.address;
  listener.session = options.session.With(runtime.capacities());
  listener.connections_max = options.connections_max;
  listener.accepted_per_turn = runtime.capacities().accepted_per_turn;
  std::vector<net::Listener::Place> places;
  const std::vector<net::Loop*> loops = runtime.loops();
  for (std::size_t i = 0; i < loops.size(); ++i) {
    places.push_back({loops[i], server->doors_[i].get()});
  }
  PALENA_ASSIGN_OR_RETURN(server->listener_, net::Listener::Open(listener, std::move(places)));
  server->metrics_listener_.store(server->listener_.get());
  return server;
}

void NativeServer::AddMetrics(std::vector<wire::Metric>& metrics) const {
  const net::Listener* listener = metrics_listener_.load();
  if (listener == nullptr) return;
  const net::ListenerStats stats = listener->stats();
  const auto add = [&](std::string name, auto value) {
    metrics.push_back({std::move(name), static_cast<std::int64_t>(value), ""});
  };
  metrics.push_back({"version", 0, options_.server_version});
  add("connections_open", stats.open);
  add("connections_accepted", stats.accepted);
  add("connections_refused", stats.refused);
  for (std::size_t i = 0; i < stats.closed_by_reason.size(); ++i) {
    add("connections_closed_" + std::string(net::CloseReasonName(static_cast<net::CloseReason>(i))),
        stats.closed_by_reason[i]);
  }
}

}  // namespace palena::server
