#include "base/temp_dir.h"

#include <gtest/gtest.h>

#include <fstream>

namespace palena::base {
namespace {

TEST(TempDirTest, TwoAreApart) {
  const TempDir one;
  const TempDir other;
  EXPECT_NE(one.path(), other.path());
}

TEST(TempDirTest, LeavesNothingBehind) {
  std::string path;
  {
    const TempDir dir;
    path = dir.path();
    std::ofstream(dir / "file") << "bytes";
    EXPECT_TRUE(std::filesystem::exists(dir / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace palena::base
