#include "base/bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace palena::base {
namespace {

TEST(BytesTest, LittleEndianPutsTheLowByteFirst) {
  std::string out;
  AppendLittle<std::uint32_t>(out, 0x01020304);
  EXPECT_EQ(out, std::string("\x04\x03\x02\x01"));
  EXPECT_EQ(LoadLittle<std::uint32_t>(out.data()), 0x01020304u);
}

TEST(BytesTest, BigEndianPutsTheHighByteFirst) {
  std::string out;
  AppendBig<std::uint16_t>(out, 0x0102);
  EXPECT_EQ(out, std::string("\x01\x02"));
  EXPECT_EQ(LoadBig<std::uint16_t>(out.data()), 0x0102u);
}

TEST(BytesTest, TheOrderOfBigEndianBytesIsThatOfTheNumbers) {
  std::string last;
  for (const std::uint64_t value : {0ull, 1ull, 255ull, 256ull, 65'535ull, 1ull << 40, ~0ull}) {
    std::string next;
    AppendBig<std::uint64_t>(next, value);
    EXPECT_EQ(LoadBig<std::uint64_t>(next.data()), value);
    EXPECT_LT(last, next);
    last = next;
  }
}

TEST(BytesTest, TakesIntegersOffTheFront) {
  std::string bytes;
  AppendLittle<std::uint8_t>(bytes, 7);
  AppendLittle<std::uint64_t>(bytes, std::numeric_limits<std::uint64_t>::max());
  std::string_view in = bytes;
  std::uint8_t small = 0;
  std::uint64_t large = 0;
  EXPECT_TRUE(TakeLittle(in, small) && TakeLittle(in, large));
  EXPECT_EQ(small, 7);
  EXPECT_EQ(large, std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(in.empty());
}

TEST(BytesTest, TakesNothingFromTooFewBytes) {
  std::string_view in = "abc";
  std::uint32_t value = 9;
  EXPECT_FALSE(TakeLittle(in, value));
  EXPECT_EQ(in, "abc");
  EXPECT_EQ(value, 9u);
}

}  // namespace
}  // namespace palena::base
