#include "hlc/node_clock.h"

#include <algorithm>
#include <cstdlib>

namespace palena::hlc {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

// Wall and boot time are two readings; further apart than this, they say nothing about each other.
constexpr std::int64_t kReadingSpanNs = 1'000'000;

// ns · ppm / 1,000,000, towards zero, without the overflow of the plain product.
std::int64_t PartOf(std::int64_t ns, std::int64_t ppm) {
  return ns / kMillion * ppm + ns % kMillion * ppm / kMillion;
}

// The first nanosecond whose hybrid time lies above `bound`.
std::int64_t NsAbove(HybridTime bound) {
  constexpr std::int64_t kCounters = 65'536;
  const HybridTime next = bound.Next();
  return next.ms() * kMillion + (next.counter() * kMillion + kCounters - 1) / kCounters;
}

}  // namespace

NodeClock::NodeClock(const base::Clock& clock, HybridTime not_before)
    : clock_(clock),
      base_boot_ns_(clock.BoottimeNs()),
      seen_wall_ns_(clock.WallNs()),
      seen_boot_ns_(base_boot_ns_) {
  // A wall clock before 1970 is as wrong as one below the bound.
  base_ns_ = std::max({std::int64_t{0}, seen_wall_ns_, NsAbove(not_before)});
  const std::int64_t behind_ns = seen_wall_ns_ - base_ns_;
  if (behind_ns < -kStepNs) CountStep(behind_ns);
  offset_ns_ = behind_ns;
}

std::int64_t NodeClock::NowNs() const {
  for (;;) {
    const std::uint32_t before = version_.load(std::memory_order_acquire);
    const std::int64_t now_ns = ReadingAt(clock_.BoottimeNs());
    if (before % 2 == 0 && version_.load() == before) return now_ns;
  }
}

void NodeClock::Discipline() {
  const std::int64_t boot_ns = clock_.BoottimeNs();
  const std::int64_t wall_ns = clock_.WallNs();
  if (clock_.BoottimeNs() - boot_ns > kReadingSpanNs) return;  // interrupted; the next call serves

  FindStep(wall_ns, boot_ns);
  const std::int64_t offset_ns = wall_ns - ReadingAt(boot_ns);
  offset_ns_ = offset_ns;
  const std::int64_t missing_ns = offset_ns - ignored_ns_;
  SetSlew(std::clamp(missing_ns / (kSlewNs / kMillion), -kSlewPpmMax, kSlewPpmMax));
}

NodeClock::Status NodeClock::status() const {
  return {steps_.load(), last_step_ns_.load(), offset_ns_.load()};
}

// Acquire loads, so that the check of the version that follows cannot move before them.
std::int64_t NodeClock::ReadingAt(std::int64_t boot_ns) const {
  const std::int64_t elapsed_ns = boot_ns - base_boot_ns_.load(std::memory_order_acquire);
  const std::int64_t slew_ppm = slew_ppm_.load(std::memory_order_acquire);
  const std::int64_t now_ns = base_ns_.load(std::memory_order_acquire) + elapsed_ns;
  return slew_ppm == 0 ? now_ns : now_ns + PartOf(std::min(elapsed_ns, kSlewNs), slew_ppm);
}

void NodeClock::FindStep(std::int64_t wall_ns, std::int64_t boot_ns) {
  const std::int64_t elapsed_ns = boot_ns - seen_boot_ns_;
  const std::int64_t moved_ns = wall_ns - seen_wall_ns_ - elapsed_ns;
  if (std::abs(moved_ns) > kStepNs + PartOf(elapsed_ns, kSlewPpmMax)) CountStep(moved_ns);
  seen_wall_ns_ = wall_ns;
  seen_boot_ns_ = boot_ns;
}

void NodeClock::CountStep(std::int64_t step_ns) {
  ignored_ns_ += step_ns;
  last_step_ns_ = step_ns;
  ++steps_;
}

// Boot time is read after the version became odd: whoever still read with the old slew did so at an
// earlier instant, so the new line starts at or above all that was read from the old one.
void NodeClock::SetSlew(std::int64_t slew_ppm) {
  version_.fetch_add(1);
  const std::int64_t boot_ns = clock_.BoottimeNs();
  const std::int64_t now_ns = ReadingAt(boot_ns);
  base_boot_ns_.store(boot_ns, std::memory_order_release);
  base_ns_.store(now_ns, std::memory_order_release);
  slew_ppm_.store(slew_ppm, std::memory_order_release);
  version_.fetch_add(1);
}

}  // namespace palena::hlc
