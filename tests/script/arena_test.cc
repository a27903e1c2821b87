#include "script/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "script/evaluation.h"

namespace palena::script {
namespace {

TEST(ArenaTest, GivesAlignedMemoryThatDoesNotOverlap) {
  Arena arena;
  char* const a = arena.Allocate(3);
  char* const b = arena.Allocate(5);
  std::memset(a, 'a', 3);
  std::memset(b, 'b', 5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a) % 8, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b) % 8, 0u);
  EXPECT_EQ(std::string(a, 3), "aaa");
  EXPECT_EQ(arena.used_bytes(), 16u);
}

TEST(ArenaTest, GivesDistinctMemoryForNothing) {
  Arena arena;
  EXPECT_NE(arena.Allocate(0), nullptr);
  EXPECT_NE(arena.Allocate(0), arena.Allocate(0));
}

TEST(ArenaTest, KeepsItsFirstBlockAcrossResets) {
  Arena arena;
  char* const before = arena.Allocate(100);
  arena.Allocate(1'000'000);
  arena.Reset();
  EXPECT_EQ(arena.used_bytes(), 0u);
  EXPECT_EQ(arena.Allocate(100), before);
}

TEST(ArenaTest, KeepsASmallBlockEvenIfTheFirstRequestIsLarge) {
  Arena arena;
  arena.Allocate(1'000'000);
  char* const before = arena.Allocate(8);
  arena.Reset();
  EXPECT_EQ(arena.Allocate(8), before);
}

TEST(ArenaTest, RefusesMoreThanItsLimitAndGoesOn) {
  Arena arena(10'000);
  EXPECT_EQ(arena.Allocate(10'001), nullptr);
  EXPECT_EQ(arena.Allocate(SIZE_MAX), nullptr);
  EXPECT_NE(arena.Allocate(5'000), nullptr);
  EXPECT_EQ(arena.Allocate(5'000), nullptr);
  EXPECT_NE(arena.Allocate(1'000), nullptr);
}

TEST(ArenaTest, TakesNoMoreThanItsLimitInManySmallPieces) {
  Arena arena(1 << 20);
  std::size_t given = 0;
  while (arena.Allocate(24) != nullptr) given += 24;
  EXPECT_LE(given, std::size_t{1} << 20);
  EXPECT_GT(given, (std::size_t{1} << 20) * 9 / 10);
}

TEST(ArenaTest, HasRoomAgainAfterReset) {
  Arena arena(100'000);
  for (int round = 0; round < 3; ++round) {
    EXPECT_NE(arena.Allocate(90'000), nullptr);
    EXPECT_EQ(arena.Allocate(90'000), nullptr);
    arena.Reset();
  }
}

TEST(EvaluationTest, NamesTheLimitWhenMemoryIsOut) {
  Evaluation e;
  EXPECT_NE(e.Allocate(1000), nullptr);
  EXPECT_EQ(e.Allocate(base::kRunMemoryBytesMax), nullptr);
  EXPECT_EQ(e.error().message, "Script memory limit exceeded: 16777216");
  EXPECT_EQ(e.error().code, model::Code::kLimit);
}

TEST(EvaluationTest, RemembersWhichParameterIsToBlame) {
  Evaluation e;
  Value culprit = Value::String("x");
  culprit.origin = 3;
  EXPECT_FALSE(e.Fail("no", &culprit));
  EXPECT_EQ(e.culprit_origin(), 3);
  EXPECT_FALSE(e.Fail("no"));
  EXPECT_EQ(e.culprit_origin(), 0);
}

TEST(EvaluationTest, ForgetsTheLastRunOnReset) {
  Evaluation e;
  Value culprit = Value::String("x");
  culprit.origin = 3;
  e.Charge(10);
  e.FailWith(model::Code::kLimit, "too much");
  e.Fail("no", &culprit);
  e.Reset({hlc::HybridTime::FromMs(5), 1});
  EXPECT_EQ(e.steps(), 0u);
  EXPECT_EQ(e.stamp().time.ms(), 5);
  EXPECT_EQ(e.error().message, "");
  EXPECT_EQ(e.error().code, model::Code::kRuntime);
  EXPECT_EQ(e.culprit_origin(), 0);
}

TEST(EvaluationTest, ChargesForTextsBySize) {
  Evaluation e;
  e.ChargeBytes(10);
  EXPECT_EQ(e.steps(), 0u);
  e.ChargeBytes(6400);
  EXPECT_EQ(e.steps(), 100u);
}

}  // namespace
}  // namespace palena::script
