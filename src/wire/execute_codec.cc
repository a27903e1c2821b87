#include "wire/execute_codec.h"

#include <palena/v1/palena.pb.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

#include "base/limits.h"

namespace palena::wire {
namespace {

using ExecuteFields = v1::Execute;
using ManyFields = v1::ExecuteMany;
using CallFields = v1::Call;
using ParameterFields = v1::Parameter;

// Execute and Call name their program and its parameters alike, and are read and written as one.
constexpr bool IsSame(int execute_field, int call_field) {
  return execute_field == call_field;
}
static_assert(IsSame(ExecuteFields::kScriptFieldNumber, CallFields::kScriptFieldNumber));
static_assert(IsSame(ExecuteFields::kProgramIdFieldNumber, CallFields::kProgramIdFieldNumber));
static_assert(IsSame(ExecuteFields::kParametersFieldNumber, CallFields::kParametersFieldNumber));
static_assert(IsSame(ExecuteFields::kTimeoutMsFieldNumber, CallFields::kNotRequiredFieldNumber));

// A request with more of them than this gives the memory back with the next one.
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

base::Status Invalid(const char* message, const std::string& what) {
  return absl::InvalidArgumentError(message + what);
}

// `name`: of the message that the field is in.
base::Status AddParameter(std::string_view message, const char* name,
                          std::vector<model::ParameterView>& out) {
  if (out.size() == base::kParametersMax) {
    return Invalid(name, ": more than " + std::to_string(base::kParametersMax) + " parameters");
  }
  return DecodeParameter(message, out.emplace_back());
}

base::Status SetProgramId(std::string_view bytes, const char* name, model::RequestView& out) {
  if (bytes.size() != sizeof(model::ProgramId)) {
    return Invalid(name, ": a program_id of " + std::to_string(bytes.size()) + " bytes, must be " +
                             std::to_string(sizeof(model::ProgramId)));
  }
  std::memcpy(out.program_id.emplace().data(), bytes.data(), bytes.size());
  return base::Ok();
}

// The fields of an Execute or a Call. Its parameters are the last of `parameters`; `number` is what
// its fourth field says, at most `number_max`.
struct ProgramMessage {
  const char* name;
  std::uint64_t number_max;
};
base::Status DecodeProgram(const ProgramMessage& kind, std::string_view message,
                           std::vector<model::ParameterView>& parameters, model::RequestView& out,
                           std::uint64_t& number) {
  FieldReader fields(message, kind.name, ExecuteFields::kTimeoutMsFieldNumber);
  const std::size_t first = parameters.size();
  std::string_view bytes;
  int programs = 0;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(ExecuteFields::kScriptFieldNumber):
        fields.Bytes(out.script);
        ++programs;
        break;
      case BytesTag(ExecuteFields::kProgramIdFieldNumber):
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(SetProgramId(bytes, kind.name, out));
        ++programs;
        break;
      case BytesTag(ExecuteFields::kParametersFieldNumber):
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(AddParameter(bytes, kind.name, parameters));
        break;
      case VarintTag(ExecuteFields::kTimeoutMsFieldNumber):
        fields.Varint(kind.number_max, number);
        break;
      default:
        fields.Skip();
    }
  }
  PALENA_RETURN_IF_ERROR(fields.status());
  if (programs != 1) {
    return Invalid(kind.name,
                   programs == 0 ? ": neither script nor program_id" : ": more than one program");
  }
  out.parameters = std::span(parameters).subspan(first);
  return base::Ok();
}

// The messages of one list of calls, which may lie anywhere between the others.
struct CallMessages {
  std::array<std::string_view, base::kCallsMax> messages;
  std::size_t count = 0;

  base::Status Add(std::string_view message) {
    if (count == messages.size()) {
      return Invalid("ExecuteMany",
                     ": more than " + std::to_string(messages.size()) + " calls in one list");
    }
    messages[count++] = message;
    return base::Ok();
  }
  std::span<const std::string_view> view() const { return {messages.data(), count}; }
};

// What a call says is added to `storage`, which may move what is there.
base::Status DecodeCall(std::string_view message, RequestStorage& storage) {
  constexpr ProgramMessage kCall{"Call", kUint64Max};
  std::uint64_t not_required = 0;
  model::CallView& call = storage.calls.emplace_back();
  PALENA_RETURN_IF_ERROR(
      DecodeProgram(kCall, message, storage.parameters, call.request, not_required));
  call.is_required = not_required == 0;
  return base::Ok();
}

base::Status DecodeCalls(const CallMessages& messages, RequestStorage& storage) {
  for (const std::string_view message : messages.view()) {
    PALENA_RETURN_IF_ERROR(DecodeCall(message, storage));
  }
  return base::Ok();
}

// Once all parameters are where they stay.
void PlaceParameters(RequestStorage& storage) {
  std::size_t first = 0;
  for (model::CallView& call : storage.calls) {
    const std::size_t count = call.request.parameters.size();
    call.request.parameters = std::span(storage.parameters).subspan(first, count);
    first += count;
  }
}

base::Status ReadManyFields(std::string_view message, CallMessages& calls, CallMessages& otherwise,
                            std::uint64_t& timeout_ms) {
  FieldReader fields(message, "ExecuteMany", ManyFields::kTimeoutMsFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(ManyFields::kCallsFieldNumber):
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(calls.Add(bytes));
        break;
      case BytesTag(ManyFields::kOtherwiseFieldNumber):
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(otherwise.Add(bytes));
        break;
      case VarintTag(ManyFields::kTimeoutMsFieldNumber):
        fields.Varint(kInt64Max, timeout_ms);
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

// ---- encoding

std::size_t ParameterBytes(const model::ParameterView& p) {
  const std::size_t place = p.slot >= 0 ? NumberFieldBytes(static_cast<std::uint64_t>(p.slot))
                                        : TextFieldBytes(p.name.size());
  return place + TextFieldBytes(p.value.size());
}

// Of the fields that Execute and Call share.
std::size_t ProgramBytes(const model::RequestView& request) {
  std::size_t bytes =
      BytesFieldBytes(request.program_id ? request.program_id->size() : request.script.size());
  for (const model::ParameterView& p : request.parameters) {
    bytes += BytesFieldBytes(ParameterBytes(p));
  }
  return bytes;
}

std::uint64_t OnWire(std::int64_t timeout_ms) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(timeout_ms, 0));
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

void WriteProgram(FieldWriter& writer, const model::RequestView& request) {
  if (request.program_id) {
    writer.Bytes(
        ExecuteFields::kProgramIdFieldNumber,
        {reinterpret_cast<const char*>(request.program_id->data()), request.program_id->size()});
  } else {
    writer.Bytes(ExecuteFields::kScriptFieldNumber, request.script);
  }
  for (const model::ParameterView& p : request.parameters) WriteParameter(writer, p);
}

std::size_t CallBytes(const model::CallView& call) {
  return ProgramBytes(call.request) + NumberFieldBytes(call.is_required ? 0 : 1);
}

void WriteCall(FieldWriter& writer, int field, const model::CallView& call) {
  writer.Begin(field, CallBytes(call));
  WriteProgram(writer, call.request);
  writer.Number(CallFields::kNotRequiredFieldNumber, call.is_required ? 0 : 1);
}

}  // namespace

void RequestStorage::Clear() {
  parameters.clear();
  calls.clear();
  take.Clear();
  if (parameters.capacity() > kParametersKept) parameters.shrink_to_fit();
}

base::Status DecodeExecute(std::string_view message, RequestStorage& storage,
                           model::RequestView& out) {
  constexpr ProgramMessage kExecute{"Execute", kInt64Max};
  std::uint64_t timeout_ms = 0;
  PALENA_RETURN_IF_ERROR(DecodeProgram(kExecute, message, storage.parameters, out, timeout_ms));
  out.timeout_ms = static_cast<std::int64_t>(timeout_ms);
  return base::Ok();
}

base::Status DecodeExecuteMany(std::string_view message, RequestStorage& storage,
                               model::ManyRequestView& out) {
  CallMessages calls;
  CallMessages otherwise;
  std::uint64_t timeout_ms = 0;
  PALENA_RETURN_IF_ERROR(ReadManyFields(message, calls, otherwise, timeout_ms));
  PALENA_RETURN_IF_ERROR(DecodeCalls(calls, storage));
  PALENA_RETURN_IF_ERROR(DecodeCalls(otherwise, storage));
  PlaceParameters(storage);
  const std::span<const model::CallView> all = storage.calls;
  out.calls = all.first(calls.count);
  out.otherwise = all.subspan(calls.count);
  out.timeout_ms = static_cast<std::int64_t>(timeout_ms);
  return base::Ok();
}

std::size_t RequestBytes(const model::RequestView& request) {
  return ProgramBytes(request) + NumberFieldBytes(OnWire(request.timeout_ms));
}

std::size_t RequestBytes(const model::ManyRequestView& request) {
  std::size_t bytes = NumberFieldBytes(OnWire(request.timeout_ms));
  for (const auto list : {request.calls, request.otherwise}) {
    for (const model::CallView& call : list) bytes += BytesFieldBytes(CallBytes(call));
  }
  return bytes;
}

void WriteRequest(FieldWriter& writer, const model::RequestView& request) {
  WriteProgram(writer, request);
  writer.Number(ExecuteFields::kTimeoutMsFieldNumber, OnWire(request.timeout_ms));
}

void WriteRequest(FieldWriter& writer, const model::ManyRequestView& request) {
  for (const model::CallView& call : request.calls) {
    WriteCall(writer, ManyFields::kCallsFieldNumber, call);
  }
  for (const model::CallView& call : request.otherwise) {
    WriteCall(writer, ManyFields::kOtherwiseFieldNumber, call);
  }
  writer.Number(ManyFields::kTimeoutMsFieldNumber, OnWire(request.timeout_ms));
}

}  // namespace palena::wire
