// What is taken for a while and given back: too late, twice, by nobody who has it.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "faults/limiters.h"

namespace palena::limits {
namespace {

constexpr std::int64_t kLeaseMs = 1'000;

class LeaseFaultsTest : public testing::Test {
 protected:
  Answer Acquire(std::int64_t limit, const std::string& owner) {
    return limiters_.Acquire(limit, kLeaseMs, owner);
  }
  Answer Peek(std::int64_t limit) { return limiters_.Acquire(limit, kLeaseMs, ""); }

  Limiters limiters_;
};

// RL-023: a lease that has ended by itself is not given back a second time.
TEST_F(LeaseFaultsTest, GivingBackWhatHasEndedMakesNoRoom) {
  Acquire(2, "anna");
  Acquire(2, "bert");
  limiters_.WaitMs(kLeaseMs);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(limiters_.Release("anna"), "0");
    EXPECT_EQ(limiters_.Release("bert"), "0");
  }
  EXPECT_TRUE(Acquire(2, "cora").is_allowed);
  EXPECT_TRUE(Acquire(2, "dora").is_allowed);
  EXPECT_FALSE(Acquire(2, "emil").is_allowed);
}

// RL-025: after a late return a peek and an acquire agree.
TEST_F(LeaseFaultsTest, AfterALateReturnTheRestIsWhatAPeekSays) {
  Acquire(3, "anna");
  limiters_.WaitMs(kLeaseMs);
  Acquire(3, "bert");
  EXPECT_EQ(limiters_.Release("anna"), "0");
  EXPECT_EQ(Peek(3).remaining, 2);
  EXPECT_EQ(Acquire(3, "cora").remaining, 1);
}

// RL-029
TEST_F(LeaseFaultsTest, TakingAndGivingBackComesToNothingOverManyLeases) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Acquire(10, "anna").remaining, 9);
    limiters_.WaitMs(30);
    EXPECT_EQ(limiters_.Release("anna"), "1");
    EXPECT_EQ(Peek(10).remaining, 10);
  }
}

// RL-034: that nothing is left is not the same as that nobody has come yet.
TEST_F(LeaseFaultsTest, WhoComesWhenAllIsTakenMakesNoNewRoom) {
  EXPECT_TRUE(Acquire(1, "anna").is_allowed);
  for (const char* const owner : {"bert", "cora", "dora"}) {
    EXPECT_FALSE(Acquire(1, owner).is_allowed);
    EXPECT_EQ(limiters_.Release(owner), "0");
  }
  EXPECT_TRUE(Acquire(1, "anna").is_allowed) << "she has it";
  EXPECT_EQ(limiters_.Release("anna"), "1");
  EXPECT_TRUE(Acquire(1, "bert").is_allowed);
  EXPECT_FALSE(Acquire(1, "anna").is_allowed);
}

// RL-030, RL-065
TEST_F(LeaseFaultsTest, WhatIsLeftLiesBetweenNothingAndTheLimitWhateverHappens) {
  std::mt19937_64 random(30);
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t limit = static_cast<std::int64_t>(1 + random() % 5);
    const std::string owner(1, static_cast<char>('a' + random() % 8));
    switch (random() % 3) {
      case 0:
        limiters_.Release(owner);
        break;
      case 1:
        limiters_.WaitMs(static_cast<std::int64_t>(random() % 400));
        break;
      default:
        Acquire(limit, owner);
    }
    const Answer peek = Peek(limit);
    ASSERT_GE(peek.remaining, 0);
    ASSERT_LE(peek.remaining, limit);
  }
}

}  // namespace
}  // namespace palena::limits
