// Messages of named limits: there and back, with the bytes of the generated classes.

#include <gtest/gtest.h>
#include <palena/v1/palena.pb.h>

#include <string>

#include "wire/codec.h"
#include "wire/samples.h"

namespace palena::wire {
namespace {

void ExpectSameWish(const model::TakeWish& got, const model::TakeWish& want) {
  EXPECT_EQ(got.limit, want.limit);
  EXPECT_EQ(got.cost, want.cost);
  EXPECT_EQ(got.owner, want.owner);
  ASSERT_EQ(got.parts.size(), want.parts.size());
  for (std::size_t i = 0; i < want.parts.size(); ++i) {
    EXPECT_EQ(got.parts[i].name, want.parts[i].name);
    EXPECT_EQ(got.parts[i].value, want.parts[i].value);
  }
}

TEST(LimitCodecTest, Take) {
  std::string framed;
  AppendTake(framed, 9, SampleTake());
  RequestDecoder decoder;
  ClientMessage message;
  ASSERT_TRUE(decoder.Decode(PayloadOf(framed), message).ok());
  EXPECT_EQ(message.id, 9u);
  const model::TakeRequest& got = std::get<TakeRequest>(message.request).request;
  const model::TakeRequest want = SampleTake();
  EXPECT_EQ(got.mode, want.mode);
  EXPECT_EQ(got.timeout_ms, want.timeout_ms);
  ASSERT_EQ(got.wishes.size(), want.wishes.size());
  for (std::size_t i = 0; i < want.wishes.size(); ++i) {
    ExpectSameWish(got.wishes[i], want.wishes[i]);
  }
}

TEST(LimitCodecTest, ATakeWithoutACostCostsOneAndACostOfNothingIsNothing) {
  v1::ClientFrame frame;
  frame.mutable_take()->add_wishes();
  frame.mutable_take()->add_wishes()->set_cost(0);
  const std::string payload = frame.SerializeAsString();
  RequestDecoder decoder;
  ClientMessage message;
  ASSERT_TRUE(decoder.Decode(payload, message).ok());
  EXPECT_EQ(std::get<TakeRequest>(message.request).request.wishes[0].cost, 1);
  EXPECT_EQ(std::get<TakeRequest>(message.request).request.wishes[1].cost, 0);
}

TEST(LimitCodecTest, ResetAndList) {
  std::string framed;
  AppendResetLimit(framed, 3, SampleTake().wishes[0]);
  RequestDecoder decoder;
  ClientMessage message;
  ASSERT_TRUE(decoder.Decode(PayloadOf(framed), message).ok());
  ExpectSameWish(std::get<ResetLimitRequest>(message.request).wish, SampleTake().wishes[0]);
  framed.clear();
  AppendListLimits(framed, 4);
  ASSERT_TRUE(decoder.Decode(PayloadOf(framed), message).ok());
  EXPECT_TRUE(std::holds_alternative<ListLimitsRequest>(message.request));
}

std::string Refusal(const v1::ClientFrame& frame) {
  const std::string payload = frame.SerializeAsString();
  RequestDecoder decoder;
  ClientMessage message;
  return std::string(decoder.Decode(payload, message).message());
}

TEST(LimitCodecTest, RefusesWhatIsNoTake) {
  v1::ClientFrame frame;
  frame.mutable_take()->set_mode(static_cast<v1::TakeMode>(9));
  EXPECT_EQ(Refusal(frame), "Take: an unknown enum value at field 1");
  frame.mutable_take()->set_mode(v1::TAKE);
  frame.mutable_take()->add_wishes()->set_cost(UINT64_MAX);
  EXPECT_EQ(
      Refusal(frame),
      "Wish: a number out of range (18446744073709551615, at most 9223372036854775807) at field 3");
  for (int i = 0; i < 1'024; ++i) frame.mutable_take()->add_wishes();
  frame.mutable_take()->mutable_wishes(0)->clear_cost();
  EXPECT_EQ(Refusal(frame), "Take: more than 1024 wishes");
  frame.mutable_reset_limit();
  EXPECT_EQ(Refusal(frame), "ResetLimit: not one wish");
}

ServerMessage DecodedReply(const std::string& framed) {
  base::StatusOr<ServerMessage> message = DecodeReply(PayloadOf(framed));
  EXPECT_TRUE(message.ok()) << message.status();
  return message.ok() ? *message : ServerMessage{};
}

v1::ServerFrame GeneratedReply(std::uint64_t id, const model::TakeAnswer& answer) {
  v1::ServerFrame frame;
  frame.set_id(id);
  v1::TakeReply& reply = *frame.mutable_take();
  reply.set_allowed(answer.is_allowed);
  reply.set_retry_after_ms(answer.retry_after_ms);
  for (const model::TakeRecord& record : answer.records) {
    v1::LimitRecord& added = *reply.add_records();
    added.set_limit(record.limit);
    added.set_allowed(record.is_allowed);
    added.set_quota(record.quota);
    added.set_remaining(record.remaining);
    added.set_retry_after_ms(record.retry_after_ms);
    added.set_reset_at_ms(record.reset_at_ms);
    added.set_window_ms(record.window_ms);
    added.set_shadow_refused(record.is_shadow_refused);
  }
  reply.set_code(static_cast<v1::Code>(answer.code));
  reply.set_reason(answer.reason);
  reply.set_line(static_cast<std::uint32_t>(answer.line));
  if (answer.stamp != hlc::Stamp{}) {
    reply.mutable_stamp()->set_ms(static_cast<std::uint64_t>(answer.stamp.time.ms()));
    reply.mutable_stamp()->set_counter(answer.stamp.time.counter());
    reply.mutable_stamp()->set_node(answer.stamp.node);
  }
  reply.set_applied(static_cast<v1::Applied>(answer.applied));
  return frame;
}

TEST(LimitCodecTest, TakeRepliesHaveTheBytesOfTheGeneratedClasses) {
  for (const model::TakeAnswer& answer : TakeAnswersOfAllShapes()) {
    std::string framed;
    AppendTakeReply(framed, 77, answer);
    EXPECT_EQ(PayloadOf(framed), GeneratedReply(77, answer).SerializeAsString());
  }
}

TEST(LimitCodecTest, TakeReplies) {
  for (const model::TakeAnswer& want : TakeAnswersOfAllShapes()) {
    std::string framed;
    AppendTakeReply(framed, 77, want);
    const auto got = std::get<model::TakeAnswer>(DecodedReply(framed).reply);
    EXPECT_EQ(got.fault, want.fault);
    EXPECT_EQ(GeneratedReply(77, got).SerializeAsString(),
              GeneratedReply(77, want).SerializeAsString());
  }
}

TEST(LimitCodecTest, LimitLists) {
  const LimitList want = SampleLimitList();
  std::string framed;
  AppendLimitList(framed, 5, want);
  const auto got = std::get<LimitList>(DecodedReply(framed).reply);
  EXPECT_EQ(got.file, want.file);
  ASSERT_EQ(got.limits.size(), 2u);
  EXPECT_EQ(got.limits[0].parameters, want.limits[0].parameters);
  EXPECT_EQ(got.limits[0].errors, UINT64_MAX);
  EXPECT_EQ(got.refused[0].subject, "anna\xFF");
  std::string again;
  AppendLimitList(again, 5, got);
  EXPECT_EQ(again, framed);
}

}  // namespace
}  // namespace palena::wire
