#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/capacities.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/status.h"
#include "engine/engine.h"
#include "hlc/node_clock.h"
#include "palena/options.h"
#include "store/commit_log.h"

namespace palena::node {

// Where the work of a node runs. Not owned; one executor may serve for all of them.
struct Workplaces {
  base::Executor* log = nullptr;        // batches of commits, synced
  base::Executor* reader = nullptr;     // blocking reads, and between them trimming of history
  std::vector<base::Executor*> shards;  // as many as NodeOptions::shards
  base::Capacities capacities = {};     // how much of it in one go
};

// A node without its threads: recovery, clock, log and engine, built over executors that the owner
// lets run. Runtime owns threads for them, InlineNode has the caller's.
class Core {
 public:
  // `options` are complete. Recovers the data directory and starts the clockwork. `clock` and the
  // executors outlive the core. `on_failure` is called at most once, on the log's executor, when
  // the log has failed. FailedPrecondition, PermissionDenied, DataLoss as in palena/node.h.
  static base::StatusOr<std::unique_ptr<Core>> Open(
      const NodeOptions& options, const base::Clock& clock, const Workplaces& workplaces,
      std::function<void(const base::Status&)> on_failure);

  engine::Engine& engine() { return *engine_; }

  // Writes what was queued. The shards and the reader have stopped for good before; the log's
  // executor has not.
  void CloseLog() { log_.reset(); }

 private:
  Core(const NodeOptions& options, const base::Clock& clock, const Workplaces& workplaces)
      : options_(options), clock_(clock), workplaces_(workplaces) {}
  base::Status OpenLog();
  void StartEngine(std::function<void(const base::Status&)> on_failure);
  void Discipline();
  // One step of the trimming of history, and when to make the next.
  void TrimHistory();
  void TrimHistoryAfter(std::int64_t delay_ns);

  const NodeOptions options_;
  const base::Clock& clock_;
  const Workplaces workplaces_;

  // In the order in which they are built.
  std::unique_ptr<store::CommitLog> log_;
  std::unique_ptr<hlc::NodeClock> node_clock_;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace palena::node
