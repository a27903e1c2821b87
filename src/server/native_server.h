#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "limits/limit_service.h"
#include "net/loop.h"
#include "node/runtime.h"
#include "server/native_door.h"

namespace palena::server {

struct NativeServerOptions {
  net::Address address;
  std::size_t connections_max = base::kConnectionsMax;
  std::string server_version;
  // The node's named limits, which outlive the server. Null: there are none.
  limits::LimitService* limits = nullptr;
  // Deadlines and bounds of a connection; the defaults are those of base/limits.h. What is an
  // internal capacity (base/capacities.h) comes from the runtime.
  net::SessionOptions session = DefaultSessionOptions();

  static net::SessionOptions DefaultSessionOptions();
};

// The native protocol of a node: a listener, and a door on every shard's thread.
class NativeServer {
 public:
  // Unavailable, naming the address, when it cannot be bound. The runtime outlives the server's use
  // of it: stop the runtime first, then destroy the server.
  static base::StatusOr<std::unique_ptr<NativeServer>> Open(const NativeServerOptions& options,
                                                            node::Runtime& runtime);

  // With the port that was picked when 0 was asked for.
  net::Address address() const { return listener_->address(); }
  void StopAccepting() { listener_->StopAccepting(); }
  net::ListenerStats stats() const { return listener_->stats(); }

 private:
  NativeServer(const NativeServerOptions& options, node::Runtime& runtime);
  void AddMetrics(std::vector<wire::Metric>& metrics) const;

  const NativeServerOptions options_;
  std::unique_ptr<limits::LimitService> no_limits_;  // when the options name none
  std::vector<std::unique_ptr<NativeDoor>> doors_;
  std::unique_ptr<net::Listener> listener_;
  // Connections come in, and ask for metrics, before Open() has returned: set once it is there.
  std::atomic<const net::Listener*> metrics_listener_{nullptr};
};

}  // namespace palena::server
