#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/capacities.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/hash.h"
#include "engine/program_cache.h"
#include "engine/shard.h"
#include "hlc/node_clock.h"
#include "hlc/shard_clock.h"
#include "store/commit_log.h"
#include "store/table.h"

namespace palena::engine {

struct EngineOptions {
  std::uint16_t node = 1;
  bool fast_path = true;
  store::TableOptions table;                  // per shard
  std::size_t open_runs_max = 65'536;         // per shard
  std::size_t open_transactions_max = 4'096;  // per shard
  base::Capacities capacities;
};

// Owned by the composition root; all of it outlives the engine's use of its executors.
struct EngineParts {
  const base::Clock* clock = nullptr;
  const hlc::NodeClock* node_clock = nullptr;
  store::CommitLog* log = nullptr;
  base::Executor* reader = nullptr;        // blocking reads
  std::vector<base::Executor*> executors;  // one per shard
  base::KeyedHash hash;
};

struct Metric {
  std::string name;
  std::int64_t value = 0;
};

// The engine of a node: its shards, and what they share. Thread rules are those of Shard.
class Engine final : private store::CommitLogListener {
 public:
  // `on_failure` is called at most once, on the log's thread, when the commit log has failed: no
  // waiting reply will ever be sent, and the process should end.
  Engine(const EngineOptions& options, EngineParts parts,
         std::function<void(const base::Status&)> on_failure);
  // The executors must have stopped before.
  ~Engine() override;

  // Starts the shards' clockwork.
  void Start();

  unsigned shards() const { return static_cast<unsigned>(shards_.size()); }
  Shard& shard(unsigned index) { return *shards_[index]; }

  // From any thread but a shard's. The answer comes on a shard's thread, or, when the request is
  // refused before it reaches one, before this returns.
  void ExecuteFromOutside(const Call& call);
  void ExecuteFromOutside(const ManyCall& call);
  model::ScriptOr<ProgramPtr> Prepare(std::string_view text) {
    return programs_.FindOrCompile(text);
  }

  // The caller of this lane is gone: its runs that have not begun are dropped. Any thread.
  void DropLane(std::uint64_t lane);

  // Gathers every counter, one turn of each shard; `done` is called on some shard's thread. Any
  // thread.
  void CollectMetrics(std::function<void(std::vector<Metric>)> done);

  // New requests are refused (DRAINING) from now on; `done` is called on some shard's thread when
  // everything in flight has been answered. Any thread.
  void Drain(std::function<void()> done);

 private:
  struct Gathering;

  void OnDurable(store::Sequence sequence, hlc::HybridTime bound) override;
  void Submit(std::unique_ptr<Run> run);
  void OnFailed(const base::Status& status) override;
  void WhenAllIdle(std::function<void()> done);
  void AddNodeMetrics(std::vector<Metric>& metrics) const;

  const EngineOptions options_;
  const EngineParts parts_;
  hlc::StampFloor floor_;
  Watermark watermark_;
  ProgramCache programs_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<unsigned> next_keyless_{0};  // spreads scripts without keys from outside
  std::atomic<bool> is_draining_{false};
  const std::function<void(const base::Status&)> on_failure_;
};

}  // namespace palena::engine
