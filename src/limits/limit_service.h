#pragma once

// Named limits on a running node: what every door calls. docs/named_limits.md.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/executor.h"
#include "engine/engine.h"
#include "limits/limit_report.h"
#include "limits/limit_set.h"
#include "limits/shard_limits.h"
#include "limits/take_sink.h"
#include "model/result.h"
#include "model/take.h"

namespace palena::limits {

// Where a call comes in: the shard whose thread calls, inside a turn of it, and the connection's
// lane (0: none), as for engine::Shard::ExecuteNow.
struct ComesFrom {
  unsigned shard = 0;
  std::uint64_t lane = 0;
};

// Owned by the composition root; outlives the threads of the node's shards.
class LimitService {
 public:
  // `executors`: one per shard of `engine`, in order. There are no limits until Install().
  LimitService(engine::Engine& engine, std::vector<base::Executor*> executors);
  ~LimitService();

  // `request` is only looked at during the call. From the thread of shard `from.shard`, in a turn.
  void Execute(const model::TakeRequest& request, const ComesFrom& from, const TakeReplyTo& to);
  // Forgets what the parts of `wish` have used of its limit (cost and owner do not matter).
  void Reset(const model::TakeWish& wish, const ComesFrom& from, const TakeReplyTo& to);

  // Puts another set in the place of the present one. Calls in flight end with the one that they
  // began with. Any thread.
  void Install(std::shared_ptr<const LimitSet> set);
  // The present set, never null. Any thread; takes a lock, so not per decision.
  std::shared_ptr<const LimitSet> current() const;

  // Gathers the counters, one turn of each shard; `done` is called on some shard's thread. Any
  // thread.
  void Collect(std::function<void(LimitReport)> done);

 private:
  const std::vector<base::Executor*> executors_;
  mutable std::mutex mutex_;  // guards set_
  std::shared_ptr<const LimitSet> set_;
  std::vector<std::unique_ptr<ShardLimits>> shards_;
};

}  // namespace palena::limits
