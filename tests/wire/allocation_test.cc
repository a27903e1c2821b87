#include <gtest/gtest.h>

#include "base/allocation_count.h"
#include "wire/codec.h"
#include "wire/samples.h"

namespace palena::wire {
namespace {

using base::AllocationCount;

TEST(AllocationTest, ThisBinaryCounts) {
  const std::size_t before = base::AllocationCount();
  const auto owned = std::make_unique<int>(1);
  EXPECT_EQ(base::AllocationCount(), before + 1);
}

TEST(AllocationTest, DecodingAnExecuteWithThreeParametersTakesNoneOnceWarm) {
  std::string framed;
  AppendExecute(framed, 1, PreparedRequest());
  RequestDecoder decoder;
  ClientMessage message;
  ASSERT_TRUE(decoder.Decode(PayloadOf(framed), message).ok());

  const std::size_t before = base::AllocationCount();
  const bool decoded = decoder.Decode(PayloadOf(framed), message).ok();
  EXPECT_EQ(base::AllocationCount(), before);
  EXPECT_TRUE(decoded);
}

TEST(AllocationTest, DecodingAnExecuteManyTakesNoneOnceWarm) {
  std::string framed;
  AppendExecuteMany(framed, 1, SampleMany());
  RequestDecoder decoder;
  ClientMessage message;
  ASSERT_TRUE(decoder.Decode(PayloadOf(framed), message).ok());

  const std::size_t before = base::AllocationCount();
  const bool decoded = decoder.Decode(PayloadOf(framed), message).ok();
  EXPECT_EQ(base::AllocationCount(), before);
  EXPECT_TRUE(decoded);
}

TEST(AllocationTest, EncodingAResultOfManyIntoAWarmBufferTakesNone) {
  const model::Result result = ManyResultsOfAllShapes()[1];
  std::string out;
  AppendResult(out, 1, result);
  out.clear();

  const std::size_t before = base::AllocationCount();
  AppendResult(out, 2, result);
  EXPECT_EQ(base::AllocationCount(), before);
}

TEST(AllocationTest, EncodingAResultWithOneShortValueIntoAWarmBufferTakesNone) {
  const model::Result result = ResultOf(ValueOf("", model::Value::Integer(1), -1));
  std::string out;
  AppendResult(out, 1, result);
  out.clear();

  const std::size_t before = base::AllocationCount();
  AppendResult(out, 2, result);
  EXPECT_EQ(base::AllocationCount(), before);
}

TEST(AllocationTest, EncodingGrowsAColdBufferOnce) {
  const model::Result result =
      ResultOf(ValueOf("k", model::Value::Bytes(std::string(500, 'x')), 1));
  std::string out;
  const std::size_t before = base::AllocationCount();
  AppendResult(out, 1, result);
  EXPECT_EQ(base::AllocationCount(), before + 1);
}

}  // namespace
}  // namespace palena::wire
