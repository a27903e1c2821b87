#pragma once

#include <cstdint>
#include <vector>

namespace palena::app {

// Counts durations in buckets whose width grows with the value (128 to the power of two), so that
// any percentile is within 0.4 % of the true one while an entry costs one increment. From 0 to 2^42
// ns (73 minutes); longer ones count as that. Not thread-safe: one a thread, merged at the end.
class LatencyHistogram {
 public:
  LatencyHistogram();

  void Add(std::int64_t ns);
  void Merge(const LatencyHistogram& other);

  std::uint64_t count() const { return count_; }
  std::int64_t max_ns() const { return max_ns_; }  // exact
  // The duration that `percent` of all (0 to 100) do not exceed; 0 when there are none.
  std::int64_t PercentileNs(double percent) const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::int64_t max_ns_ = 0;
};

}  // namespace palena::app
