#include "store/timing_wheel.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "store/table_fixture.h"

namespace palena::store {
namespace {

using Time = TimingWheel::Time;

// Entries with deadlines; looks at what the wheel hands out as an owner does.
class TimingWheelTest : public testing::Test {
 protected:
  Entry& Add(Time deadline) {
    Entry& entry = pool_.Create(KeyOf("entry" + std::to_string(deadlines_.size())));
    deadlines_[&entry] = deadline;
    wheel_.File(entry, deadline);
    return entry;
  }
  // Deadlines that came due up to `now`, in the order in which they came out.
  std::vector<Time> Advance(Time now) {
    std::vector<Time> due;
    while (Entry* entry = wheel_.Take(now)) {
      ++looks_;
      const Time deadline = deadlines_.at(entry);
      if (deadline > now) {
        wheel_.File(*entry, deadline);
      } else {
        due.push_back(deadline);
      }
    }
    return due;
  }

  EntryPool pool_;
  TimingWheel wheel_{pool_};
  std::map<Entry*, Time> deadlines_;
  int looks_ = 0;
};

using Times = std::vector<Time>;

TEST_F(TimingWheelTest, GivesNothingBeforeItsTime) {
  Add(1000);
  EXPECT_EQ(Advance(999), Times{});
  EXPECT_EQ(Advance(1000), Times{1000});
  EXPECT_EQ(Advance(1001), Times{});
}

TEST_F(TimingWheelTest, StartsAnywhere) {
  constexpr Time kNow = 1'750'000'000'123;
  Add(kNow + 5);
  EXPECT_EQ(Advance(kNow), Times{});
  Add(kNow + 3);
  EXPECT_EQ(Advance(kNow + 4), Times{kNow + 3});
  EXPECT_EQ(Advance(kNow + 5), Times{kNow + 5});
}

TEST_F(TimingWheelTest, PastTimesAreDueAtOnce) {
  EXPECT_EQ(Advance(500), Times{});
  Add(10);
  EXPECT_TRUE(wheel_.HasDue(500));
  EXPECT_EQ(Advance(500), Times{10});
}

TEST_F(TimingWheelTest, KeepsTheFarFuture) {
  constexpr Time kLast = std::numeric_limits<std::int64_t>::max();
  Add(kLast);
  Add(kLast + 1);
  Add(std::numeric_limits<Time>::max());
  EXPECT_EQ(Advance(kLast - 1), Times{});
  EXPECT_EQ(Advance(kLast), Times{kLast});
  EXPECT_EQ(Advance(kLast + 1), Times{kLast + 1});
  EXPECT_EQ(Advance(std::numeric_limits<Time>::max()).size(), 1U);
}

TEST_F(TimingWheelTest, CrossesALongIdleGapInAFewLooks) {
  constexpr Time kTenYears = 315'360'000'000;
  Add(kTenYears);
  EXPECT_EQ(Advance(kTenYears - 1), Times{});
  EXPECT_EQ(Advance(kTenYears), Times{kTenYears});
  EXPECT_LE(looks_, 12);
}

TEST_F(TimingWheelTest, ARemovedEntryNeverComes) {
  Add(100);
  Entry& middle = Add(100);
  Add(100);
  wheel_.Remove(middle);
  EXPECT_FALSE(TimingWheel::IsFiled(middle));
  EXPECT_EQ(Advance(100), (Times{100, 100}));
}

TEST_F(TimingWheelTest, RemovesFromTheMiddleOfAnUnfinishedTake) {
  std::vector<Entry*> entries;
  for (int i = 0; i < 4; ++i) entries.push_back(&Add(100));
  Entry* taken = wheel_.Take(100);
  ASSERT_NE(taken, nullptr);
  for (Entry* entry : entries) {
    if (entry != taken) wheel_.Remove(*entry);
  }
  EXPECT_FALSE(wheel_.HasDue(100));
}

TEST_F(TimingWheelTest, AMovedDeadlineIsFollowedWhenTheOldOneComes) {
  Entry& entry = Add(100);
  deadlines_[&entry] = 250;  // the wheel is not told
  EXPECT_EQ(Advance(200), Times{});
  EXPECT_LE(looks_, 3);  // a few on the way, never one for each move
  EXPECT_EQ(Advance(249), Times{});
  EXPECT_EQ(Advance(250), Times{250});
}

TEST_F(TimingWheelTest, AClockThatGoesBackFindsNothingDue) {
  Advance(1000);
  Add(900);
  EXPECT_FALSE(wheel_.HasDue(950));
  EXPECT_EQ(Advance(950), Times{});
  EXPECT_EQ(Advance(1000), Times{900});
}

TEST_F(TimingWheelTest, FindsEveryDeadlineExactlyOnceWhateverTheSteps) {
  std::mt19937_64 random(7);
  std::multimap<Time, int> waiting;
  Time now = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Time deadline = now + 1 + (random() >> (24 + random() % 40));
    Add(deadline);
    waiting.emplace(deadline, i);
    now += random() >> (24 + random() % 40);
    const auto due_end = waiting.upper_bound(now);
    const auto due = static_cast<std::size_t>(std::distance(waiting.begin(), due_end));
    ASSERT_EQ(Advance(now).size(), due) << "step " << i << " at " << now;
    waiting.erase(waiting.begin(), due_end);
  }
}

}  // namespace
}  // namespace palena::store
