#include "hlc/shard_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <vector>

namespace palena::hlc {
namespace {

constexpr std::int64_t kMs = 1'000'000;

class ShardClockTest : public ::testing::Test {
 protected:
  ShardClock MakeShard() { return {clock_, floor_, /*node=*/7}; }
  // A turn of one run, answered at its end.
  static Stamp RunOne(ShardClock& shard) {
    shard.BeginTurn();
    const Stamp stamp = shard.Next();
    shard.Settle();
    return stamp;
  }

  base::ManualClock time_;
  NodeClock clock_{time_, {}};
  StampFloor floor_;
};

TEST_F(ShardClockTest, AStampIsTheReadingOfItsTurnAndNamesTheNode) {
  ShardClock shard = MakeShard();
  shard.BeginTurn();
  EXPECT_EQ(shard.Next(), (Stamp{clock_.Now(), 7}));
  EXPECT_EQ(shard.now_ms(), clock_.Now().ms());
}

TEST_F(ShardClockTest, StampsOfAShardStrictlyIncreaseWhileTimeStandsStill) {
  ShardClock shard = MakeShard();
  Stamp last = RunOne(shard);
  for (int i = 0; i < 100; ++i) {
    const Stamp next = RunOne(shard);
    EXPECT_GT(next, last);
    last = next;
  }
}

TEST_F(ShardClockTest, MoreStampsThanTheCounterHoldsCarryIntoTheMillisecond) {
  ShardClock shard = MakeShard();
  const HybridTime first = RunOne(shard).time;
  shard.BeginTurn();
  for (int i = 1; i < 200'000; ++i) {
    ASSERT_EQ(shard.Next().time.packed, first.packed + static_cast<std::uint64_t>(i));
  }
  EXPECT_EQ(shard.Next().time.ms(), first.ms() + 200'000 / 65'536);
}

TEST_F(ShardClockTest, AnAnswerOfOneShardLiesBelowALaterRunOfAnother) {
  ShardClock one = MakeShard();
  ShardClock other = MakeShard();
  Stamp answered = RunOne(one);
  for (int i = 0; i < 1000; ++i) {
    const Stamp later = RunOne(i % 2 == 0 ? other : one);
    ASSERT_GT(later, answered);
    answered = later;
  }
}

TEST_F(ShardClockTest, TheFloorRestsWhileTimeMovesOn) {
  ShardClock shard = MakeShard();
  for (int i = 0; i < 100; ++i) {
    shard.BeginTurn();
    shard.Next();
    time_.Advance(1000);
    shard.Settle();
  }
  EXPECT_EQ(floor_.get(), HybridTime{});
}

TEST_F(ShardClockTest, ATurnWithoutRunsLeavesTheFloorAlone) {
  ShardClock shard = MakeShard();
  shard.BeginTurn();
  shard.Settle();
  EXPECT_EQ(floor_.get(), HybridTime{});
}

TEST(StampFloorTest, NeverFalls) {
  StampFloor floor;
  floor.Raise({9});
  floor.Raise({4});
  EXPECT_EQ(floor.get(), HybridTime{9});
}

// A short history of four shards whose turns interleave, over a clock that stands still, runs,
// jumps, and is restarted.
class History {
 public:
  explicit History(std::uint32_t seed) : random_(seed) { Start({}); }

  void Run(int events) {
    for (int event = 0; event < events; ++event) {
      MoveTime();
      if (Chance(20)) Start(highest_);
      Step(shards_[random_() % shards_.size()]);
    }
  }

 private:
  struct Shard {
    ShardClock clock;
    bool in_turn = false;
    HybridTime answered_before;  // the highest answer when the turn began
    HybridTime last;             // of this shard
    std::vector<HybridTime> unanswered;
  };

  bool Chance(std::uint32_t one_in) { return random_() % one_in == 0; }

  void Start(HybridTime bound) {
    clock_.emplace_back(time_, bound);
    floors_.emplace_back();
    shards_.clear();
    for (std::uint16_t i = 0; i < 4; ++i) {
      shards_.push_back({ShardClock(clock_.back(), floors_.back(), 1), false, {}, {}, {}});
    }
  }

  void MoveTime() {
    constexpr std::int64_t kTenYearsMs = 3652LL * 86'400'000;
    constexpr std::int64_t kJumpsMs[] = {1,          -1,          1000,        -1000,
                                         86'400'000, -86'400'000, kTenYearsMs, -kTenYearsMs};
    if (Chance(3)) time_.Advance(static_cast<std::int64_t>(random_() % 50));
    if (Chance(30)) time_.AdvanceMs(1000);
    if (Chance(10)) time_.StepWall(kJumpsMs[random_() % std::size(kJumpsMs)] * kMs);
    if (Chance(10)) clock_.back().Discipline();
  }

  void Step(Shard& shard) {
    if (!shard.in_turn) {
      shard.answered_before = answered_;
      shard.clock.BeginTurn();
      shard.in_turn = true;
    } else if (Chance(3)) {
      shard.clock.Settle();
      for (const HybridTime stamp : shard.unanswered) answered_ = std::max(answered_, stamp);
      shard.unanswered.clear();
      shard.in_turn = false;
    } else {
      CheckStamp(shard, shard.clock.Next().time);
    }
  }

  void CheckStamp(Shard& shard, HybridTime stamp) {
    ASSERT_GT(stamp, shard.last) << "of one shard";
    ASSERT_GT(stamp, shard.answered_before) << "answered before this one began";
    shard.last = stamp;
    shard.unanswered.push_back(stamp);
    highest_ = std::max(highest_, stamp);
  }

  std::minstd_rand random_;
  base::ManualClock time_;
  std::deque<NodeClock> clock_;  // one for each start; shards refer to the last
  std::deque<StampFloor> floors_;
  std::vector<Shard> shards_;
  HybridTime answered_;
  HybridTime highest_;  // what a durable bound covers
};

TEST(StampOrderTest, AnsweredBeforeBegunMeansASmallerStampInEveryHistory) {
  for (std::uint32_t seed = 1; seed <= 10'000 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    History(seed).Run(150);
  }
}

// The same claim with real threads and the system's clock: whoever saw an answer gets a higher
// stamp.
TEST(StampOrderTest, HoldsBetweenThreads) {
  const base::SystemClock time;
  const NodeClock clock(time, {});
  StampFloor floor;
  std::atomic<std::uint64_t> answered{0};
  const auto run_shard = [&] {
    ShardClock shard(clock, floor, 1);
    for (int turn = 0; turn < 20'000; ++turn) {
      std::uint64_t before = answered.load();
      shard.BeginTurn();
      std::uint64_t stamp = 0;
      for (int run = 0; run < 8; ++run) {
        stamp = shard.Next().time.packed;
        ASSERT_GT(stamp, before);
      }
      shard.Settle();
      while (before < stamp && !answered.compare_exchange_weak(before, stamp)) {
      }
    }
  };
  std::thread other(run_shard);
  run_shard();
  other.join();
}

}  // namespace
}  // namespace palena::hlc
