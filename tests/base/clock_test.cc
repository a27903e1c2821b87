#include "base/clock.h"

#include <gtest/gtest.h>

namespace palena::base {
namespace {

TEST(ManualClockTest, StandsStill) {
  const ManualClock clock(42);
  EXPECT_EQ(clock.WallNs(), 42);
  EXPECT_EQ(clock.SteadyNs(), clock.SteadyNs());
}

TEST(ManualClockTest, TimeThatPassesMovesAllReadings) {
  ManualClock clock(0);
  const std::int64_t boot_ns = clock.BoottimeNs();
  const std::int64_t steady_ns = clock.SteadyNs();
  clock.AdvanceMs(5);
  EXPECT_EQ(clock.WallNs(), 5'000'000);
  EXPECT_EQ(clock.BoottimeNs() - boot_ns, 5'000'000);
  EXPECT_EQ(clock.SteadyNs() - steady_ns, 5'000'000);
}

TEST(ManualClockTest, AStepMovesTheWallClockOnly) {
  ManualClock clock(100);
  const std::int64_t boot_ns = clock.BoottimeNs();
  clock.StepWall(-30);
  EXPECT_EQ(clock.WallNs(), 70);
  EXPECT_EQ(clock.BoottimeNs(), boot_ns);
}

TEST(ManualClockTest, WhoSleepsMovesItOn) {
  const ManualClock clock(0);
  const std::int64_t steady_ns = clock.SteadyNs();
  clock.SleepNs(7);
  EXPECT_EQ(clock.SteadyNs() - steady_ns, 7);
  EXPECT_EQ(clock.WallNs(), 7);
}

TEST(SystemClockTest, ASleepLastsAtLeastAsLongAsAsked) {
  const SystemClock clock;
  const std::int64_t steady_ns = clock.SteadyNs();
  clock.SleepNs(10'000);
  EXPECT_GE(clock.SteadyNs() - steady_ns, 10'000);
}

TEST(SystemClockTest, NeverGoesBack) {
  const SystemClock clock;
  std::int64_t boot_ns = clock.BoottimeNs();
  std::int64_t steady_ns = clock.SteadyNs();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LE(boot_ns, clock.BoottimeNs());
    EXPECT_LE(steady_ns, clock.SteadyNs());
    boot_ns = clock.BoottimeNs();
    steady_ns = clock.SteadyNs();
  }
}

TEST(SystemClockTest, WallTimeIsOfThisEra) {
  constexpr std::int64_t kStartOf2020Ns = 1'577'836'800'000'000'000;
  EXPECT_GT(SystemClock().WallNs(), kStartOf2020Ns);
}

}  // namespace
}  // namespace palena::base
