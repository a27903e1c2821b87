#include "store/acked_watermark.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/inline_executor.h"
#include "base/temp_dir.h"

namespace palena::store {
namespace {

class WatermarkTest : public ::testing::Test {
 protected:
  WatermarkFile Open() { return WatermarkFile::Open(dir_.path()).value(); }
  // Spoils a byte of the slot that was written as the n-th of two.
  void Spoil(int slot) {
    std::fstream file(dir_ / "ACKED", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(slot * 4096 + 9);
    file.put('\x7F');
  }

  base::TempDir dir_;
};

TEST_F(WatermarkTest, StartsAtZero) {
  EXPECT_EQ(Open().value(), 0u);
}

TEST_F(WatermarkTest, RemembersTheHighest) {
  for (Sequence value = 1; value <= 5; ++value) {
    ASSERT_TRUE(Open().Write(value).ok());
    EXPECT_EQ(Open().value(), value);
  }
}

TEST_F(WatermarkTest, ASpoiltSlotLeavesTheOther) {
  WatermarkFile file = Open();
  ASSERT_TRUE(file.Write(1).ok());
  ASSERT_TRUE(file.Write(2).ok());
  Spoil(1);
  EXPECT_EQ(Open().value(), 1u);
}

TEST_F(WatermarkTest, ATornFirstWriteIsANewFile) {
  ASSERT_TRUE(Open().Write(1).ok());
  std::filesystem::resize_file(dir_ / "ACKED", 11);
  EXPECT_EQ(Open().value(), 0u);
}

TEST_F(WatermarkTest, TwoSpoiltSlotsAreDamage) {
  WatermarkFile file = Open();
  ASSERT_TRUE(file.Write(1).ok());
  ASSERT_TRUE(file.Write(2).ok());
  Spoil(0);
  Spoil(1);
  EXPECT_EQ(WatermarkFile::Open(dir_.path()).status().code(), base::StatusCode::kDataLoss);
}

TEST_F(WatermarkTest, ClearingStartsAgain) {
  WatermarkFile file = Open();
  ASSERT_TRUE(file.Write(9).ok());
  ASSERT_TRUE(file.Clear().ok());
  ASSERT_TRUE(file.Write(3).ok());
  EXPECT_EQ(Open().value(), 3u);
}

TEST_F(WatermarkTest, IsWrittenAtMostOnceASecond) {
  base::ManualClock clock;
  base::InlineExecutor executor(clock);
  const auto watermark = std::make_shared<AckedWatermark>(Open(), executor, nullptr);
  watermark->Note(1);
  watermark->Note(2);
  clock.AdvanceMs(999);
  EXPECT_FALSE(executor.RunReady());
  EXPECT_EQ(Open().value(), 0u);
  clock.AdvanceMs(1);
  EXPECT_TRUE(executor.RunReady());
  EXPECT_EQ(Open().value(), 2u);
  EXPECT_EQ(executor.NextDelayNs(), -1) << "nothing noted, nothing scheduled";
}

}  // namespace
}  // namespace palena::store
