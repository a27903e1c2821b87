#include "conformance/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace palena::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Step StepOf(const std::string& script,
            std::vector<std::pair<std::string, std::string>> parameters = {}) {
  return {.sleep_ms = 0, .script = script, .parameters = std::move(parameters), .expect = {}};
}

bool NeedsOneShard(const Step& step) {
  return conformance::NeedsOneShard({.id = "a-1", .group = "a", .note = "", .steps = {step}});
}

TEST(KeysTest, KeysAreFoundWhereverTheyStandAndParametersAreResolved) {
  EXPECT_THAT(
      KeysOf(StepOf("let v = get a if v == null then set @k 1 else del 'c' end", {{"@k", "b"}})),
      ElementsAre("a", "b", "c"));
  EXPECT_THAT(KeysOf(StepOf("return 1")), IsEmpty());
  EXPECT_THAT(KeysOf(StepOf("this is no script")), IsEmpty());
}

TEST(NeedsOneShardTest, OneKeyMayLiveAnywhereHoweverItIsNamed) {
  EXPECT_FALSE(NeedsOneShard(StepOf("eset a 1 return 1")));
  EXPECT_FALSE(NeedsOneShard(StepOf("get a set a 1 eset @k 2", {{"@k", "a"}})));
  EXPECT_FALSE(NeedsOneShard(StepOf("set a")));
}

TEST(NeedsOneShardTest, SeveralKeysBucketsAndPrefixesMustShareAShard) {
  EXPECT_TRUE(NeedsOneShard(StepOf("set a 1 set b 2")));
  EXPECT_TRUE(NeedsOneShard(StepOf("set a 1 set @k 2", {{"@k", "b"}})));
  EXPECT_TRUE(NeedsOneShard(StepOf("get by bucket b")));
  EXPECT_TRUE(NeedsOneShard(StepOf("scan by prefix p")));
}

TEST(NeedsOneShardTest, StepsWithAKeyEachNeedNoCommonShard) {
  EXPECT_FALSE(conformance::NeedsOneShard(
      {.id = "a-1", .group = "a", .note = "", .steps = {StepOf("set a 1"), StepOf("set b 1")}}));
}

}  // namespace
}  // namespace palena::conformance
