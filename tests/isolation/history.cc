#include "isolation/history.h"

#include <algorithm>

namespace palena::isolation {

Weight Weighing::Weigh() const {
  Weight weight{commits_, 0};
  for (const auto& [key, touches] : touches_) {
    std::vector<Interval> times = touches;
    std::ranges::sort(times, {}, &Interval::began_ns);
    for (std::size_t i = 1; i < times.size(); ++i) {
      weight.overlaps += times[i - 1].EndedBefore(times[i]) ? 0 : 1;
    }
  }
  return weight;
}

Findings FloorFindings(const Weight& weight, const Floors& floors) {
  Findings findings;
  const auto demand = [&](const std::string& what, std::size_t is, std::size_t least) {
    if (is >= least) return;
    findings.push_back("no verdict: " + std::to_string(is) + " " + what + ", at least " +
                       std::to_string(least) + " are needed");
  };
  demand("commits", weight.commits, floors.commits);
  demand("overlaps", weight.overlaps, floors.overlaps);
  return findings;
}

}  // namespace palena::isolation
