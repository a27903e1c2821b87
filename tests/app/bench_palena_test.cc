#include "app/bench_palena.h"

#include <gtest/gtest.h>

#include "wire/frame.h"

namespace palena::app {
namespace {

using StepKind = BenchProtocol::StepKind;

// The other side of the conversation: what the generator wrote, decoded; what a server says, as
// bytes.
class BenchPalenaTest : public testing::Test {
 protected:
  // Bytes of the next request that was written.
  wire::ClientMessage Request() {
    const wire::FrameStep frame = wire::DecodeFrame(written_, 1 << 20);
    EXPECT_EQ(frame.kind, wire::FrameStep::Kind::kFrame);
    payload_ = frame.payload;
    written_.erase(0, frame.consumed_bytes);
    wire::ClientMessage message;
    EXPECT_TRUE(decoder_.Decode(payload_, message).ok());
    return message;
  }
  BenchProtocol::Step Prepared(PalenaProtocol& protocol, std::vector<std::string> parameters) {
    std::string hello;
    wire::AppendHelloReply(hello, 0, {});
    EXPECT_EQ(protocol.Next(hello, written_).kind, StepKind::kPreparing);
    std::string prepared;
    wire::AppendPrepareReply(prepared, 0, {{7}, std::move(parameters)});
    return protocol.Next(prepared, written_);
  }

  std::string written_;
  std::string payload_;
  wire::RequestDecoder decoder_;
};

TEST_F(BenchPalenaTest, ShakesHandsThenPreparesThenIsReady) {
  PalenaProtocol protocol("get @k", {"@k"});
  protocol.Start(written_);
  EXPECT_TRUE(std::holds_alternative<wire::HelloRequest>(Request().request));
  EXPECT_EQ(Prepared(protocol, {"@k"}).kind, StepKind::kReady);
  EXPECT_EQ(std::get<wire::PrepareRequest>(Request().request).script, "get @k");
}

TEST_F(BenchPalenaTest, SendsValuesInTheOrderOfTheProgramsSlots) {
  PalenaProtocol protocol("script", {"@a", "@unused", "@b"});
  Prepared(protocol, {"@b", "@a"});
  written_.clear();
  const std::vector<std::string> values = {"1", "2", "3"};
  protocol.AppendRequest(written_, 5, values);
  const wire::ClientMessage message = Request();
  EXPECT_EQ(message.id, 5u);
  const auto& request = std::get<wire::ExecuteRequest>(message.request).request;
  ASSERT_EQ(request.parameters.size(), 2u);
  EXPECT_EQ(request.parameters[0].value, "3");
  EXPECT_EQ(request.parameters[1].slot, 1);
  EXPECT_EQ(request.parameters[1].value, "1");
}

TEST_F(BenchPalenaTest, NamesAParameterThatIsMissing) {
  PalenaProtocol protocol("script", {"@a"});
  const BenchProtocol::Step step = Prepared(protocol, {"@a", "@limit"});
  EXPECT_EQ(step.kind, StepKind::kBad);
  EXPECT_EQ(step.error, "the script needs -p @limit=…");
}

TEST_F(BenchPalenaTest, ReportsTheAnswerOfARun) {
  PalenaProtocol protocol("script", {});
  Prepared(protocol, {});
  model::Result result;
  result.values.push_back({});
  result.values.front().is_null = false;
  result.values.front().value = model::Value::Integer(1);
  std::string bytes;
  wire::AppendResult(bytes, 9, result);
  const BenchProtocol::Step step = protocol.Next(bytes, written_);
  ASSERT_EQ(step.kind, StepKind::kAnswer);
  EXPECT_EQ(step.answer.id, 9u);
  EXPECT_TRUE(step.answer.is_ok);
  EXPECT_EQ(step.answer.type, "get");
  EXPECT_EQ(step.answer.first_value, "1");
  EXPECT_EQ(step.consumed_bytes, bytes.size());
}

TEST_F(BenchPalenaTest, WaitsForTheRestOfAMessage) {
  PalenaProtocol protocol("script", {});
  std::string hello;
  wire::AppendHelloReply(hello, 0, {});
  hello.pop_back();
  const BenchProtocol::Step step = protocol.Next(hello, written_);
  EXPECT_EQ(step.kind, StepKind::kNeedMore);
  EXPECT_EQ(step.consumed_bytes, 0u);
}

TEST_F(BenchPalenaTest, EndsWhenTheScriptIsRefused) {
  PalenaProtocol protocol("script", {});
  std::string bytes;
  wire::AppendResult(bytes, 0,
                     model::Result::Failure({model::Code::kSyntax, "Syntax error", 1, {}}));
  const BenchProtocol::Step step = protocol.Next(bytes, written_);
  EXPECT_EQ(step.kind, StepKind::kBad);
  EXPECT_EQ(step.error, "Syntax error at line 1");
}

}  // namespace
}  // namespace palena::app
