#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/capacities.h"
#include "base/clock.h"
#include "base/status.h"
#include "base/thread_executor.h"
#include "engine/engine.h"
#include "net/loop.h"
#include "node/core.h"
#include "palena/options.h"

namespace palena::node {

// A running node without its doors: a core and the threads that it runs on. palena::Node puts
// callbacks in front of it, a server its protocols.
class Runtime {
 public:
  // Checks the options, recovers the data directory and starts the threads. `clock` outlives the
  // runtime. `on_failure` is called at most once, on the log's thread, when the log has failed and
  // the process should end. InvalidArgument, FailedPrecondition, PermissionDenied, DataLoss as in
  // palena/node.h, each one line.
  static base::StatusOr<std::unique_ptr<Runtime>> Open(
      const NodeOptions& options, const base::Clock& clock,
      std::function<void(const base::Status&)> on_failure, const base::Capacities& capacities = {});
  // Stop().
  ~Runtime();

  engine::Engine& engine() { return core_->engine(); }
  // One per shard, in order.
  std::vector<net::Loop*> loops();
  const base::Capacities& capacities() const { return capacities_; }
  std::uint16_t node_id() const { return node_id_; }
  // New at every start.
  std::uint64_t boot_id() const { return boot_id_; }

  // Refuses new requests, waits for what is in flight (at most `patience_ms`), and ends the
  // threads: nothing calls back afterwards. True when everything was answered. Not from a thread of
  // the runtime. Idempotent. Engine and loops stay, at rest, until the runtime is destroyed.
  bool Stop(std::int64_t patience_ms);

 private:
  Runtime(const NodeOptions& options, const base::Clock& clock, const base::Capacities& capacities);

  const base::Capacities capacities_;
  const std::uint16_t node_id_;
  const std::uint64_t boot_id_;
  bool is_stopped_ = false;

  // In the order in which they are built.
  std::unique_ptr<base::ThreadExecutor> log_thread_;
  std::unique_ptr<base::ThreadExecutor> reader_;
  std::vector<std::unique_ptr<net::Loop>> loops_;
  std::unique_ptr<Core> core_;  // null until it is open
};

}  // namespace palena::node
