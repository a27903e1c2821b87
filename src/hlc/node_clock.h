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
  // A wall clock that moved against boot time by more than this, beyond what drift explains, was
  // stepped.
  static constexpr std::int64_t kStepNs = 50'000'000;
  // How long a slew lasts: what Discipline() finds missing is made up within this time, or as much
  // of it as kSlewPpmMax allows. It ends by itself, so a late next call finds no overshoot.
  static constexpr std::int64_t kSlewNs = 1'000'000'000;

  // Starts at the wall clock, or right above `not_before` when the wall clock lies below it. A
  // clock that has to start ahead of the wall clock by more than kStepNs counts that as a step.
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
  // The reading at one instant of boot time, from the present parameters.
  std::int64_t ReadingAt(std::int64_t boot_ns) const;
  void FindStep(std::int64_t wall_ns, std::int64_t boot_ns);
  void CountStep(std::int64_t step_ns);
  void SetSlew(std::int64_t slew_ppm);

  const base::Clock& clock_;

  // now = base + elapsed + min(elapsed, kSlewNs) · slew; written under a sequence lock by
  // Discipline(): odd while it writes.
  std::atomic<std::uint32_t> version_{0};
  std::atomic<std::int64_t> base_boot_ns_;
  std::atomic<std::int64_t> base_ns_;
  std::atomic<std::int64_t> slew_ppm_{0};

  // Discipline()'s own.
  std::int64_t seen_wall_ns_;  // both clocks as the last call found them
  std::int64_t seen_boot_ns_;
  std::int64_t ignored_ns_ = 0;  // sum of the steps that were not followed
  std::atomic<std::uint64_t> steps_{0};
  std::atomic<std::int64_t> last_step_ns_{0};
  std::atomic<std::int64_t> offset_ns_{0};
};

}  // namespace palena::hlc
