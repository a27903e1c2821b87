#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "hlc/stamp.h"

namespace palena::hlc {

// The time of one node. It reads the wall clock once, at construction, and carries it on with boot
// time; after that, slow drift of the wall clock (at most 500 ppm) is followed and steps are not:
// they are counted. So neither an operator nor NTP can make a key expire early, or live on.
//
// Never goes back, also from thread to thread. Readings are safe from any thread; Discipline()
// belongs to one.
class NodeClock {
 public:
  static constexpr std::int64_t kSlewPpmMax = 500;
  // A wall clock that is further off than drift explains was stepped.
  static constexpr std::int64_t kStepNs = 50'000'000;

  // Starts at the wall clock, or right above `not_before` when the wall clock lies below it.
  NodeClock(const base::Clock& clock, HybridTime not_before);

  std::int64_t NowNs() const;
  HybridTime Now() const { return HybridTime::FromNs(NowNs()); }

  // Compares with the wall clock and sets the slew until the next call; about once a second.
  void Discipline();

  struct Status {
    std::uint64_t steps = 0;  // steps of the wall clock seen and not followed
    std::int64_t last_step_ns = 0;
    std::int64_t offset_ns = 0;  // wall clock minus this clock at the last Discipline()
  };
  Status status() const;

 private:
  // now = base + elapsed · (1 + slew); written under a sequence lock by Discipline().
  const base::Clock& clock_;
  std::atomic<std::uint32_t> version_{0};
  std::atomic<std::int64_t> base_ns_;
  std::atomic<std::int64_t> base_boot_ns_;
  std::atomic<std::int64_t> slew_ppm_{0};

  std::int64_t ignored_ns_ = 0;  // sum of the steps that were not followed
  std::atomic<std::uint64_t> steps_{0};
  std::atomic<std::int64_t> last_step_ns_{0};
  std::atomic<std::int64_t> offset_ns_{0};
};

}  // namespace palena::hlc
