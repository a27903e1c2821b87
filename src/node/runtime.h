#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "base/thread_executor.h"
#include "engine/engine.h"
#include "hlc/node_clock.h"
#include "net/loop.h"
#include "palena/options.h"
#include "store/commit_log.h"

namespace palena::node {

// A running node without its doors: recovery, threads, clock, log and engine, built and owned here.
// palena::Node puts a callback in front of it, a server its protocols.
class Runtime {
 public:
  // Checks the options, recovers the data directory and starts the threads. `clock` outlives the
  // runtime. `on_failure` is called at most once, on the log's thread, when the log has failed and
  // the process should end. InvalidArgument, FailedPrecondition, PermissionDenied, DataLoss as in
  // palena/node.h, each one line.
  static base::StatusOr<std::unique_ptr<Runtime>> Open(
      const NodeOptions& options, const base::Clock& clock,
      std::function<void(const base::Status&)> on_failure);
  // Stop().
  ~Runtime();

  engine::Engine& engine() { return *engine_; }
  // One per shard, in order.
  std::vector<net::Loop*> loops();
  std::uint16_t node_id() const { return options_.node_id; }
  // New at every start.
  std::uint64_t boot_id() const { return boot_id_; }

  // Refuses new requests, waits for what is in flight (at most `patience_ms`), and ends the
  // threads: nothing calls back afterwards. True when everything was answered. Not from a thread of
  // the runtime. Idempotent. Engine and loops stay, at rest, until the runtime is destroyed.
  bool Stop(std::int64_t patience_ms);

 private:
  Runtime(const NodeOptions& options, const base::Clock& clock);
  base::Status OpenLog();
  void StartEngine(std::function<void(const base::Status&)> on_failure);
  void Discipline();

  const NodeOptions options_;
  const base::Clock& clock_;
  const std::uint64_t boot_id_;
  bool is_stopped_ = false;

  // In the order in which they are built.
  std::unique_ptr<base::ThreadExecutor> log_thread_;
  std::unique_ptr<store::CommitLog> log_;
  std::unique_ptr<base::ThreadExecutor> reader_;
  std::unique_ptr<hlc::NodeClock> node_clock_;
  std::vector<std::unique_ptr<net::Loop>> loops_;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace palena::node
