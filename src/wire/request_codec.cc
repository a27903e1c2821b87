#include <palena/v1/palena.pb.h>

#include <algorithm>
#include <cstring>

#include "base/limits.h"
#include "wire/codec.h"
#include "wire/fields.h"
#include "wire/frame.h"

namespace palena::wire {
namespace {

using FrameFields = v1::ClientFrame;
using ExecuteFields = v1::Execute;
using ParameterFields = v1::Parameter;

// A request with more parameters than this gives the memory back with the next one.
constexpr std::size_t kParametersKept = 1024;

// ---- decoding

base::Status DecodeParameter(std::string_view message, model::ParameterView& out) {
  FieldReader fields(message, "Parameter", ParameterFields::kValueFieldNumber);
  std::int32_t slot = 0;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(ParameterFields::kNameFieldNumber):
        fields.Bytes(out.name);
        break;
      case VarintTag(ParameterFields::kSlotFieldNumber):
        fields.Varint(base::kParametersMax - 1, slot);
        break;
      case BytesTag(ParameterFields::kValueFieldNumber):
        fields.Bytes(out.value);
        break;
      default:
        fields.Skip();
    }
  }
  out.slot = out.name.empty() ? slot : -1;
  return fields.status();
}

base::Status AddParameter(std::string_view message, std::vector<model::ParameterView>& out) {
  if (out.size() == base::kParametersMax) {
    return absl::InvalidArgumentError("Execute: more than " + std::to_string(base::kParametersMax) +
                                      " parameters");
  }
  return DecodeParameter(message, out.emplace_back());
}

base::Status SetProgramId(std::string_view bytes, model::RequestView& out) {
  if (bytes.size() != sizeof(model::ProgramId)) {
    return absl::InvalidArgumentError("Execute: a program_id of " + std::to_string(bytes.size()) +
                                      " bytes, must be " +
                                      std::to_string(sizeof(model::ProgramId)));
  }
  std::memcpy(out.program_id.emplace().data(), bytes.data(), bytes.size());
  return base::Ok();
}

base::Status DecodeExecute(std::string_view message, std::vector<model::ParameterView>& parameters,
                           model::RequestView& out) {
  FieldReader fields(message, "Execute", ExecuteFields::kTimeoutMsFieldNumber);
  std::string_view bytes;
  std::uint64_t timeout_ms = 0;
  int programs = 0;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(ExecuteFields::kScriptFieldNumber):
        fields.Bytes(out.script);
        ++programs;
        break;
      case BytesTag(ExecuteFields::kProgramIdFieldNumber):
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(SetProgramId(bytes, out));
        ++programs;
        break;
      case BytesTag(ExecuteFields::kParametersFieldNumber):
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(AddParameter(bytes, parameters));
        break;
      case VarintTag(ExecuteFields::kTimeoutMsFieldNumber):
        fields.Varint(kInt64Max, timeout_ms);
        break;
      default:
        fields.Skip();
    }
  }
  PALENA_RETURN_IF_ERROR(fields.status());
  if (programs != 1) {
    return absl::InvalidArgumentError(programs == 0 ? "Execute: neither script nor program_id"
                                                    : "Execute: more than one program");
  }
  out.parameters = parameters;
  out.timeout_ms = static_cast<std::int64_t>(timeout_ms);
  return base::Ok();
}

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

base::Status DecodeRequest(int field, std::string_view message,
                           std::vector<model::ParameterView>& parameters, TakeStorage& take,
                           ClientMessage& out) {
  switch (field) {
    case FrameFields::kTakeFieldNumber:
      return take.DecodeTake(message, out.request.emplace<TakeRequest>().request);
    case FrameFields::kListLimitsFieldNumber:
      out.request.emplace<ListLimitsRequest>();
      return DecodeEmpty(message, "ListLimits");
    case FrameFields::kResetLimitFieldNumber:
      return take.DecodeReset(message, out.request.emplace<ResetLimitRequest>().wish);
    case FrameFields::kHelloFieldNumber:
      return DecodeHello(message, out.request.emplace<HelloRequest>());
    case FrameFields::kPrepareFieldNumber:
      return DecodePrepare(message, out.request.emplace<PrepareRequest>());
    case FrameFields::kExecuteFieldNumber:
      return DecodeExecute(message, parameters, out.request.emplace<ExecuteRequest>().request);
    case FrameFields::kPingFieldNumber:
      out.request.emplace<PingRequest>();
      return DecodeEmpty(message, "Ping");
    default:
      out.request.emplace<InfoRequest>();
      return DecodeEmpty(message, "Info");
  }
}

bool IsRequest(const FieldReader& fields) {
  return fields.IsMessage(FrameFields::kHelloFieldNumber, FrameFields::kInfoFieldNumber) ||
         fields.IsMessage(FrameFields::kTakeFieldNumber, FrameFields::kResetLimitFieldNumber);
}

// Finds the one request of a frame. Two are refused: protobuf would merge or drop one of them, and
// the client would wait for its answer forever.
base::Status DecodeClientFrame(std::string_view payload,
                               std::vector<model::ParameterView>& parameters, TakeStorage& take,
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
  return DecodeRequest(request_field, request, parameters, take, out);
}

// ---- encoding

std::size_t ParameterBytes(const model::ParameterView& p) {
  const std::size_t place = p.slot >= 0 ? NumberFieldBytes(static_cast<std::uint64_t>(p.slot))
                                        : TextFieldBytes(p.name.size());
  return place + TextFieldBytes(p.value.size());
}

std::size_t ProgramBytes(const model::RequestView& request) {
  return BytesFieldBytes(request.program_id ? request.program_id->size() : request.script.size());
}

std::uint64_t TimeoutMs(const model::RequestView& request) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(request.timeout_ms, 0));
}

std::size_t ExecuteBytes(const model::RequestView& request) {
  std::size_t bytes = ProgramBytes(request) + NumberFieldBytes(TimeoutMs(request));
  for (const model::ParameterView& p : request.parameters) {
    bytes += BytesFieldBytes(ParameterBytes(p));
  }
  return bytes;
}

void WriteProgram(FieldWriter& writer, const model::RequestView& request) {
  if (!request.program_id) {
    writer.Bytes(ExecuteFields::kScriptFieldNumber, request.script);
    return;
  }
  writer.Bytes(
      ExecuteFields::kProgramIdFieldNumber,
      {reinterpret_cast<const char*>(request.program_id->data()), request.program_id->size()});
}

void WriteParameter(FieldWriter& writer, const model::ParameterView& p) {
  writer.Begin(ExecuteFields::kParametersFieldNumber, ParameterBytes(p));
  if (p.slot >= 0) {
    writer.Number(ParameterFields::kSlotFieldNumber, static_cast<std::uint64_t>(p.slot));
  } else {
    writer.Text(ParameterFields::kNameFieldNumber, p.name);
  }
  writer.Text(ParameterFields::kValueFieldNumber, p.value);
}

void AppendFrame(std::string& out, const v1::ClientFrame& frame) {
  const std::size_t start = BeginFrame(out);
  frame.AppendToString(&out);
  FinishFrame(out, start);
}

}  // namespace

base::Status RequestDecoder::Decode(std::string_view payload, ClientMessage& out) {
  out.id = 0;
  parameters_.clear();
  if (parameters_.capacity() > kParametersKept) parameters_.shrink_to_fit();
  take_.Clear();
  const base::Status status = DecodeClientFrame(payload, parameters_, take_, out);
  if (!status.ok()) out.request.emplace<std::monostate>();
  return status;
}

void AppendExecute(std::string& out, std::uint64_t id, const model::RequestView& request) {
  const std::size_t execute_bytes = ExecuteBytes(request);
  const std::size_t payload_bytes = NumberFieldBytes(id) + BytesFieldBytes(execute_bytes);
  out.reserve(out.size() + kFrameHeaderBytes + payload_bytes);
  const std::size_t start = BeginFrame(out);
  FieldWriter writer(out, payload_bytes);
  writer.Number(FrameFields::kIdFieldNumber, id);
  writer.Begin(FrameFields::kExecuteFieldNumber, execute_bytes);
  WriteProgram(writer, request);
  for (const model::ParameterView& p : request.parameters) WriteParameter(writer, p);
  writer.Number(ExecuteFields::kTimeoutMsFieldNumber, TimeoutMs(request));
  writer.Finish();
  FinishFrame(out, start);
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
