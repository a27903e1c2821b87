#include "client/known_programs.h"

#include <gtest/gtest.h>

namespace palena::client {
namespace {

TEST(KnownProgramsTest, KnowsWhatWasAddedUntilItIsForgotten) {
  KnownPrograms programs(10, 1000);
  EXPECT_EQ(programs.Find("a"), nullptr);
  programs.Add("a");
  ASSERT_NE(programs.Find("a"), nullptr);
  EXPECT_EQ(programs.Find("a")->state, KnownPrograms::State::kPreparing);
  programs.Forget("a");
  EXPECT_EQ(programs.Find("a"), nullptr);
}

TEST(KnownProgramsTest, ForgetsTheLeastRecentlyUsedBeyondItsNumber) {
  KnownPrograms programs(2, 1000);
  programs.Add("a");
  programs.Add("b");
  programs.Find("a");
  programs.Add("c");
  EXPECT_EQ(programs.Find("b"), nullptr);
  EXPECT_NE(programs.Find("a"), nullptr);
  EXPECT_NE(programs.Find("c"), nullptr);
}

TEST(KnownProgramsTest, ForgetsBeyondItsBytesButKeepsTheNewest) {
  KnownPrograms programs(10, 5);
  programs.Add("aaa");
  programs.Add("bbb");
  EXPECT_EQ(programs.Find("aaa"), nullptr);
  programs.Add("a text above the limit");
  EXPECT_EQ(programs.Find("bbb"), nullptr);
  EXPECT_NE(programs.Find("a text above the limit"), nullptr);
}

TEST(KnownProgramsTest, ClearForgetsAll) {
  KnownPrograms programs(10, 1000);
  programs.Add("a");
  programs.Clear();
  EXPECT_EQ(programs.Find("a"), nullptr);
}

}  // namespace
}  // namespace palena::client
