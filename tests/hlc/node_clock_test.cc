#include "hlc/node_clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace palena::hlc {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMs;
constexpr std::int64_t kDay = 24 * 3600 * kSecond;
constexpr std::int64_t kTenYears = 3652 * kDay;

class NodeClockTest : public ::testing::Test {
 protected:
  void PassSecond(NodeClock& clock) {
    time_.Advance(kSecond);
    clock.Discipline();
  }

  base::ManualClock time_;
};

TEST_F(NodeClockTest, StartsAtTheWallClock) {
  const NodeClock clock(time_, {});
  EXPECT_EQ(clock.NowNs(), time_.WallNs());
}

TEST_F(NodeClockTest, StandsStillWithTime) {
  const NodeClock clock(time_, {});
  EXPECT_EQ(clock.NowNs(), clock.NowNs());
}

TEST_F(NodeClockTest, MovesWithBootTime) {
  NodeClock clock(time_, {});
  time_.AdvanceMs(1234);
  EXPECT_EQ(clock.NowNs(), time_.WallNs());
}

TEST_F(NodeClockTest, StartsRightAboveABoundAheadOfTheWallClock) {
  for (const std::uint64_t counter : {0, 1, 32'767, 65'534, 65'535}) {
    const HybridTime bound{HybridTime::FromNs(time_.WallNs() + kDay).packed | counter};
    const NodeClock clock(time_, bound);
    EXPECT_GT(clock.Now(), bound);
    EXPECT_LT(clock.Now().packed - bound.packed, 70u) << "within a microsecond";
    EXPECT_EQ(clock.status().steps, 1u);
  }
}

TEST_F(NodeClockTest, ABoundBelowTheWallClockChangesNothing) {
  const NodeClock clock(time_, HybridTime::FromNs(time_.WallNs() - kSecond));
  EXPECT_EQ(clock.NowNs(), time_.WallNs());
  EXPECT_EQ(clock.status().steps, 0u);
}

TEST_F(NodeClockTest, AWallClockBefore1970IsNotBelieved) {
  time_.StepWall(-time_.WallNs() - kDay);
  const NodeClock clock(time_, {});
  EXPECT_GE(clock.NowNs(), 0);
}

class NodeClockStepTest : public NodeClockTest,
                          public ::testing::WithParamInterface<std::int64_t> {};

TEST_P(NodeClockStepTest, StepsAreCountedAndNotFollowed) {
  NodeClock clock(time_, {});
  const std::int64_t start_ns = clock.NowNs();
  PassSecond(clock);
  time_.StepWall(GetParam());
  for (int second = 0; second < 10; ++second) PassSecond(clock);
  EXPECT_EQ(clock.NowNs() - start_ns, 11 * kSecond);
  EXPECT_EQ(clock.status().steps, 1u);
  EXPECT_EQ(clock.status().last_step_ns, GetParam());
  EXPECT_EQ(clock.status().offset_ns, GetParam());
}

TEST_P(NodeClockStepTest, AStepThereAndBackLeavesNothing) {
  NodeClock clock(time_, {});
  time_.StepWall(GetParam());
  PassSecond(clock);
  time_.StepWall(-GetParam());
  PassSecond(clock);
  EXPECT_EQ(clock.NowNs(), time_.WallNs());
  EXPECT_EQ(clock.status().steps, 2u);
  EXPECT_EQ(clock.status().offset_ns, 0);
}

INSTANTIATE_TEST_SUITE_P(Steps, NodeClockStepTest,
                         ::testing::Values(100 * kMs, -100 * kMs, kSecond, -kSecond, kDay, -kDay,
                                           kTenYears, -kTenYears));

TEST_F(NodeClockTest, SmallDifferencesAreMadeUpSlowly) {
  for (const std::int64_t difference_ns : {kMs, -kMs}) {
    NodeClock clock(time_, {});
    time_.StepWall(difference_ns);
    clock.Discipline();
    time_.Advance(kSecond);
    EXPECT_EQ(time_.WallNs() - clock.NowNs(), difference_ns / 2) << "500 ppm of a second";
    clock.Discipline();
    time_.Advance(kSecond);
    EXPECT_EQ(clock.NowNs(), time_.WallNs());
    EXPECT_EQ(clock.status().steps, 0u);
  }
}

TEST_F(NodeClockTest, ALateNextCallFindsNoOvershoot) {
  NodeClock clock(time_, {});
  time_.StepWall(kMs / 4);
  clock.Discipline();
  time_.Advance(kDay);
  EXPECT_EQ(clock.NowNs(), time_.WallNs());
}

TEST_F(NodeClockTest, DriftIsFollowed) {
  for (const std::int64_t drift_ppm : {400, -400}) {
    NodeClock clock(time_, {});
    for (int second = 0; second < 3600; ++second) {
      time_.StepWall(drift_ppm * 1000);  // nanoseconds a second
      PassSecond(clock);
    }
    EXPECT_LT(std::abs(clock.status().offset_ns), kMs);
    EXPECT_EQ(clock.status().steps, 0u);
  }
}

TEST_F(NodeClockTest, DriftOfALongSleepIsNoStep) {
  NodeClock clock(time_, {});
  time_.Advance(kDay);
  time_.StepWall(kDay / 1'000'000 * 300);
  clock.Discipline();
  EXPECT_EQ(clock.status().steps, 0u);
}

TEST_F(NodeClockTest, NeverGoesBackNorRunsAwayWhateverTheWallClockDoes) {
  constexpr std::int64_t kJumps[] = {kMs,  -kMs,  40 * kMs,  -40 * kMs,
                                     kDay, -kDay, kTenYears, -kTenYears};
  for (std::uint32_t seed = 0; seed < 10'000; ++seed) {
    std::minstd_rand random(seed);
    base::ManualClock time;
    NodeClock clock(time, {});
    std::int64_t last_ns = clock.NowNs();
    for (int event = 0; event < 20; ++event) {
      const std::int64_t passed_ns = static_cast<std::int64_t>(random() % 3) * (kSecond / 2);
      time.Advance(passed_ns);
      if (random() % 3 == 0) time.StepWall(kJumps[random() % std::size(kJumps)]);
      if (random() % 2 == 0) clock.Discipline();
      const std::int64_t now_ns = clock.NowNs();
      ASSERT_GE(now_ns - last_ns, passed_ns - passed_ns / 2000) << seed;
      ASSERT_LE(now_ns - last_ns, passed_ns + passed_ns / 2000) << seed;
      last_ns = now_ns;
    }
  }
}

// Real time below a wall clock that wobbles, so that every call sets another slew.
class WobblingClock final : public base::Clock {
 public:
  std::int64_t WallNs() const override {
    return system_.WallNs() + (++calls_ % 2 == 0 ? 20 * kMs : -20 * kMs);
  }
  std::int64_t BoottimeNs() const override { return system_.BoottimeNs(); }
  std::int64_t SteadyNs() const override { return system_.SteadyNs(); }
  void SleepNs(std::int64_t ns) const override { system_.SleepNs(ns); }

 private:
  base::SystemClock system_;
  mutable std::atomic<int> calls_{0};
};

TEST(NodeClockThreadsTest, NoReadingLiesBelowOneThatWasTakenBefore) {
  const WobblingClock time;
  NodeClock clock(time, {});
  std::atomic<std::int64_t> highest_ns{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      for (int i = 0; i < 50'000; ++i) {
        std::int64_t before_ns = highest_ns.load();
        const std::int64_t now_ns = clock.NowNs();
        ASSERT_GE(now_ns, before_ns);
        while (before_ns < now_ns && !highest_ns.compare_exchange_weak(before_ns, now_ns)) {
        }
      }
    });
  }
  for (int i = 0; i < 20'000; ++i) clock.Discipline();
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace palena::hlc
