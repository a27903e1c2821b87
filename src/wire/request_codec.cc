#include <palena/v1/palena.pb.h>

#include "wire/codec.h"
#include "wire/execute_codec.h"
#include "wire/fields.h"
#include "wire/frame.h"

namespace palena::wire {
namespace {

using FrameFields = v1::ClientFrame;

// ---- decoding

// At most kClientNameBytesMax bytes of it, cut between characters.
std::string_view CutClientName(std::string_view name) {
  if (name.size() <= kClientNameBytesMax) return name;
  std::size_t end = kClientNameBytesMax;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end);
}

base::Status DecodeHello(std::string_view message, HelloRequest& out) {
  FieldReader fields(message, "Hello", v1::Hello::kClientNameFieldNumber);
  std::string_view token;
  std::string_view client_name;
  while (fields.Next()) {
    switch (fields.tag()) {
      case VarintTag(v1::Hello::kProtocolVersionFieldNumber):
        fields.Varint(kUint32Max, out.protocol_version);
        break;
      case BytesTag(v1::Hello::kTokenFieldNumber):
        fields.Bytes(token);
        break;
      case BytesTag(v1::Hello::kClientNameFieldNumber):
        fields.Text(client_name);
        break;
      default:
        fields.Skip();
    }
  }
  out.token = token;
  out.client_name = CutClientName(client_name);
  return fields.status();
}

base::Status DecodePrepare(std::string_view message, PrepareRequest& out) {
  FieldReader fields(message, "Prepare", v1::Prepare::kScriptFieldNumber);
  while (fields.Next()) {
    if (fields.tag() == BytesTag(v1::Prepare::kScriptFieldNumber)) {
      fields.Bytes(out.script);
    } else {
      fields.Skip();
    }
  }
  return fields.status();
}

// Ping and Info have no fields of their own.
base::Status DecodeEmpty(std::string_view message, const char* name) {
  FieldReader fields(message, name, 0);
  while (fields.Next()) fields.Skip();
  return fields.status();
}

base::Status DecodeRequest(int field, std::string_view message, RequestStorage& storage,
                           ClientMessage& out) {
  switch (field) {
    case FrameFields::kTakeFieldNumber:
      return storage.take.DecodeTake(message, out.request.emplace<TakeRequest>().request);
    case FrameFields::kListLimitsFieldNumber:
      out.request.emplace<ListLimitsRequest>();
      return DecodeEmpty(message, "ListLimits");
    case FrameFields::kResetLimitFieldNumber:
      return storage.take.DecodeReset(message, out.request.emplace<ResetLimitRequest>().wish);
    case FrameFields::kHelloFieldNumber:
      return DecodeHello(message, out.request.emplace<HelloRequest>());
    case FrameFields::kPrepareFieldNumber:
      return DecodePrepare(message, out.request.emplace<PrepareRequest>());
    case FrameFields::kExecuteFieldNumber:
      return DecodeExecute(message, storage, out.request.emplace<ExecuteRequest>().request);
    case FrameFields::kExecuteManyFieldNumber:
      return DecodeExecuteMany(message, storage, out.request.emplace<ExecuteManyRequest>().request);
    case FrameFields::kPingFieldNumber:
      out.request.emplace<PingRequest>();
      return DecodeEmpty(message, "Ping");
    default:
      out.request.emplace<InfoRequest>();
      return DecodeEmpty(message, "Info");
  }
}

bool IsRequest(const FieldReader& fields) {
  return fields.IsMessage(FrameFields::kHelloFieldNumber, FrameFields::kResetLimitFieldNumber);
}

// Finds the one request of a frame. Two are refused: protobuf would merge or drop one of them, and
// the client would wait for its answer forever.
base::Status DecodeClientFrame(std::string_view payload, RequestStorage& storage,
                               ClientMessage& out) {
  FieldReader fields(payload, "ClientFrame", FrameFields::kResetLimitFieldNumber);
  std::string_view request;
  int request_field = 0;
  while (fields.Next()) {
    if (fields.tag() == VarintTag(FrameFields::kIdFieldNumber)) {
      fields.Varint(kUint64Max, out.id);
    } else if (IsRequest(fields)) {
      if (request_field != 0) fields.Fail("a second request");
      request_field = fields.number();
      fields.Bytes(request);
    } else {
      fields.Skip();
    }
  }
  PALENA_RETURN_IF_ERROR(fields.status());
  if (request_field == 0) return absl::InvalidArgumentError("ClientFrame: no known request");
  return DecodeRequest(request_field, request, storage, out);
}

// ---- encoding

template <typename Request>
void AppendRequest(std::string& out, std::uint64_t id, int field, const Request& request) {
  const std::size_t request_bytes = RequestBytes(request);
  const std::size_t payload_bytes = NumberFieldBytes(id) + BytesFieldBytes(request_bytes);
  out.reserve(out.size() + kFrameHeaderBytes + payload_bytes);
  const std::size_t start = BeginFrame(out);
  FieldWriter writer(out, payload_bytes);
  writer.Number(FrameFields::kIdFieldNumber, id);
  writer.Begin(field, request_bytes);
  WriteRequest(writer, request);
  writer.Finish();
  FinishFrame(out, start);
}

void AppendFrame(std::string& out, const v1::ClientFrame& frame) {
  const std::size_t start = BeginFrame(out);
  frame.AppendToString(&out);
  FinishFrame(out, start);
}

}  // namespace

base::Status RequestDecoder::Decode(std::string_view payload, ClientMessage& out) {
  out.id = 0;
  storage_.Clear();
  const base::Status status = DecodeClientFrame(payload, storage_, out);
  if (!status.ok()) out.request.emplace<std::monostate>();
  return status;
}

void AppendExecute(std::string& out, std::uint64_t id, const model::RequestView& request) {
  AppendRequest(out, id, FrameFields::kExecuteFieldNumber, request);
}

void AppendExecuteMany(std::string& out, std::uint64_t id, const model::ManyRequestView& request) {
  AppendRequest(out, id, FrameFields::kExecuteManyFieldNumber, request);
}

void AppendHello(std::string& out, std::uint64_t id, const HelloRequest& hello) {
  v1::ClientFrame frame;
  frame.set_id(id);
  frame.mutable_hello()->set_protocol_version(hello.protocol_version);
  frame.mutable_hello()->set_token(hello.token);
  frame.mutable_hello()->set_client_name(hello.client_name);
  AppendFrame(out, frame);
}

void AppendPrepare(std::string& out, std::uint64_t id, std::string_view script) {
  v1::ClientFrame frame;
  frame.set_id(id);
  frame.mutable_prepare()->set_script(script.data(), script.size());
  AppendFrame(out, frame);
}

void AppendPing(std::string& out, std::uint64_t id) {
  v1::ClientFrame frame;
  frame.set_id(id);
  frame.mutable_ping();
  AppendFrame(out, frame);
}

void AppendInfo(std::string& out, std::uint64_t id) {
  v1::ClientFrame frame;
  frame.set_id(id);
  frame.mutable_info();
  AppendFrame(out, frame);
}

}  // namespace palena::wire
