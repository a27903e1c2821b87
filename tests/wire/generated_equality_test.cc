// The bytes of the hand-driven encoders are those of the generated classes, both ways.

#include <gtest/gtest.h>
#include <palena/v1/palena.pb.h>

#include "wire/codec.h"
#include "wire/samples.h"

namespace palena::wire {
namespace {

// Into an Execute or a Call.
template <typename Generated>
void SetProgram(Generated& out, const model::RequestView& request) {
  if (request.program_id) {
    out.set_program_id(request.program_id->data(), request.program_id->size());
  } else {
    out.set_script(std::string(request.script));
  }
  for (const model::ParameterView& p : request.parameters) {
    v1::Parameter& added = *out.add_parameters();
    if (p.slot < 0) added.set_name(std::string(p.name));
    if (p.slot >= 0) added.set_slot(static_cast<std::uint32_t>(p.slot));
    added.set_value(std::string(p.value));
  }
}

void SetCall(v1::Call& out, const model::CallView& call) {
  SetProgram(out, call.request);
  out.set_not_required(!call.is_required);
}

v1::ClientFrame GeneratedMany(std::uint64_t id, const model::ManyRequestView& request) {
  v1::ClientFrame frame;
  frame.set_id(id);
  v1::ExecuteMany& many = *frame.mutable_execute_many();
  for (const model::CallView& call : request.calls) SetCall(*many.add_calls(), call);
  for (const model::CallView& call : request.otherwise) SetCall(*many.add_otherwise(), call);
  many.set_timeout_ms(static_cast<std::uint64_t>(request.timeout_ms));
  return frame;
}

v1::ClientFrame GeneratedExecute(std::uint64_t id, const model::RequestView& request) {
  v1::ClientFrame frame;
  frame.set_id(id);
  v1::Execute& execute = *frame.mutable_execute();
  SetProgram(execute, request);
  execute.set_timeout_ms(static_cast<std::uint64_t>(request.timeout_ms));
  return frame;
}

void AddGenerated(v1::Result& result, const model::ResultValue& value) {
  v1::Value& added = *result.add_values();
  added.set_key(value.key);
  if (!value.is_null) added.set_value(value.value.view().ToText());
  added.set_revision(value.revision);
  added.set_expires_ms(static_cast<std::uint64_t>(value.expires_ms));
  added.set_last_modified_ms(static_cast<std::uint64_t>(value.last_modified_ms));
}

void SetResult(v1::Result& out, const model::Result& result) {
  out.set_type(static_cast<v1::ResultType>(result.type));
  out.set_code(static_cast<v1::Code>(result.code));
  for (const model::ResultValue& value : result.values) AddGenerated(out, value);
  out.set_reason(result.reason);
  out.set_line(static_cast<std::uint32_t>(result.line));
  if (result.stamp != hlc::Stamp{}) {
    out.mutable_stamp()->set_ms(static_cast<std::uint64_t>(result.stamp.time.ms()));
    out.mutable_stamp()->set_counter(result.stamp.time.counter());
    out.mutable_stamp()->set_node(result.stamp.node);
  }
  out.set_truncated(result.truncated);
  out.set_applied(static_cast<v1::Applied>(result.applied));
}

v1::ServerFrame GeneratedResult(std::uint64_t id, const model::Result& result) {
  v1::ServerFrame frame;
  frame.set_id(id);
  if (!result.many.has_value()) {
    SetResult(*frame.mutable_result(), result);
    return frame;
  }
  v1::ManyResult& many = *frame.mutable_many();
  SetResult(*many.mutable_verdict(), result);
  for (const model::Result& one : result.many->calls) SetResult(*many.add_calls(), one);
  for (const model::Result& one : result.many->otherwise) SetResult(*many.add_otherwise(), one);
  for (const std::uint32_t place : result.many->refused) many.add_refused(place);
  many.set_failed_call(static_cast<std::uint32_t>(result.many->failed + 1));
  return frame;
}

TEST(GeneratedEqualityTest, Execute) {
  for (const model::RequestView& request :
       {SampleRequest(), PreparedRequest(), model::RequestView{}}) {
    for (const std::uint64_t id : {std::uint64_t{0}, std::uint64_t{127}, UINT64_MAX}) {
      std::string framed;
      AppendExecute(framed, id, request);
      EXPECT_EQ(PayloadOf(framed), GeneratedExecute(id, request).SerializeAsString());
    }
  }
}

TEST(GeneratedEqualityTest, ResultsOfAllShapes) {
  for (const model::Result& result : ResultsOfAllShapes()) {
    for (const std::uint64_t id : {std::uint64_t{0}, std::uint64_t{128}, UINT64_MAX}) {
      std::string framed;
      AppendResult(framed, id, result);
      EXPECT_EQ(PayloadOf(framed), GeneratedResult(id, result).SerializeAsString());
    }
  }
}

TEST(GeneratedEqualityTest, ExecuteMany) {
  for (const model::ManyRequestView& request : {SampleMany(), model::ManyRequestView{}}) {
    std::string framed;
    AppendExecuteMany(framed, 128, request);
    EXPECT_EQ(PayloadOf(framed), GeneratedMany(128, request).SerializeAsString());
  }
}

TEST(GeneratedEqualityTest, ExecuteManyFromGeneratedBytes) {
  const std::string bytes = GeneratedMany(5, SampleMany()).SerializeAsString();
  RequestDecoder decoder;
  ClientMessage message;
  ASSERT_TRUE(decoder.Decode(bytes, message).ok());
  std::string framed;
  AppendExecuteMany(framed, message.id, std::get<ExecuteManyRequest>(message.request).request);
  EXPECT_EQ(PayloadOf(framed), bytes);
}

TEST(GeneratedEqualityTest, ManyResultsOfAllShapes) {
  for (const model::Result& result : ManyResultsOfAllShapes()) {
    std::string framed;
    AppendResult(framed, 9, result);
    const std::string bytes = GeneratedResult(9, result).SerializeAsString();
    EXPECT_EQ(PayloadOf(framed), bytes);
    const base::StatusOr<ServerMessage> message = DecodeReply(bytes);
    ASSERT_TRUE(message.ok()) << message.status();
    std::string again;
    AppendResult(again, message->id, std::get<model::Result>(message->reply));
    EXPECT_EQ(PayloadOf(again), bytes);
  }
}

// Decoding and encoding again gives the generated bytes back.
TEST(GeneratedEqualityTest, ExecuteFromGeneratedBytes) {
  RequestDecoder decoder;
  for (const model::RequestView& request : {SampleRequest(), PreparedRequest()}) {
    const std::string bytes = GeneratedExecute(5, request).SerializeAsString();
    ClientMessage message;
    ASSERT_TRUE(decoder.Decode(bytes, message).ok());
    std::string framed;
    AppendExecute(framed, message.id, std::get<ExecuteRequest>(message.request).request);
    EXPECT_EQ(PayloadOf(framed), bytes);
  }
}

TEST(GeneratedEqualityTest, ResultFromGeneratedBytes) {
  for (const model::Result& result : ResultsOfAllShapes()) {
    const std::string bytes = GeneratedResult(5, result).SerializeAsString();
    const base::StatusOr<ServerMessage> message = DecodeReply(bytes);
    ASSERT_TRUE(message.ok()) << message.status();
    std::string framed;
    AppendResult(framed, message->id, std::get<model::Result>(message->reply));
    EXPECT_EQ(PayloadOf(framed), bytes);
  }
}

template <typename Message>
Message Parsed(const std::string& framed) {
  Message message;
  const std::string_view payload = PayloadOf(framed);
  EXPECT_TRUE(message.ParseFromArray(payload.data(), static_cast<int>(payload.size())));
  EXPECT_EQ(message.SerializeAsString(), payload);
  return message;
}

TEST(GeneratedEqualityTest, OtherRequestsParseInAnyLanguage) {
  std::string framed;
  AppendHello(framed, 1, {1, "t", "n"});
  EXPECT_EQ(Parsed<v1::ClientFrame>(framed).hello().client_name(), "n");
  framed.clear();
  AppendPrepare(framed, 2, "s");
  EXPECT_EQ(Parsed<v1::ClientFrame>(framed).prepare().script(), "s");
  framed.clear();
  AppendPing(framed, 3);
  EXPECT_TRUE(Parsed<v1::ClientFrame>(framed).has_ping());
  framed.clear();
  AppendInfo(framed, 4);
  EXPECT_TRUE(Parsed<v1::ClientFrame>(framed).has_info());
}

TEST(GeneratedEqualityTest, OtherRepliesParseInAnyLanguage) {
  std::string framed;
  AppendHelloReply(framed, 1, {"v", 2, 3});
  EXPECT_EQ(Parsed<v1::ServerFrame>(framed).hello().limits().key_bytes(), 1024u);
  framed.clear();
  AppendPrepareReply(framed, 2, {model::ProgramId{1}, {"@a"}});
  EXPECT_EQ(Parsed<v1::ServerFrame>(framed).prepare().parameters(0), "@a");
  framed.clear();
  AppendPong(framed, 3);
  EXPECT_TRUE(Parsed<v1::ServerFrame>(framed).has_pong());
  framed.clear();
  AppendInfoReply(framed, 4, {{{"m", 5, ""}}});
  EXPECT_EQ(Parsed<v1::ServerFrame>(framed).info().metrics(0).value(), 5);
}

}  // namespace
}  // namespace palena::wire
