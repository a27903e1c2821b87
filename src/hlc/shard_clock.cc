#include "hlc/shard_clock.h"

#include <algorithm>

namespace palena::hlc {

void StampFloor::Raise(HybridTime to) {
  std::uint64_t floor = floor_.load(std::memory_order_relaxed);
  while (floor < to.packed &&
         !floor_.compare_exchange_weak(floor, to.packed, std::memory_order_acq_rel)) {
  }
}

void ShardClock::BeginTurn() {
  reading_ = clock_.Now();
}

Stamp ShardClock::Next() {
  last_ = std::max({last_.Next(), reading_, floor_.get().Next()});
  return {last_, node_};
}

void ShardClock::Observe(HybridTime time) {
  last_ = std::max(last_, time);
}

void ShardClock::Settle() {
  const bool has_stamped = last_ >= reading_;  // in this turn
  if (is_alone_ || !has_stamped) return;
  if (last_ >= clock_.Now()) floor_.Raise(last_);
}

}  // namespace palena::hlc
