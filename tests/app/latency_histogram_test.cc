#include "app/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace palena::app {
namespace {

double RelativeError(std::int64_t found, std::int64_t truth) {
  return std::abs(static_cast<double>(found - truth)) / static_cast<double>(truth);
}

TEST(LatencyHistogramTest, IsEmptyAtFirst) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.PercentileNs(50), 0);
  EXPECT_EQ(histogram.max_ns(), 0);
}

TEST(LatencyHistogramTest, IsExactForShortDurations) {
  LatencyHistogram histogram;
  for (int ns = 1; ns <= 100; ++ns) histogram.Add(ns);
  EXPECT_EQ(histogram.PercentileNs(50), 50);
  EXPECT_EQ(histogram.PercentileNs(99), 99);
  EXPECT_EQ(histogram.PercentileNs(100), 100);
  EXPECT_EQ(histogram.PercentileNs(0), 1);
}

TEST(LatencyHistogramTest, ErrsByLessThanOnePercentAnywhere) {
  for (std::int64_t ns = 1; ns < (std::int64_t{1} << 42); ns += ns / 7 + 1) {
    LatencyHistogram histogram;
    histogram.Add(ns);
    histogram.Add(std::int64_t{1} << 41);  // so that the maximum does not correct the answer
    EXPECT_LT(RelativeError(histogram.PercentileNs(50), std::min(ns, std::int64_t{1} << 41)), 0.01)
        << ns;
  }
}

TEST(LatencyHistogramTest, AgreesWithSortingOnRandomDurations) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> durations(11, 2);
  LatencyHistogram histogram;
  std::vector<std::int64_t> sorted;
  for (int i = 0; i < 100'000; ++i) {
    sorted.push_back(static_cast<std::int64_t>(durations(random)) + 1);
    histogram.Add(sorted.back());
  }
  std::sort(sorted.begin(), sorted.end());
  EXPECT_LT(RelativeError(histogram.PercentileNs(50), sorted[49'999]), 0.01);
  EXPECT_LT(RelativeError(histogram.PercentileNs(99), sorted[98'999]), 0.01);
  EXPECT_LT(RelativeError(histogram.PercentileNs(99.9), sorted[99'899]), 0.01);
  EXPECT_EQ(histogram.max_ns(), sorted.back());
}

TEST(LatencyHistogramTest, MergesAsIfOneHadSeenAll) {
  LatencyHistogram one;
  LatencyHistogram other;
  for (int i = 0; i < 99; ++i) one.Add(1000);
  other.Add(9'000'000);
  one.Merge(other);
  EXPECT_EQ(one.count(), 100u);
  EXPECT_LT(RelativeError(one.PercentileNs(99), 1000), 0.01);
  EXPECT_EQ(one.PercentileNs(100), 9'000'000);
}

TEST(LatencyHistogramTest, KeepsImpossibleDurationsInBounds) {
  LatencyHistogram histogram;
  histogram.Add(-5);
  histogram.Add(INT64_MAX);
  EXPECT_EQ(histogram.PercentileNs(50), 0);
  EXPECT_EQ(histogram.max_ns(), (std::int64_t{1} << 42) - 1);
}

}  // namespace
}  // namespace palena::app
