#include "server/http_server.h"

#include <utility>

namespace palena::server {

// A new connection may be silent: proxies keep some in reserve.
net::SessionOptions HttpServerOptions::DefaultSessionOptions() {
  net::SessionOptions options;
  options.input_timeout_ms = base::kHttpRequestTimeoutMs;
  options.idle_timeout_ms = base::kHttpIdleTimeoutMs;
  options.output_stall_timeout_ms = base::kOutputStallTimeoutMs;
  options.output_pause_bytes = base::kOutputPauseBytes;
  options.output_close_bytes = base::kOutputCloseBytes;
  return options;
}

HttpServer::HttpServer(const HttpServerOptions& options, node::Runtime& runtime,
                       limits::LimitService& limits)
    : options_(options), node_id_(runtime.node_id()) {
  node_.engine = &runtime.engine();
  node_.limits = &limits;
  node_.metrics = [this] { return CollectMetrics(); };
  const std::vector<net::Loop*> loops = runtime.loops();
  for (unsigned i = 0; i < loops.size(); ++i) {
    doors_.push_back(std::make_unique<HttpDoor>(node_, runtime.capacities(), i, *loops[i]));
  }
}

base::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Open(const HttpServerOptions& options,
                                                             node::Runtime& runtime,
                                                             limits::LimitService& limits) {
  std::unique_ptr<HttpServer> server(new HttpServer(options, runtime, limits));
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

HttpServerMetrics HttpServer::CollectMetrics() const {
  HttpServerMetrics metrics;
  metrics.version = options_.server_version;
  metrics.node_id = node_id_;
  metrics.doors = options_.other_doors();
  if (const net::Listener* listener = metrics_listener_.load()) {
    metrics.doors.push_back({"http", listener->stats()});
  }
  for (const std::unique_ptr<HttpDoor>& door : doors_) {
    for (std::size_t digit = 0; digit < metrics.responses.size(); ++digit) {
      metrics.responses[digit] += door->responses(digit);
    }
  }
  return metrics;
}

}  // namespace palena::server
