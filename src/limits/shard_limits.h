#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/executor.h"
#include "engine/engine.h"
#include "engine/reply.h"
#include "limits/limit_report.h"
#include "limits/limit_set.h"
#include "limits/refused_subjects.h"
#include "limits/take_call.h"
#include "limits/take_sink.h"
#include "model/take.h"

namespace palena::limits {

// Who is refused and how often is remembered for so many subjects of each shard, with names of at
// most base::kKeyBytesMax bytes.
inline constexpr std::size_t kTrackedSubjectsMax = 256;

// What one shard's thread knows of limits: the calls that came in by it, and what it counted.
// Everything belongs to that thread.
class ShardLimits final : private engine::ReplySink {
 public:
  // `never` is a program that answers 0.
  ShardLimits(engine::Shard& shard, base::Executor& executor, ProgramPtr never);

  // In a turn of the shard.
  void Execute(const model::TakeRequest& request, std::uint64_t lane, const TakeReplyTo& to);
  void Reset(const model::TakeWish& wish, std::uint64_t lane, const TakeReplyTo& to);

  // From now on; what is counted under a name goes on.
  void Use(std::shared_ptr<const LimitSet> set);
  // The counts in the order of the set.
  struct Report {
    std::vector<LimitCounts> limits;
    ShardSubjects refused;
  };
  Report MakeReport() const;

 private:
  // A set and where its limits are counted.
  struct View {
    std::shared_ptr<const LimitSet> set;
    std::vector<std::shared_ptr<LimitCounts>> counts;  // as the limits of the set
  };
  struct Pending {
    std::size_t place = 0;  // in pending_
    TakeCall call;
    std::shared_ptr<const View> view;
    std::uint64_t lane = 0;
    TakeReplyTo to;
    bool is_reset = false;
  };

  Pending& TakePending(std::uint64_t lane, const TakeReplyTo& to);
  void Start(Pending& pending);
  void OnResult(std::uint64_t session, std::uint64_t request, model::Result& result) override;
  void StartAgain(std::size_t place);
  void Release(std::size_t place);
  static LimitCounts& CountsOf(const Pending& pending, const Limit& limit);
  void Count(const Pending& pending, const model::TakeAnswer& answer);
  void CountTake(const Pending& pending, const TakeCall::Asked& asked, bool is_allowed);

  engine::Shard& shard_;
  base::Executor& executor_;
  const ProgramPtr never_;
  std::shared_ptr<const View> view_;
  RefusedSubjects refused_{kTrackedSubjectsMax};
  std::vector<std::unique_ptr<Pending>> pending_;
  std::vector<std::size_t> free_;  // places in pending_
};

}  // namespace palena::limits
