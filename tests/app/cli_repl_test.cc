#include "app/cli_repl.h"

#include <gtest/gtest.h>

namespace palena::app {
namespace {

TEST(ReplTest, ALineIsAScript) {
  EXPECT_FALSE(Repl::GoesOn("get k"));
  EXPECT_FALSE(Repl::GoesOn(""));
}

TEST(ReplTest, AScriptGoesOnWhileABlockIsOpen) {
  EXPECT_TRUE(Repl::GoesOn("if true then"));
  EXPECT_TRUE(Repl::GoesOn("begin\nfor i in 1..2 do set k i end"));
  EXPECT_FALSE(Repl::GoesOn("if true then\nreturn 1\nend"));
}

TEST(ReplTest, WordsInQuotesAndCommentsOpenNoBlock) {
  EXPECT_FALSE(Repl::GoesOn("set k 'if' # begin"));
}

TEST(ReplTest, ABackslashAtTheEndGoesOn) {
  EXPECT_TRUE(Repl::GoesOn("set k \\"));
}

TEST(ReplTest, AFaultyTextIsSentSoThatTheNodeCanSayWhatIsWrong) {
  EXPECT_FALSE(Repl::GoesOn("if 'unterminated"));
}

TEST(ReplTest, CommandsNeverGoOn) {
  EXPECT_FALSE(Repl::GoesOn(".set k=\\"));
}

TEST(ReplTest, WhoeverWantsHelpOrOutIsToldTheCommand) {
  EXPECT_EQ(Repl::CommandMeantBy("help"), ".help");
  EXPECT_EQ(Repl::CommandMeantBy("?"), ".help");
  EXPECT_EQ(Repl::CommandMeantBy("exit"), ".quit");
  EXPECT_EQ(Repl::CommandMeantBy("quit"), ".quit");
  EXPECT_EQ(Repl::CommandMeantBy("eget quit"), "");
  EXPECT_EQ(Repl::CommandMeantBy("let exit = 1"), "");
}

}  // namespace
}  // namespace palena::app
