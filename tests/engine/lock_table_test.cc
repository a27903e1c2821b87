#include "engine/lock_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "engine/run.h"

namespace palena::engine {
namespace {

using model::Durability;
using model::RangeKind;
using testing::ElementsAre;
using testing::IsEmpty;

LockTable::KeyWish Write(std::string_view name) {
  return {{Durability::kEphemeral, name, 7}, true};
}
LockTable::KeyWish Read(std::string_view name) {
  return {{Durability::kEphemeral, name, 7}, false};
}
model::KeyRange Prefix(std::string_view text) {
  return {Durability::kEphemeral, RangeKind::kPrefix, text};
}
model::KeyRange Bucket(std::string_view text) {
  return {Durability::kEphemeral, RangeKind::kBucket, text};
}

class LockTableTest : public testing::Test {
 protected:
  bool Claim(LockTable::Owner owner, std::vector<LockTable::KeyWish> keys,
             std::vector<model::KeyRange> ranges = {}, int priority = 0) {
    return locks_.Claim(owner, &runs_[owner], {keys, ranges, priority});
  }
  // The owners that are let in by it.
  std::vector<LockTable::Owner> Release(LockTable::Owner owner) {
    std::vector<engine::Run*> granted;
    locks_.Release(owner, granted);
    std::vector<LockTable::Owner> owners;
    for (const engine::Run* run : granted) owners.push_back(static_cast<std::size_t>(run - runs_));
    return owners;
  }

  LockTable locks_;
  engine::Run runs_[8];
};

TEST_F(LockTableTest, GrantsAFreeKeyAtOnce) {
  EXPECT_TRUE(Claim(1, {Write("k")}));
  EXPECT_TRUE(locks_.IsClaimed(Write("k").key));
  EXPECT_FALSE(locks_.IsClaimed(Write("other").key));
}

TEST_F(LockTableTest, SameNameInTheOtherKeySpaceIsAnotherKey) {
  EXPECT_TRUE(Claim(1, {Write("k")}));
  EXPECT_TRUE(Claim(2, {{{Durability::kPersistent, "k", 7}, true}}));
}

TEST_F(LockTableTest, ReadersShare) {
  EXPECT_TRUE(Claim(1, {Read("k")}));
  EXPECT_TRUE(Claim(2, {Read("k")}));
}

TEST_F(LockTableTest, AReaderThatComesLaterDoesNotOvertakeAWriter) {
  EXPECT_TRUE(Claim(1, {Read("k")}));
  EXPECT_FALSE(Claim(2, {Write("k")}));
  EXPECT_FALSE(Claim(3, {Read("k")}));
  EXPECT_THAT(Release(1), ElementsAre(2));
  EXPECT_THAT(Release(2), ElementsAre(3));
}

TEST_F(LockTableTest, ReleaseLetsInAllReadersAtTheFront) {
  EXPECT_TRUE(Claim(1, {Write("k")}));
  EXPECT_FALSE(Claim(2, {Read("k")}));
  EXPECT_FALSE(Claim(3, {Read("k")}));
  EXPECT_THAT(Release(1), ElementsAre(2, 3));
}

TEST_F(LockTableTest, WhoGivesUpWaitingLetsInWhoWaitedBehind) {
  EXPECT_TRUE(Claim(1, {Read("k")}));
  EXPECT_FALSE(Claim(2, {Write("k")}));
  EXPECT_FALSE(Claim(3, {Read("k")}));
  EXPECT_THAT(Release(2), ElementsAre(3));
}

TEST_F(LockTableTest, AClaimIsGrantedAsAWhole) {
  EXPECT_TRUE(Claim(1, {Write("a")}));
  EXPECT_TRUE(Claim(2, {Write("b")}));
  EXPECT_FALSE(Claim(3, {Write("a"), Write("b")}));
  EXPECT_THAT(Release(1), IsEmpty());
  EXPECT_THAT(Release(2), ElementsAre(3));
}

TEST_F(LockTableTest, AWaitingRunDelaysOnlyItsOwnKeys) {
  EXPECT_TRUE(Claim(1, {Write("a")}));
  EXPECT_FALSE(Claim(2, {Write("a"), Write("b")}));
  EXPECT_TRUE(Claim(3, {Write("c")}));
  EXPECT_FALSE(Claim(4, {Write("b")}));
}

TEST_F(LockTableTest, HigherPriorityGoesBeforeThoseThatWait) {
  EXPECT_TRUE(Claim(1, {Write("k")}, {}, 2));
  EXPECT_FALSE(Claim(2, {Write("k")}, {}, 2));
  EXPECT_FALSE(Claim(3, {Write("k")}, {}, 4));
  EXPECT_THAT(Release(1), ElementsAre(3));
}

// Whoever waits holds nothing, so one of higher priority goes before it on every key: two that wait
// for each other would wait for good.
TEST_F(LockTableTest, HigherPriorityGoesBeforeOneThatWaitsOnEveryKeyOfIt) {
  EXPECT_TRUE(Claim(1, {Write("a")}));
  EXPECT_FALSE(Claim(2, {Write("a"), Write("b")}));
  EXPECT_FALSE(Claim(3, {Write("a"), Write("b")}, {}, 1));
  EXPECT_THAT(Release(1), ElementsAre(3));
  EXPECT_THAT(Release(3), ElementsAre(2));
}

TEST_F(LockTableTest, HigherPriorityTakesNothingFromWhoHoldsAKeyBesideOneThatWaits) {
  EXPECT_TRUE(Claim(1, {Write("a")}));
  EXPECT_FALSE(Claim(2, {Write("a"), Read("b")}));
  EXPECT_TRUE(Claim(3, {Read("b")}));
  EXPECT_FALSE(Claim(4, {Write("a"), Write("b")}, {}, 1));
  EXPECT_THAT(Release(1), IsEmpty());
  EXPECT_THAT(Release(3), ElementsAre(4));
  EXPECT_THAT(Release(4), ElementsAre(2));
}

TEST_F(LockTableTest, ARangeWaitsForAWriterInsideIt) {
  EXPECT_TRUE(Claim(1, {Write("b/1")}));
  EXPECT_FALSE(Claim(2, {}, {Prefix("b")}));
  EXPECT_TRUE(Claim(3, {}, {Prefix("c")}));
  EXPECT_THAT(Release(1), ElementsAre(2));
}

TEST_F(LockTableTest, AWriterWaitsForARangeAroundItsKeyEvenOfANewKey) {
  EXPECT_TRUE(Claim(1, {}, {Bucket("b")}));
  EXPECT_TRUE(locks_.IsClaimed(Write("b/new").key));
  EXPECT_FALSE(Claim(2, {Write("b/new")}));
  EXPECT_TRUE(Claim(3, {Read("b/other")}));
  EXPECT_TRUE(Claim(4, {Write("b/sub/1")}));
  EXPECT_THAT(Release(1), ElementsAre(2));
}

TEST_F(LockTableTest, AWriterWaitsForARangeThatWaitsBeforeIt) {
  EXPECT_TRUE(Claim(1, {Write("b/1")}));
  EXPECT_FALSE(Claim(2, {}, {Prefix("b/")}));
  EXPECT_FALSE(Claim(3, {Write("b/2")}));
  EXPECT_THAT(Release(1), ElementsAre(2));
  EXPECT_THAT(Release(2), ElementsAre(3));
}

TEST_F(LockTableTest, AKeyInsideTheRunsOwnRangeIsInNobodysWayTwice) {
  EXPECT_TRUE(Claim(1, {Write("b/1")}, {Prefix("b/"), Bucket("b")}));
  EXPECT_FALSE(Claim(2, {Write("b/1")}));
  EXPECT_THAT(Release(1), ElementsAre(2));
  EXPECT_THAT(Release(2), IsEmpty());
  EXPECT_TRUE(locks_.empty());
}

TEST_F(LockTableTest, TellsWhatAClaimWaitsFor) {
  EXPECT_TRUE(Claim(1, {Write("a/2")}));
  EXPECT_FALSE(Claim(2, {Write("a/1"), Write("a/2")}));
  EXPECT_EQ(locks_.ObstacleOf(2).text, "a/2");
  EXPECT_FALSE(Claim(3, {}, {Bucket("a")}));
  EXPECT_EQ(locks_.ObstacleOf(3).text, "a");
  EXPECT_TRUE(locks_.ObstacleOf(3).is_range);
}

TEST_F(LockTableTest, OnlyAWriterWhoseStampIsNotLaterCanStillWriteThePast) {
  EXPECT_TRUE(Claim(1, {Write("b/1"), Read("b/2")}));
  EXPECT_FALSE(locks_.HasWriterUpTo(100, Write("b/1").key));
  locks_.SetStampFloor(1, hlc::HybridTime::FromMs(90));
  EXPECT_TRUE(locks_.HasWriterUpTo(100, Write("b/1").key));
  EXPECT_TRUE(locks_.HasWriterUpTo(90, Bucket("b")));
  EXPECT_FALSE(locks_.HasWriterUpTo(89, Bucket("b")));
  EXPECT_FALSE(locks_.HasWriterUpTo(100, Write("b/2").key));
}

TEST_F(LockTableTest, IsEmptyWhenNobodyHoldsAnything) {
  EXPECT_TRUE(Claim(1, {Write("k")}, {Prefix("p")}));
  EXPECT_FALSE(locks_.empty());
  EXPECT_THAT(Release(1), IsEmpty());
  EXPECT_TRUE(locks_.empty());
  EXPECT_FALSE(locks_.IsClaimed(Write("p1").key));
}

// Against a plain model: a claim is granted when nothing that conflicts with it came before it.
class LockModel {
 public:
  struct Claim {
    std::vector<LockTable::KeyWish> keys;
    std::vector<model::KeyRange> ranges;
  };

  static bool Covers(const Claim& ranges, const Claim& keys) {
    for (const model::KeyRange& range : ranges.ranges) {
      for (const LockTable::KeyWish& wish : keys.keys) {
        if (wish.is_exclusive && range.Contains(wish.key.bytes)) return true;
      }
    }
    return false;
  }
  static bool Conflict(const Claim& a, const Claim& b) {
    for (const LockTable::KeyWish& x : a.keys) {
      for (const LockTable::KeyWish& y : b.keys) {
        if (x.key.bytes == y.key.bytes && (x.is_exclusive || y.is_exclusive)) return true;
      }
    }
    return Covers(a, b) || Covers(b, a);
  }
  bool IsGranted(LockTable::Owner owner) const {
    for (const auto& [before, claim] : claims) {
      if (before >= owner) return true;
      if (Conflict(claim, claims.at(owner))) return false;
    }
    return true;
  }

  std::map<LockTable::Owner, Claim> claims;
};

LockModel::Claim RandomClaim(std::mt19937& random) {
  static constexpr std::string_view kKeys[] = {"a", "b/1", "b/2", "b/c/1", "d"};
  static constexpr std::string_view kRanges[] = {"", "b", "b/", "b/c", "d"};
  LockModel::Claim claim;
  for (const std::string_view key : kKeys) {
    if (random() % 3 == 0) claim.keys.push_back(random() % 2 == 0 ? Write(key) : Read(key));
  }
  if (random() % 3 == 0) {
    const std::string_view text = kRanges[random() % 5];
    claim.ranges.push_back(random() % 2 == 0 ? Prefix(text) : Bucket(text));
  }
  return claim;
}

TEST(LockTableModelTest, GrantsExactlyWhatNothingConflictsWithThatCameBefore) {
  std::mt19937 random(7);
  LockTable locks;
  LockModel model;
  std::map<LockTable::Owner, std::unique_ptr<engine::Run>> runs;
  std::set<LockTable::Owner> granted;
  for (LockTable::Owner owner = 1; owner <= 3'000; ++owner) {
    runs[owner] = std::make_unique<engine::Run>();
    runs[owner]->owner = owner;
    const LockModel::Claim& claim = model.claims[owner] = RandomClaim(random);
    if (locks.Claim(owner, runs[owner].get(), {claim.keys, claim.ranges, 0})) granted.insert(owner);
    while (model.claims.size() > random() % 8) {
      const auto gone = std::next(model.claims.begin(),
                                  static_cast<std::ptrdiff_t>(random() % model.claims.size()));
      std::vector<engine::Run*> let_in;
      locks.Release(gone->first, let_in);
      granted.erase(gone->first);
      model.claims.erase(gone);
      for (const engine::Run* run : let_in) EXPECT_TRUE(granted.insert(run->owner).second);
    }
    for (const auto& [open, unused] : model.claims) {
      ASSERT_EQ(granted.contains(open), model.IsGranted(open)) << "claim " << open;
    }
  }
}

// With priorities nobody is told when, but everybody comes in once those who hold have gone, nobody
// beside one that conflicts.
TEST(LockTableModelTest, WithPrioritiesNobodyWaitsForGoodOrBesideAConflict) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    LockTable locks;
    std::map<LockTable::Owner, LockModel::Claim> claims;
    std::map<LockTable::Owner, std::unique_ptr<engine::Run>> runs;
    std::set<LockTable::Owner> holding;
    LockTable::Owner last = 0;
    const auto let_in = [&](LockTable::Owner owner) {
      for (const LockTable::Owner other : holding) {
        EXPECT_FALSE(LockModel::Conflict(claims[owner], claims[other]));
      }
      EXPECT_TRUE(holding.insert(owner).second);
    };
    const auto release = [&](LockTable::Owner owner) {
      std::vector<engine::Run*> granted;
      locks.Release(owner, granted);
      holding.erase(owner);
      claims.erase(owner);
      for (const engine::Run* run : granted) let_in(run->owner);
    };
    for (int step = 0; step < 40; ++step) {
      if (random() % 3 != 0 || claims.empty()) {
        const LockTable::Owner owner = ++last;
        runs[owner] = std::make_unique<engine::Run>();
        runs[owner]->owner = owner;
        const LockModel::Claim& claim = claims[owner] = RandomClaim(random);
        const int priority = static_cast<int>(random() % 3);
        if (locks.Claim(owner, runs[owner].get(), {claim.keys, claim.ranges, priority})) {
          let_in(owner);
        }
      } else {
        release(std::next(claims.begin(), static_cast<std::ptrdiff_t>(random() % claims.size()))
                    ->first);
      }
    }
    while (!holding.empty()) release(*holding.begin());
    EXPECT_TRUE(claims.empty()) << "round " << round;
    EXPECT_TRUE(locks.empty());
  }
}

}  // namespace
}  // namespace palena::engine
