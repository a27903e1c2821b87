#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/status.h"
#include "limits/limit_service.h"
#include "net/loop.h"
#include "node/runtime.h"
#include "server/http_door.h"

namespace palena::server {

struct HttpServerOptions {
  net::Address address;
  std::size_t connections_max = base::kHttpConnectionsMax;
  std::string server_version;
  // Deadlines and bounds of a connection; the defaults are those of base/limits.h. What is an
  // internal capacity (base/capacities.h) comes from the runtime.
  net::SessionOptions session = DefaultSessionOptions();
  // Connections of the node's other doors, for /metrics. Any thread; outlives the runtime's
  // threads.
  std::function<std::vector<DoorMetrics>()> other_doors = [] { return std::vector<DoorMetrics>(); };

  static net::SessionOptions DefaultSessionOptions();
};

// HTTP of a node: a listener, and a door on every shard's thread. docs/http.md.
class HttpServer {
 public:
  // Unavailable, naming the address, when it cannot be bound. Runtime and limits outlive the
  // server's use of them: stop the runtime first, then destroy the server.
  static base::StatusOr<std::unique_ptr<HttpServer>> Open(const HttpServerOptions& options,
                                                          node::Runtime& runtime,
                                                          limits::LimitService& limits);

  // With the port that was picked when 0 was asked for.
  net::Address address() const { return listener_->address(); }
  // What /readyz says; false at first.
  void SetReady(bool is_ready) { node_.is_ready.store(is_ready); }
  void StopAccepting() { listener_->StopAccepting(); }
  net::ListenerStats stats() const { return listener_->stats(); }

 private:
  HttpServer(const HttpServerOptions& options, node::Runtime& runtime,
             limits::LimitService& limits);
  HttpServerMetrics CollectMetrics() const;

  const HttpServerOptions options_;
  const std::uint16_t node_id_;
  HttpNode node_;
  std::vector<std::unique_ptr<HttpDoor>> doors_;
  std::unique_ptr<net::Listener> listener_;
  // Connections come in, and ask for metrics, before Open() has returned: set once it is there.
  std::atomic<const net::Listener*> metrics_listener_{nullptr};
};

}  // namespace palena::server
