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
#include "limits/limit_set.h"
#include "model/result.h"
#include "model/take.h"

namespace palena::limits {

// Where answers go; the pattern of engine::ReplySink.
class TakeSink {
 public:
  virtual ~TakeSink() = default;
  // Exactly once per call, on the thread of the shard that the call came in by; before the call
  // returns when the request is refused or could be decided at once. The sink may move `answer`
  // away.
  virtual void OnTake(std::uint64_t session, std::uint64_t request, model::TakeAnswer& answer) = 0;
  // The answer to a Reset: type deleted, or does_not_exist when nothing was in use; or a failure.
  virtual void OnReset(std::uint64_t session, std::uint64_t request, model::Result& result) = 0;
};

struct TakeReplyTo {
  TakeSink* sink = nullptr;
  std::uint64_t session = 0;
  std::uint64_t request = 0;
};

// Where a call comes in: the shard whose thread calls, inside a turn of it, and the connection's
// lane (0: none), as for engine::Shard::ExecuteNow.
struct ComesFrom {
  unsigned shard = 0;
  std::uint64_t lane = 0;
};

// What was counted for a limit, by name: over reloads, as long as the name is there.
struct LimitCounts {
  std::string limit;
  std::uint64_t allowed = 0;        // takes that were charged
  std::uint64_t denied = 0;         // takes that this limit refused
  std::uint64_t shadow_denied = 0;  // takes that it would have refused, were it no shadow
  std::uint64_t errors = 0;         // calls naming it that the node could not decide
};

// One of those who were refused most. `refused` is too high by at most `over_by`, never too low.
struct RefusedSubject {
  std::string limit;
  std::string subject;  // the part "subject"; of a key without one, the key
  std::uint64_t refused = 0;
  std::uint64_t over_by = 0;
};

struct LimitReport {
  std::vector<LimitCounts> limits;      // in the order of the file
  std::vector<RefusedSubject> refused;  // most refused first, at most kReportedSubjectsMax
};

inline constexpr std::size_t kReportedSubjectsMax = 20;
inline constexpr std::size_t kWishesMax = 16;  // limits of one call

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
  class ShardLimits;

  engine::Engine& engine_;
  const std::vector<base::Executor*> executors_;
  mutable std::mutex mutex_;  // guards set_
  std::shared_ptr<const LimitSet> set_;
  std::vector<std::unique_ptr<ShardLimits>> shards_;
};

}  // namespace palena::limits
