#include <palena/v1/palena.pb.h>

#include <cstring>

#include "base/limits.h"
#include "wire/codec.h"
#include "wire/fields.h"
#include "wire/frame.h"
#include "wire/result_codec.h"

namespace palena::wire {
namespace {

using FrameFields = v1::ServerFrame;

// ---- encoding

void AppendFrame(std::string& out, const v1::ServerFrame& frame) {
  const std::size_t start = BeginFrame(out);
  frame.AppendToString(&out);
  FinishFrame(out, start);
}

void SetLimits(v1::Limits& limits) {
  limits.set_request_frame_bytes(base::kRequestFrameBytesMax);
  limits.set_result_bytes(base::kResultBytesMax);
  limits.set_script_bytes(base::kScriptBytesMax);
  limits.set_key_bytes(base::kKeyBytesMax);
  limits.set_value_bytes(base::kValueBytesMax);
  limits.set_requests_in_flight(base::kRequestsInFlightMax);
}

// ---- decoding

// They are for clients in other languages: ours has base/limits.h, and only makes sure that they
// are a message.
base::Status CheckLimits(std::string_view message) {
  FieldReader fields(message, "Limits", v1::Limits::kRequestsInFlightFieldNumber);
  std::uint64_t limit = 0;
  while (fields.Next()) {
    const bool is_limit = fields.number() <= v1::Limits::kRequestsInFlightFieldNumber &&
                          fields.tag() == VarintTag(fields.number());
    is_limit ? fields.Varint(kUint64Max, limit) : fields.Skip();
  }
  return fields.status();
}

base::Status DecodeHelloReply(std::string_view message, HelloReply& out) {
  FieldReader fields(message, "HelloReply", v1::HelloReply::kLimitsFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::HelloReply::kServerVersionFieldNumber):
        if (fields.Text(bytes)) out.server_version = bytes;
        break;
      case VarintTag(v1::HelloReply::kNodeIdFieldNumber):
        fields.Varint(kUint32Max, out.node_id);
        break;
      case Fixed64Tag(v1::HelloReply::kBootIdFieldNumber):
        fields.Fixed64(out.boot_id);
        break;
      case BytesTag(v1::HelloReply::kLimitsFieldNumber):
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(CheckLimits(bytes));
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

base::Status DecodePrepareReply(std::string_view message, PrepareReply& out) {
  FieldReader fields(message, "PrepareReply", v1::PrepareReply::kParametersFieldNumber);
  std::string_view program_id;
  std::string_view name;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::PrepareReply::kProgramIdFieldNumber):
        fields.Bytes(program_id);
        break;
      case BytesTag(v1::PrepareReply::kParametersFieldNumber):
        if (fields.Text(name)) out.parameters.emplace_back(name);
        break;
      default:
        fields.Skip();
    }
  }
  PALENA_RETURN_IF_ERROR(fields.status());
  if (program_id.size() != out.program_id.size()) {
    return absl::InvalidArgumentError("PrepareReply: a program_id of " +
                                      std::to_string(program_id.size()) + " bytes, must be " +
                                      std::to_string(out.program_id.size()));
  }
  std::memcpy(out.program_id.data(), program_id.data(), program_id.size());
  return base::Ok();
}

base::Status DecodeMetric(std::string_view message, Metric& out) {
  FieldReader fields(message, "Metric", v1::Metric::kTextFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::Metric::kNameFieldNumber):
        if (fields.Text(bytes)) out.name = bytes;
        break;
      case VarintTag(v1::Metric::kValueFieldNumber):
        fields.Varint(kUint64Max, out.value);  // int64: two's complement
        break;
      case BytesTag(v1::Metric::kTextFieldNumber):
        if (fields.Text(bytes)) out.text = bytes;
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

base::Status DecodeInfoReply(std::string_view message, InfoReply& out) {
  FieldReader fields(message, "InfoReply", v1::InfoReply::kMetricsFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    if (fields.tag() != BytesTag(v1::InfoReply::kMetricsFieldNumber)) {
      fields.Skip();
    } else if (fields.Bytes(bytes)) {
      PALENA_RETURN_IF_ERROR(DecodeMetric(bytes, out.metrics.emplace_back()));
    }
  }
  return fields.status();
}

base::Status DecodePong(std::string_view message) {
  FieldReader fields(message, "Pong", 0);
  while (fields.Next()) fields.Skip();
  return fields.status();
}

base::Status DecodeReplyMessage(int field, std::string_view message, ServerMessage& out) {
  switch (field) {
    case FrameFields::kHelloFieldNumber:
      return DecodeHelloReply(message, out.reply.emplace<HelloReply>());
    case FrameFields::kPrepareFieldNumber:
      return DecodePrepareReply(message, out.reply.emplace<PrepareReply>());
    case FrameFields::kResultFieldNumber:
      return DecodeResult(message, out.reply.emplace<model::Result>());
    case FrameFields::kManyFieldNumber:
      return DecodeManyResult(message, out.reply.emplace<model::Result>());
    case FrameFields::kPongFieldNumber:
      out.reply.emplace<PongReply>();
      return DecodePong(message);
    case FrameFields::kTakeFieldNumber:
      return DecodeTakeReply(message, out.reply.emplace<model::TakeAnswer>());
    case FrameFields::kLimitListFieldNumber:
      return DecodeLimitList(message, out.reply.emplace<LimitList>());
    default:
      return DecodeInfoReply(message, out.reply.emplace<InfoReply>());
  }
}

bool IsReply(const FieldReader& fields) {
  return fields.IsMessage(FrameFields::kHelloFieldNumber, FrameFields::kLimitListFieldNumber);
}

}  // namespace

void AppendHelloReply(std::string& out, std::uint64_t id, const HelloReply& reply) {
  v1::ServerFrame frame;
  frame.set_id(id);
  v1::HelloReply& hello = *frame.mutable_hello();
  hello.set_server_version(reply.server_version);
  hello.set_node_id(reply.node_id);
  hello.set_boot_id(reply.boot_id);
  SetLimits(*hello.mutable_limits());
  AppendFrame(out, frame);
}

void AppendPrepareReply(std::string& out, std::uint64_t id, const PrepareReply& reply) {
  v1::ServerFrame frame;
  frame.set_id(id);
  v1::PrepareReply& prepare = *frame.mutable_prepare();
  prepare.set_program_id(reply.program_id.data(), reply.program_id.size());
  for (const std::string& name : reply.parameters) prepare.add_parameters(name);
  AppendFrame(out, frame);
}

void AppendResult(std::string& out, std::uint64_t id, const model::Result& result) {
  const bool is_many = result.many.has_value();
  const std::size_t result_bytes = EncodedBytes(result);
  const std::size_t payload_bytes = NumberFieldBytes(id) + BytesFieldBytes(result_bytes);
  out.reserve(out.size() + kFrameHeaderBytes + payload_bytes);
  const std::size_t start = BeginFrame(out);
  FieldWriter writer(out, payload_bytes);
  writer.Number(FrameFields::kIdFieldNumber, id);
  writer.Begin(is_many ? FrameFields::kManyFieldNumber : FrameFields::kResultFieldNumber,
               result_bytes);
  is_many ? WriteManyResult(writer, result) : WriteResult(writer, result);
  writer.Finish();
  FinishFrame(out, start);
}

void AppendPong(std::string& out, std::uint64_t id) {
  v1::ServerFrame frame;
  frame.set_id(id);
  frame.mutable_pong();
  AppendFrame(out, frame);
}

void AppendInfoReply(std::string& out, std::uint64_t id, const InfoReply& reply) {
  v1::ServerFrame frame;
  frame.set_id(id);
  v1::InfoReply& info = *frame.mutable_info();
  for (const Metric& metric : reply.metrics) {
    v1::Metric& added = *info.add_metrics();
    added.set_name(metric.name);
    added.set_value(metric.value);
    added.set_text(metric.text);
  }
  AppendFrame(out, frame);
}

std::size_t EncodedBytes(const model::Result& result) {
  return result.many.has_value() ? ManyResultBytes(result) : ResultBytes(result);
}

base::StatusOr<ServerMessage> DecodeReply(std::string_view payload) {
  FieldReader fields(payload, "ServerFrame", FrameFields::kLimitListFieldNumber);
  ServerMessage message;
  std::string_view reply;
  int reply_field = 0;
  while (fields.Next()) {
    if (fields.tag() == VarintTag(FrameFields::kIdFieldNumber)) {
      fields.Varint(kUint64Max, message.id);
    } else if (IsReply(fields)) {
      if (reply_field != 0) fields.Fail("a second reply");
      reply_field = fields.number();
      fields.Bytes(reply);
    } else {
      fields.Skip();
    }
  }
  PALENA_RETURN_IF_ERROR(fields.status());
  if (reply_field == 0) return absl::InvalidArgumentError("ServerFrame: no known reply");
  PALENA_RETURN_IF_ERROR(DecodeReplyMessage(reply_field, reply, message));
  return message;
}

}  // namespace palena::wire
