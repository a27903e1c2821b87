#pragma once

#include <memory>
#include <optional>

#include "app/daemon_options.h"
#include "base/status.h"
#include "limits/limit_service.h"
#include "net/loop.h"
#include "node/runtime.h"
#include "server/http_server.h"
#include "server/native_server.h"

namespace palena::app {

// The doors of a palenad, as its options want them. Gone before the runtime is, which has stopped.
class DaemonDoors {
 public:
  // Where they will be, before a node is opened for them. InvalidArgument, one line. `options`
  // outlive the doors.
  static base::StatusOr<DaemonDoors> Choose(const DaemonOptions& options);

  // Unavailable, naming flag and address.
  base::Status Open(node::Runtime& runtime, limits::LimitService& limits);
  // The line that says that the node serves, and where. Unavailable when it cannot be written.
  base::Status PrintReady(node::Runtime& runtime) const;
  // No new work. HTTP goes on accepting: whoever looks whether the node is ready shall hear that it
  // is not.
  void BeginToStop();

 private:
  base::Status OpenNative(node::Runtime& runtime, limits::LimitService& limits);
  base::Status OpenHttp(node::Runtime& runtime, limits::LimitService& limits);

  const DaemonOptions* options_ = nullptr;
  net::Address native_address_;
  std::optional<net::Address> http_address_;
  std::unique_ptr<server::NativeServer> native_;
  std::unique_ptr<server::HttpServer> http_;
};

}  // namespace palena::app
