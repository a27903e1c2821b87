// The engine answers what its twin answers: script by script, on both paths, and the stores are
// equal at the end of each story.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hostile.h"
#include "twin/coverage.h"
#include "twin/features.h"
#include "twin/story.h"

namespace palena::twin {
namespace {

// As many as language and engine are owed; slow builds, where a script costs ten times as much, get
// a share.
constexpr std::uint64_t kAllScripts = 200'000;
std::uint64_t ScriptsToRun() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  return 10'000;
#else
  return base::IsHostile() ? 20'000 : kAllScripts;
#endif
}

TEST(TwinTest, EngineAndTwinAnswerAlikeOnBothPathsAndEverythingIsReached) {
  Coverage coverage;
  const Stories stories = RunStories(1, ScriptsToRun(), {}, &coverage);
  std::printf("%s\n", coverage.Text().c_str());
  EXPECT_FALSE(stories.mismatch.has_value()) << *stories.mismatch;
  EXPECT_GE(stories.scripts, ScriptsToRun());
  EXPECT_GE(coverage.result_share(), 0.4);
  // The rarest messages need them all; a share says nothing about what it has not reached.
  if (ScriptsToRun() < kAllScripts) return;
  EXPECT_THAT(coverage.Gaps(kGenerated), testing::IsEmpty());
}

class PlantedFaultTest : public testing::TestWithParam<PlantedFault> {};

TEST_P(PlantedFaultTest, IsFound) {
  const StoryOptions options{kGenerated, GetParam().fault, false};
  const Stories stories = RunStories(1, 50'000, options, nullptr);
  EXPECT_TRUE(stories.mismatch.has_value()) << "a wrong twin passed for right";
  std::printf("             found after %llu scripts\n",
              static_cast<unsigned long long>(stories.scripts));
}

INSTANTIATE_TEST_SUITE_P(Planted, PlantedFaultTest,
                         testing::ValuesIn(std::begin(kPlantedFaults) + 1,
                                           std::end(kPlantedFaults)),
                         [](const auto& planted) { return std::string(planted.param.name); });

}  // namespace
}  // namespace palena::twin
