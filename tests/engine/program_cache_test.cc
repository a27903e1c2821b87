#include "engine/program_cache.h"

#include <gtest/gtest.h>

#include <string>

namespace palena::engine {
namespace {

class ProgramCacheTest : public testing::Test {
 protected:
  static std::string Script(int i) { return "return " + std::to_string(i); }

  base::KeyedHash hash_{base::KeyedHash::Secret{}};
  ProgramCacheOptions options_{.programs_max = 3};
  ProgramCache cache_{hash_, options_};
};

TEST_F(ProgramCacheTest, CompilesATextOnce) {
  const ProgramPtr first = *cache_.FindOrCompile("return 1");
  EXPECT_EQ(*cache_.FindOrCompile("return 1"), first);
  EXPECT_EQ(cache_.stats().compiled, 1U);
}

TEST_F(ProgramCacheTest, FindsByIdWhatWasCompiled) {
  const ProgramPtr program = *cache_.FindOrCompile("return 1");
  EXPECT_EQ(cache_.FindId(program->id()), program);
  EXPECT_EQ(cache_.FindId(model::ProgramId{}), nullptr);
}

TEST_F(ProgramCacheTest, TextsThatDifferInOneByteAreDifferentPrograms) {
  EXPECT_NE((*cache_.FindOrCompile("return 1"))->id(), (*cache_.FindOrCompile("return 1 "))->id());
}

TEST_F(ProgramCacheTest, DropsTheLeastRecentlyUsed) {
  const ProgramPtr first = *cache_.FindOrCompile(Script(0));
  const ProgramPtr second = *cache_.FindOrCompile(Script(1));
  cache_.FindOrCompile(Script(2));
  cache_.FindId(first->id());
  cache_.FindOrCompile(Script(3));
  EXPECT_EQ(cache_.FindId(first->id()), first);
  EXPECT_EQ(cache_.FindId(second->id()), nullptr);
  EXPECT_EQ(cache_.stats().programs, 3U);
  EXPECT_EQ(cache_.stats().evicted, 1U);
}

TEST_F(ProgramCacheTest, BytesAreBoundedToo) {
  ProgramCache small(hash_, {.programs_max = 1000, .bytes_max = 10'000});
  for (int i = 0; i < 100; ++i) {
    small.FindOrCompile("# " + std::string(1000, 'x') + "\n" + Script(i));
  }
  EXPECT_LE(small.stats().bytes, 10'000U);
  EXPECT_GE(small.stats().programs, 1U);
}

TEST_F(ProgramCacheTest, AScriptThatDoesNotCompileIsNotKept) {
  EXPECT_FALSE(cache_.FindOrCompile("return (").ok());
  EXPECT_EQ(cache_.stats().programs, 0U);
}

TEST_F(ProgramCacheTest, AShardsOwnCacheAnswersWhatTheSharedOneForgot) {
  LocalProgramCache local(cache_, hash_, options_);
  const script::Program* const program = *local.FindOrCompile(Script(0));
  for (int i = 1; i < 10; ++i) cache_.FindOrCompile(Script(i));
  EXPECT_EQ(cache_.FindId(program->id()), nullptr);
  EXPECT_EQ(local.FindId(program->id()), program);
}

}  // namespace
}  // namespace palena::engine
