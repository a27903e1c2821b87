#include "app/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace palena::app {
namespace {

// A value of up to 8 bits is its own bucket. Of a longer one the top 8 bits count, the first of
// which is always 1: 128 buckets for each further bit of length.
//
//   value  1 x x x x x x x y y y …      bucket  128 * (number of y) + 1xxxxxxx
constexpr int kKeptBits = 8;
constexpr int kBucketsPerOctave = 1 << (kKeptBits - 1);
constexpr int kValueBitsMax = 42;
constexpr std::uint64_t kValueMax = (std::uint64_t{1} << kValueBitsMax) - 1;
constexpr std::size_t kBuckets =
    std::size_t{kBucketsPerOctave} * (kValueBitsMax - kKeptBits) + 2 * kBucketsPerOctave;

std::size_t BucketOf(std::uint64_t value) {
  const int dropped_bits = std::max(static_cast<int>(std::bit_width(value)) - kKeptBits, 0);
  return static_cast<std::size_t>(dropped_bits) * kBucketsPerOctave + (value >> dropped_bits);
}

std::int64_t MiddleOf(std::size_t bucket) {
  if (bucket < 2 * kBucketsPerOctave) return static_cast<std::int64_t>(bucket);
  const std::size_t dropped_bits = bucket / kBucketsPerOctave - 1;
  const std::size_t kept = bucket - dropped_bits * kBucketsPerOctave;
  return static_cast<std::int64_t>((kept << dropped_bits) + (std::size_t{1} << (dropped_bits - 1)));
}

}  // namespace

LatencyHistogram::LatencyHistogram() : buckets_(kBuckets) {}

void LatencyHistogram::Add(std::int64_t ns) {
  const std::uint64_t value =
      std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0)), kValueMax);
  ++buckets_[BucketOf(value)];
  ++count_;
  max_ns_ = std::max(max_ns_, static_cast<std::int64_t>(value));
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (std::size_t i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

std::int64_t LatencyHistogram::PercentileNs(double percent) const {
  const auto wanted =
      static_cast<std::uint64_t>(std::ceil(percent / 100.0 * static_cast<double>(count_)));
  const std::uint64_t rank =
      std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(count_, 1));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += buckets_[i];
    if (seen >= rank) return std::min(MiddleOf(i), max_ns_);
  }
  return 0;
}

}  // namespace palena::app
