#include <gtest/gtest.h>

#include "base/limits.h"
#include "wire/codec.h"
#include "wire/samples.h"

namespace palena::wire {
namespace {

// Decodes the one frame that `append` makes; `out` refers to `framed` and `decoder`.
class RequestRoundTripTest : public testing::Test {
 protected:
  template <typename Request>
  const Request& Decoded() {
    const base::Status status = decoder_.Decode(PayloadOf(framed_), message_);
    EXPECT_TRUE(status.ok()) << status;
    return std::get<Request>(message_.request);
  }

  std::string framed_;
  RequestDecoder decoder_;
  ClientMessage message_;
};

void ExpectSameRequest(const model::RequestView& got, const model::RequestView& want) {
  EXPECT_EQ(got.script, want.script);
  EXPECT_EQ(got.program_id, want.program_id);
  EXPECT_EQ(got.timeout_ms, want.timeout_ms);
  ASSERT_EQ(got.parameters.size(), want.parameters.size());
  for (std::size_t i = 0; i < want.parameters.size(); ++i) {
    EXPECT_EQ(got.parameters[i].name, want.parameters[i].name);
    EXPECT_EQ(got.parameters[i].slot, want.parameters[i].slot);
    EXPECT_EQ(got.parameters[i].value, want.parameters[i].value);
  }
}

TEST_F(RequestRoundTripTest, ExecuteByScript) {
  AppendExecute(framed_, 9, SampleRequest());
  ExpectSameRequest(Decoded<ExecuteRequest>().request, SampleRequest());
  EXPECT_EQ(message_.id, 9u);
}

TEST_F(RequestRoundTripTest, ExecuteByProgramId) {
  AppendExecute(framed_, UINT64_MAX, PreparedRequest());
  ExpectSameRequest(Decoded<ExecuteRequest>().request, PreparedRequest());
  EXPECT_EQ(message_.id, UINT64_MAX);
}

void ExpectSameCalls(std::span<const model::CallView> got, std::span<const model::CallView> want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(got[i].is_required, want[i].is_required);
    model::RequestView request = want[i].request;
    request.timeout_ms = 0;  // is the whole's
    ExpectSameRequest(got[i].request, request);
  }
}

TEST_F(RequestRoundTripTest, ExecuteMany) {
  AppendExecuteMany(framed_, 9, SampleMany());
  const model::ManyRequestView& got = Decoded<ExecuteManyRequest>().request;
  ExpectSameCalls(got.calls, SampleMany().calls);
  ExpectSameCalls(got.otherwise, SampleMany().otherwise);
  EXPECT_EQ(got.timeout_ms, SampleMany().timeout_ms);
  EXPECT_EQ(message_.id, 9u);
}

TEST_F(RequestRoundTripTest, ExecuteManyWithAsManyCallsAsTheLimit) {
  const std::vector<model::CallView> calls(base::kCallsMax, {PreparedRequest(), true});
  AppendExecuteMany(framed_, 1, {calls, calls, 0});
  ExpectSameCalls(Decoded<ExecuteManyRequest>().request.calls, calls);
  ExpectSameCalls(Decoded<ExecuteManyRequest>().request.otherwise, calls);
}

TEST_F(RequestRoundTripTest, AnEmptyScriptIsAScript) {
  AppendExecute(framed_, 1, model::RequestView{});
  EXPECT_EQ(Decoded<ExecuteRequest>().request.script, "");
}

TEST_F(RequestRoundTripTest, AsManyParametersAsTheLimit) {
  const std::vector<model::ParameterView> parameters(base::kParametersMax,
                                                     model::ParameterView{"@p", -1, "v"});
  model::RequestView request;
  request.parameters = parameters;
  AppendExecute(framed_, 1, request);
  EXPECT_EQ(Decoded<ExecuteRequest>().request.parameters.size(), base::kParametersMax);
}

TEST_F(RequestRoundTripTest, Hello) {
  AppendHello(framed_, 1, {1, "secret\xFF", "tester"});
  EXPECT_EQ(Decoded<HelloRequest>().protocol_version, 1u);
  EXPECT_EQ(Decoded<HelloRequest>().token, "secret\xFF");
  EXPECT_EQ(Decoded<HelloRequest>().client_name, "tester");
}

TEST_F(RequestRoundTripTest, KeepsTheFrontOfALongClientNameWithoutSplittingACharacter) {
  AppendHello(framed_, 1, {1, "", std::string(63, 'n') + "\xC3\xA9tail"});
  EXPECT_EQ(Decoded<HelloRequest>().client_name, std::string(63, 'n'));
}

TEST_F(RequestRoundTripTest, Prepare) {
  AppendPrepare(framed_, 4, "return @x");
  EXPECT_EQ(Decoded<PrepareRequest>().script, "return @x");
}

TEST_F(RequestRoundTripTest, PingAndInfo) {
  AppendPing(framed_, 5);
  Decoded<PingRequest>();
  EXPECT_EQ(message_.id, 5u);
  framed_.clear();
  AppendInfo(framed_, 0);
  Decoded<InfoRequest>();
  EXPECT_EQ(message_.id, 0u);
}

ServerMessage DecodedReply(const std::string& framed) {
  base::StatusOr<ServerMessage> message = DecodeReply(PayloadOf(framed));
  EXPECT_TRUE(message.ok()) << message.status();
  return message.ok() ? *message : ServerMessage{};
}

void ExpectSameValue(const model::ResultValue& got, const model::ResultValue& want) {
  EXPECT_EQ(got.key, want.key);
  EXPECT_EQ(got.is_null, want.is_null);
  EXPECT_EQ(got.value, want.value);
  EXPECT_EQ(got.revision, want.revision);
  EXPECT_EQ(got.expires_ms, want.expires_ms);
  EXPECT_EQ(got.last_modified_ms, want.last_modified_ms);
}

void ExpectSameResult(const model::Result& got, const model::Result& want) {
  EXPECT_EQ(got.type, want.type);
  EXPECT_EQ(got.code, want.code);
  EXPECT_EQ(got.applied, want.applied);
  EXPECT_EQ(got.truncated, want.truncated);
  EXPECT_EQ(got.line, want.line);
  EXPECT_EQ(got.reason, want.reason);
  EXPECT_EQ(got.stamp, want.stamp);
  ASSERT_EQ(got.values.size(), want.values.size());
  for (std::size_t i = 0; i < want.values.size(); ++i)
    ExpectSameValue(got.values[i], want.values[i]);
}

TEST(ReplyRoundTripTest, ResultsOfAllShapes) {
  for (const model::Result& result : ResultsOfAllShapes()) {
    std::string framed;
    AppendResult(framed, 77, result);
    const ServerMessage message = DecodedReply(framed);
    EXPECT_EQ(message.id, 77u);
    ExpectSameResult(std::get<model::Result>(message.reply), result);
  }
}

void ExpectSameResults(const std::vector<model::Result>& got,
                       const std::vector<model::Result>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) ExpectSameResult(got[i], want[i]);
}

TEST(ReplyRoundTripTest, ManyResultsOfAllShapes) {
  for (const model::Result& want : ManyResultsOfAllShapes()) {
    std::string framed;
    AppendResult(framed, 77, want);
    const ServerMessage message = DecodedReply(framed);
    const auto& got = std::get<model::Result>(message.reply);
    ExpectSameResult(got, want);
    ASSERT_TRUE(got.many.has_value());
    ExpectSameResults(got.many->calls, want.many->calls);
    ExpectSameResults(got.many->otherwise, want.many->otherwise);
    EXPECT_EQ(got.many->refused, want.many->refused);
    EXPECT_EQ(got.many->failed, want.many->failed);
  }
}

TEST(ReplyRoundTripTest, EncodedBytesIsTheSizeOfTheResultMessage) {
  for (const model::Result& result : ResultsOfAllShapes()) {
    std::string framed;
    AppendResult(framed, 0, result);
    const std::size_t bytes = EncodedBytes(result);
    EXPECT_EQ(PayloadOf(framed).size(), bytes + (bytes < 128 ? 2 : 3));
  }
}

TEST(ReplyRoundTripTest, Hello) {
  std::string framed;
  AppendHelloReply(framed, 1, {"0.1", 12, 0xFEDC'BA98'7654'3210});
  const auto reply = std::get<HelloReply>(DecodedReply(framed).reply);
  EXPECT_EQ(reply.server_version, "0.1");
  EXPECT_EQ(reply.node_id, 12u);
  EXPECT_EQ(reply.boot_id, 0xFEDC'BA98'7654'3210u);
}

TEST(ReplyRoundTripTest, Prepare) {
  std::string framed;
  AppendPrepareReply(framed, 1, {model::ProgramId{9, 8, 7}, {"@key", "@limit"}});
  const auto reply = std::get<PrepareReply>(DecodedReply(framed).reply);
  EXPECT_EQ(reply.program_id, (model::ProgramId{9, 8, 7}));
  EXPECT_EQ(reply.parameters, (std::vector<std::string>{"@key", "@limit"}));
}

TEST(ReplyRoundTripTest, PongAndInfo) {
  std::string framed;
  AppendPong(framed, 3);
  EXPECT_TRUE(std::holds_alternative<PongReply>(DecodedReply(framed).reply));
  framed.clear();
  AppendInfoReply(framed, 4, {{{"keys", -1, ""}, {"version", 0, "0.1"}}});
  const auto reply = std::get<InfoReply>(DecodedReply(framed).reply);
  ASSERT_EQ(reply.metrics.size(), 2u);
  EXPECT_EQ(reply.metrics[0].value, -1);
  EXPECT_EQ(reply.metrics[1].text, "0.1");
}

}  // namespace
}  // namespace palena::wire
