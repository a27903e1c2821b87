#include "wire/frame.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/bytes.h"

namespace palena::wire {
namespace {

constexpr std::size_t kLimit = 100;
using Kind = FrameStep::Kind;

std::string Header(std::uint32_t length) {
  std::string header;
  base::AppendLittle(header, length);
  return header;
}

std::string FrameOf(std::string_view payload) {
  std::string out;
  const std::size_t start = BeginFrame(out);
  out.append(payload);
  FinishFrame(out, start);
  return out;
}

TEST(FrameTest, RefusesAnEmptyMessage) {
  EXPECT_EQ(DecodeFrame(Header(0), kLimit).kind, Kind::kEmpty);
}

TEST(FrameTest, TakesOneByte) {
  const std::string frame = FrameOf("x");
  const FrameStep step = DecodeFrame(frame, kLimit);
  EXPECT_EQ(step.kind, Kind::kFrame);
  EXPECT_EQ(step.payload, "x");
  EXPECT_EQ(step.consumed_bytes, 5u);
}

TEST(FrameTest, TakesExactlyTheLimit) {
  const std::string payload(kLimit, 'p');
  const std::string frame = FrameOf(payload);
  EXPECT_EQ(DecodeFrame(frame, kLimit).payload, payload);
}

TEST(FrameTest, RefusesLengthAboveLimitFromTheHeaderAlone) {
  for (const std::uint32_t length : {std::uint32_t{kLimit + 1}, std::uint32_t{0x7FFF'FFFF},
                                     std::numeric_limits<std::uint32_t>::max()}) {
    const FrameStep step = DecodeFrame(Header(length), kLimit);
    EXPECT_EQ(step.kind, Kind::kTooLarge);
    EXPECT_EQ(step.announced_bytes, length);
    EXPECT_EQ(step.consumed_bytes, 0u);
  }
}

TEST(FrameTest, WaitsForTheLargestLengthWhenTheLimitAllowsIt) {
  constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();
  const FrameStep step = DecodeFrame(Header(kLargest), kLargest);
  EXPECT_EQ(step.kind, Kind::kNeedMore);
  EXPECT_EQ(step.needed_bytes, std::size_t{kLargest} + kFrameHeaderBytes);
}

TEST(FrameTest, AsksForTheHeaderFirst) {
  for (std::size_t size = 0; size < kFrameHeaderBytes; ++size) {
    const FrameStep step = DecodeFrame(Header(7).substr(0, size), kLimit);
    EXPECT_EQ(step.kind, Kind::kNeedMore);
    EXPECT_EQ(step.needed_bytes, kFrameHeaderBytes);
  }
}

TEST(FrameTest, NeedsMoreAtEverySplitAndThenTheWhole) {
  const std::string frame = FrameOf("hello, frame");
  for (std::size_t size = kFrameHeaderBytes; size < frame.size(); ++size) {
    const FrameStep step = DecodeFrame(std::string_view(frame).substr(0, size), kLimit);
    EXPECT_EQ(step.kind, Kind::kNeedMore);
    EXPECT_EQ(step.needed_bytes, frame.size());
  }
  EXPECT_EQ(DecodeFrame(frame, kLimit).kind, Kind::kFrame);
}

TEST(FrameTest, LeavesTheNextFrameAlone) {
  const std::string two = FrameOf("first") + FrameOf("second");
  const FrameStep first = DecodeFrame(two, kLimit);
  EXPECT_EQ(first.payload, "first");
  EXPECT_EQ(DecodeFrame(std::string_view(two).substr(first.consumed_bytes), kLimit).payload,
            "second");
}

TEST(FrameTest, AppendsBehindWhatIsThere) {
  std::string out = "before";
  const std::size_t start = BeginFrame(out);
  out += "abc";
  FinishFrame(out, start);
  EXPECT_EQ(out, "before" + FrameOf("abc"));
}

}  // namespace
}  // namespace palena::wire
