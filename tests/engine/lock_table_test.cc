#include "engine/lock_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/run.h"

namespace palena::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

store::KeyView Key(std::string_view name, std::uint64_t hash = 7) {
  return {model::Durability::kEphemeral, name, hash};
}

class LockTableTest : public testing::Test {
 protected:
  LockTable locks_;
  engine::Run a_, b_, c_;
  std::vector<engine::Run*> granted_;
};

TEST_F(LockTableTest, GrantsAFreeKeyAtOnce) {
  EXPECT_TRUE(locks_.Acquire(Key("k"), true, &a_));
  EXPECT_TRUE(locks_.IsLocked(Key("k")));
  EXPECT_FALSE(locks_.IsLocked(Key("other")));
}

TEST_F(LockTableTest, SameNameInTheOtherKeySpaceIsAnotherKey) {
  EXPECT_TRUE(locks_.Acquire(Key("k"), true, &a_));
  EXPECT_TRUE(locks_.Acquire({model::Durability::kPersistent, "k", 7}, true, &b_));
}

TEST_F(LockTableTest, ReadersShare) {
  EXPECT_TRUE(locks_.Acquire(Key("k"), false, &a_));
  EXPECT_TRUE(locks_.Acquire(Key("k"), false, &b_));
}

TEST_F(LockTableTest, WriterWaitsForReadersAndReadersForWriter) {
  EXPECT_TRUE(locks_.Acquire(Key("k"), false, &a_));
  EXPECT_FALSE(locks_.Acquire(Key("k"), true, &b_));
  // A reader that comes later does not overtake the writer.
  EXPECT_FALSE(locks_.Acquire(Key("k"), false, &c_));
  locks_.Release(Key("k"), &a_, granted_);
  EXPECT_THAT(granted_, ElementsAre(&b_));
}

TEST_F(LockTableTest, ReleaseLetsInAllReadersAtTheFront) {
  EXPECT_TRUE(locks_.Acquire(Key("k"), true, &a_));
  EXPECT_FALSE(locks_.Acquire(Key("k"), false, &b_));
  EXPECT_FALSE(locks_.Acquire(Key("k"), false, &c_));
  locks_.Release(Key("k"), &a_, granted_);
  EXPECT_THAT(granted_, ElementsAre(&b_, &c_));
}

TEST_F(LockTableTest, CancelLetsInWhoWaitedBehind) {
  EXPECT_TRUE(locks_.Acquire(Key("k"), false, &a_));
  EXPECT_FALSE(locks_.Acquire(Key("k"), true, &b_));
  EXPECT_FALSE(locks_.Acquire(Key("k"), false, &c_));
  locks_.Cancel(Key("k"), &b_, granted_);
  EXPECT_THAT(granted_, ElementsAre(&c_));
}

TEST_F(LockTableTest, IsEmptyWhenNobodyHoldsAnything) {
  EXPECT_TRUE(locks_.Acquire(Key("k"), true, &a_));
  EXPECT_FALSE(locks_.empty());
  locks_.Release(Key("k"), &a_, granted_);
  EXPECT_TRUE(locks_.empty());
  EXPECT_THAT(granted_, IsEmpty());
}

TEST_F(LockTableTest, TheOrderOfLockingIsTotal) {
  EXPECT_TRUE(LockBefore(Key("a", 1), Key("a", 2)));
  EXPECT_TRUE(LockBefore(Key("a", 1), {model::Durability::kPersistent, "a", 1}));
  EXPECT_TRUE(LockBefore(Key("a", 1), Key("b", 1)));
  EXPECT_FALSE(LockBefore(Key("a", 1), Key("a", 1)));
}

}  // namespace
}  // namespace palena::engine
