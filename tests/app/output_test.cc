#include "app/output.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "app/exit_status.h"

namespace palena::app {
namespace {

TEST(FinishTest, KeepsTheStatusOfWhatWasWritten) {
  std::ostringstream out;
  std::ostringstream err;
  out << "an answer";
  EXPECT_EQ(Finish("palena", kExitFailed, out, err), kExitFailed);
  EXPECT_EQ(err.str(), "");
}

TEST(FinishTest, SaysThatAnAnswerFoundNoRoom) {
  std::ofstream out("/dev/full");
  std::ostringstream err;
  out << "an answer";
  EXPECT_EQ(Finish("palena", kExitAnswered, out, err), kExitOutput);
  EXPECT_EQ(err.str(), "palena: standard output cannot be written\n");
}

}  // namespace
}  // namespace palena::app
