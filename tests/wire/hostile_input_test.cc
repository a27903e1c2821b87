#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <palena/v1/palena.pb.h>

#include <random>

#include "base/limits.h"
#include "wire/codec.h"
#include "wire/samples.h"

namespace palena::wire {
namespace {

using testing::HasSubstr;

base::Status DecodeStatus(std::string_view payload) {
  RequestDecoder decoder;
  ClientMessage message;
  return decoder.Decode(payload, message);
}

std::string RefusalOf(std::string_view payload) {
  const base::Status status = DecodeStatus(payload);
  EXPECT_EQ(status.code(), base::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

// A ClientFrame with the id 1 around the fields of an Execute.
std::string ExecuteWith(std::string_view fields) {
  v1::ClientFrame frame;
  frame.set_id(1);
  frame.mutable_execute()->set_script("s");
  std::string execute = frame.execute().SerializeAsString();
  execute.append(fields);
  std::string payload = "\x08\x01\x22";
  payload.push_back(static_cast<char>(execute.size()));
  return payload + execute;
}

constexpr std::string_view kPing("\x2A\x00", 2);

TEST(HostileInputTest, RefusesAFrameWithoutARequest) {
  EXPECT_THAT(RefusalOf(""), HasSubstr("no known request"));
  EXPECT_THAT(RefusalOf("\x08\x05"), HasSubstr("no known request"));
}

TEST(HostileInputTest, RefusesTwoRequestsInOneFrame) {
  EXPECT_THAT(RefusalOf(std::string(kPing) + std::string(kPing)), HasSubstr("a second request"));
}

TEST(HostileInputTest, RefusesAWrongWireType) {
  EXPECT_THAT(RefusalOf("\x0A\x01x"), HasSubstr("wrong wire type at field 1"));
  EXPECT_THAT(RefusalOf("\x20\x01"), HasSubstr("wrong wire type at field 4"));
}

TEST(HostileInputTest, RefusesAVarintAboveTenBytes) {
  const std::string long_id = "\x08" + std::string(10, '\x80') + "\x01";
  EXPECT_THAT(RefusalOf(long_id + std::string(kPing)), HasSubstr("a broken number"));
}

// Which encoders pad that fill a length in afterwards; the generated classes read five bytes.
TEST(HostileInputTest, RefusesATagOrALengthAboveFiveBytes) {
  const std::string zeros_ahead = "\x80\x80\x80";
  EXPECT_TRUE(DecodeStatus("\xAA" + zeros_ahead + std::string(2, '\0')).ok());
  EXPECT_THAT(RefusalOf("\xAA\x80" + zeros_ahead + std::string(2, '\0')),
              HasSubstr("a broken tag"));
  EXPECT_TRUE(DecodeStatus("\x2A\x80" + zeros_ahead + std::string(1, '\0')).ok());
  EXPECT_THAT(RefusalOf("\x2A\x80\x80" + zeros_ahead + std::string(1, '\0')),
              HasSubstr("a broken length"));
}

std::string ManyWith(const v1::ExecuteMany& many) {
  v1::ClientFrame frame;
  *frame.mutable_execute_many() = many;
  return frame.SerializeAsString();
}

TEST(HostileInputTest, RefusesMoreCallsInAListThanTheLimit) {
  v1::ExecuteMany many;
  for (std::size_t i = 0; i < base::kCallsMax; ++i) {
    many.add_calls()->set_script("s");
    many.add_otherwise()->set_script("s");
  }
  EXPECT_TRUE(DecodeStatus(ManyWith(many)).ok());
  many.add_otherwise()->set_script("s");
  EXPECT_THAT(RefusalOf(ManyWith(many)), HasSubstr("ExecuteMany: more than 32 calls in one list"));
}

TEST(HostileInputTest, RefusesACallWithoutAProgram) {
  v1::ExecuteMany many;
  many.add_calls()->set_script("s");
  many.add_calls();
  EXPECT_THAT(RefusalOf(ManyWith(many)), HasSubstr("Call: neither script nor program_id"));
}

TEST(HostileInputTest, ParametersOfAllCallsCountTogether) {
  v1::ExecuteMany many;
  for (v1::Call* call : {many.add_calls(), many.add_calls()}) {
    call->set_script("s");
    for (std::size_t i = 0; i < base::kParametersMax / 2; ++i) call->add_parameters();
  }
  many.add_otherwise()->set_script("s");
  many.mutable_otherwise(0)->add_parameters();
  EXPECT_TRUE(DecodeStatus(ManyWith(many)).ok());
  many.mutable_otherwise(0)->add_parameters();
  EXPECT_THAT(RefusalOf(ManyWith(many)), HasSubstr("Call: more than 65535 parameters"));
}

TEST(HostileInputTest, RefusesTrailingBytes) {
  EXPECT_FALSE(DecodeStatus(std::string(kPing) + "\x01").ok());
  EXPECT_FALSE(DecodeStatus(std::string(kPing) + std::string(1, '\0')).ok());
}

TEST(HostileInputTest, RefusesALengthBeyondTheEnd) {
  EXPECT_THAT(RefusalOf("\x22\x05"), HasSubstr("a length beyond the end"));
  EXPECT_THAT(RefusalOf("\x22\xFF\xFF\xFF\xFF\x07"), HasSubstr("a length beyond the end"));
}

TEST(HostileInputTest, RefusesGroups) {
  EXPECT_THAT(RefusalOf(std::string(kPing) + "\x7B\x7C"), HasSubstr("a group"));
}

TEST(HostileInputTest, SkipsUnknownFields) {
  const std::string unknown(
      "\x78\x05\x79"
      "12345678"
      "\x7A\x02hi\x7D"
      "1234",
      20);
  EXPECT_TRUE(DecodeStatus(std::string(kPing) + unknown).ok());
  EXPECT_TRUE(DecodeStatus(ExecuteWith(unknown)).ok());
}

TEST(HostileInputTest, TruncationAnywhereIsRefused) {
  std::string framed;
  AppendExecute(framed, 300, SampleRequest());
  const std::string_view payload = PayloadOf(framed);
  for (std::size_t size = 0; size < payload.size(); ++size) {
    EXPECT_FALSE(DecodeStatus(payload.substr(0, size)).ok()) << size;
  }
}

TEST(HostileInputTest, RefusesAProgramIdOfAnotherSize) {
  EXPECT_THAT(RefusalOf("\x22\x05\x12\x03"
                        "abc"),
              HasSubstr("program_id of 3 bytes, must be 16"));
}

TEST(HostileInputTest, RefusesAnExecuteWithoutOrWithTwoPrograms) {
  EXPECT_THAT(RefusalOf(std::string("\x22\x00", 2)), HasSubstr("neither script nor program_id"));
  EXPECT_THAT(RefusalOf(ExecuteWith("\x0A\x01t")), HasSubstr("more than one program"));
}

TEST(HostileInputTest, RefusesASlotOutOfRange) {
  EXPECT_THAT(RefusalOf(ExecuteWith("\x1A\x04\x10\xFF\xFF\x03")),
              HasSubstr("65535, at most 65534"));
}

TEST(HostileInputTest, RefusesMoreParametersThanTheLimit) {
  v1::ClientFrame frame;
  frame.mutable_execute()->set_script("s");
  for (std::size_t i = 0; i <= base::kParametersMax; ++i) frame.mutable_execute()->add_parameters();
  EXPECT_THAT(RefusalOf(frame.SerializeAsString()), HasSubstr("more than 65535 parameters"));
}

TEST(HostileInputTest, RefusesTextThatIsNotUtf8) {
  EXPECT_THAT(RefusalOf("\x12\x03\x1A\x01\xFF"), HasSubstr("Hello: text that is not UTF-8"));
}

TEST(HostileInputTest, ARefusalKnowsTheIdOfItsRequest) {
  RequestDecoder decoder;
  ClientMessage message;
  EXPECT_FALSE(decoder.Decode(std::string("\x08\x2A\x22\x00", 4), message).ok());
  EXPECT_EQ(message.id, 42u);
  EXPECT_FALSE(decoder.Decode(std::string("\x22\x00\x08\x2B", 4), message).ok());
  EXPECT_EQ(message.id, 43u);
}

base::Status ReplyStatus(std::string_view payload) {
  return DecodeReply(payload).status();
}

TEST(HostileInputTest, RefusesUnknownEnumValuesOfAResult) {
  EXPECT_TRUE(ReplyStatus(std::string_view("\x22\x02\x08\x03", 4)).ok());
  EXPECT_FALSE(ReplyStatus("\x22\x02\x08\x05").ok());  // type
  EXPECT_FALSE(ReplyStatus("\x22\x02\x10\x14").ok());  // code
  EXPECT_FALSE(ReplyStatus("\x22\x02\x40\x03").ok());  // applied
}

TEST(HostileInputTest, RefusesAStampBeyondItsBits) {
  EXPECT_FALSE(ReplyStatus("\x22\x06\x32\x04\x10\x80\x80\x04").ok());
  EXPECT_FALSE(ReplyStatus("\x22\x06\x32\x04\x18\x80\x80\x04").ok());
}

TEST(HostileInputTest, RefusesBrokenLimitsInAHello) {
  EXPECT_TRUE(ReplyStatus("\x12\x04\x22\x02\x08\x05").ok());
  EXPECT_FALSE(ReplyStatus("\x12\x03\x22\x01\x08").ok());
  EXPECT_FALSE(ReplyStatus("\x12\x04\x22\x02\x0A\x05").ok());
}

TEST(HostileInputTest, MergesTwoStampsLikeTheGeneratedClasses) {
  const auto message = DecodeReply("\x22\x08\x32\x02\x08\x05\x32\x02\x10\x07");
  ASSERT_TRUE(message.ok()) << message.status();
  const hlc::Stamp& stamp = std::get<model::Result>(message->reply).stamp;
  EXPECT_EQ(stamp.time.ms(), 5);
  EXPECT_EQ(stamp.time.counter(), 7);
}

// Flips, inserts and removes bytes of a valid message: whatever comes out is decoded or refused.
std::string Mutated(std::string bytes, std::mt19937& random) {
  for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t at = random() % (bytes.size() + 1);
    const char byte = static_cast<char>(random());
    if (random() % 3 == 0) {
      bytes.insert(at, 1, byte);
    } else if (at < bytes.size()) {
      random() % 2 == 0 ? bytes.replace(at, 1, 1, byte) : bytes.erase(at, 1);
    }
  }
  return bytes;
}

TEST(HostileInputTest, MutatedRequestsAreDecodedOrRefused) {
  std::mt19937 random(1);
  std::string framed;
  AppendExecute(framed, 77, SampleRequest());
  const std::string valid(PayloadOf(framed));
  RequestDecoder decoder;
  for (int i = 0; i < 20'000; ++i) {
    ClientMessage message;
    const std::string bytes = Mutated(valid, random);
    const base::Status status = decoder.Decode(bytes, message);
    EXPECT_EQ(status.ok(), !std::holds_alternative<std::monostate>(message.request));
    // What is stricter here may not be laxer elsewhere.
    EXPECT_TRUE(!status.ok() || v1::ClientFrame().ParseFromString(bytes));
  }
}

TEST(HostileInputTest, MutatedRepliesAreDecodedOrRefused) {
  std::mt19937 random(2);
  for (const model::Result& result : ResultsOfAllShapes()) {
    std::string framed;
    AppendResult(framed, 77, result);
    const std::string valid(PayloadOf(framed));
    for (int i = 0; i < 1'000; ++i) {
      const std::string bytes = Mutated(valid, random);
      EXPECT_TRUE(!ReplyStatus(bytes).ok() || v1::ServerFrame().ParseFromString(bytes));
    }
  }
}

}  // namespace
}  // namespace palena::wire
