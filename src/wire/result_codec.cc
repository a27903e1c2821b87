#include "wire/result_codec.h"

#include <palena/v1/palena.pb.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace palena::wire {
namespace {

using ResultFields = v1::Result;
using ValueFields = v1::Value;
using StampFields = v1::Stamp;
using ManyFields = v1::ManyResult;

constexpr std::uint64_t kUint16Max = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t kStampMsMax = (std::uint64_t{1} << 48) - 1;

std::uint64_t Unsigned(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

// ---- encoding

std::uint64_t RevisionOnWire(const model::ResultValue& value) {
  return WireFormatLite::ZigZagEncode64(value.revision);
}

std::size_t ValueBytes(const model::ResultValue& value) {
  std::size_t bytes = TextFieldBytes(value.key.size()) + NumberFieldBytes(RevisionOnWire(value)) +
                      NumberFieldBytes(Unsigned(value.expires_ms)) +
                      NumberFieldBytes(Unsigned(value.last_modified_ms));
  if (!value.is_null) bytes += BytesFieldBytes(value.value.view().text_bytes());
  return bytes;
}

std::size_t StampBytes(const hlc::Stamp& stamp) {
  return NumberFieldBytes(Unsigned(stamp.time.ms())) + NumberFieldBytes(stamp.time.counter()) +
         NumberFieldBytes(stamp.node);
}

void WriteValueText(FieldWriter& writer, const model::Value& value) {
  if (value.is_integer) {
    writer.Bytes(ValueFields::kValueFieldNumber, model::IntegerText(value.integer).view());
  } else {
    writer.Bytes(ValueFields::kValueFieldNumber, value.bytes);
  }
}

void WriteValue(FieldWriter& writer, const model::ResultValue& value) {
  writer.Begin(ResultFields::kValuesFieldNumber, ValueBytes(value));
  writer.Text(ValueFields::kKeyFieldNumber, value.key);
  // Present even when empty: absent means null.
  if (!value.is_null) WriteValueText(writer, value.value);
  writer.Number(ValueFields::kRevisionFieldNumber, RevisionOnWire(value));
  writer.Number(ValueFields::kExpiresMsFieldNumber, Unsigned(value.expires_ms));
  writer.Number(ValueFields::kLastModifiedMsFieldNumber, Unsigned(value.last_modified_ms));
}

std::size_t RefusedBytes(const model::ManyResults& many) {
  std::size_t bytes = 0;
  for (const std::uint32_t place : many.refused) bytes += VarintBytes(place);
  return bytes;
}

std::uint64_t FailedOnWire(const model::ManyResults& many) {
  return Unsigned(std::int64_t{many.failed} + 1);
}

std::size_t ResultFieldBytes(const std::vector<model::Result>& results) {
  std::size_t bytes = 0;
  for (const model::Result& result : results) bytes += BytesFieldBytes(ResultBytes(result));
  return bytes;
}

void WriteResultField(FieldWriter& writer, int field, const model::Result& result) {
  writer.Begin(field, ResultBytes(result));
  WriteResult(writer, result);
}

// ---- decoding

// Numbers on the wire that have no row in the model's tables are nullopt.
std::optional<model::ResultType> KnownResultType(std::uint64_t number) {
  switch (number) {
#define X(name, text, wire_number) \
  case wire_number:                \
    return model::ResultType::name;
    PALENA_RESULT_TYPES(X)
#undef X
    default:
      return std::nullopt;
  }
}

std::optional<model::Code> KnownCode(std::uint64_t number) {
  switch (number) {
#define X(name, text, wire_number, type) \
  case wire_number:                      \
    return model::Code::name;
    PALENA_CODES(X)
#undef X
    default:
      return std::nullopt;
  }
}

std::optional<model::Applied> KnownApplied(std::uint64_t number) {
  if (number > Unsigned(static_cast<int>(model::Applied::kUnknown))) return std::nullopt;
  return static_cast<model::Applied>(number);
}

template <typename Enum>
void ReadEnum(FieldReader& fields, std::optional<Enum> (*known)(std::uint64_t), Enum& out) {
  std::uint64_t number = 0;
  if (!fields.Varint(kUint64Max, number)) return;
  const std::optional<Enum> value = known(number);
  if (!value) {
    fields.Fail("an unknown enum value");
    return;
  }
  out = *value;
}

base::Status DecodeValue(std::string_view message, model::ResultValue& out) {
  FieldReader fields(message, "Value", ValueFields::kLastModifiedMsFieldNumber);
  std::string_view bytes;
  out.revision = 0;  // what a field that was left out stands for
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(ValueFields::kKeyFieldNumber):
        if (fields.Bytes(bytes)) out.key = bytes;
        break;
      case BytesTag(ValueFields::kValueFieldNumber):
        if (fields.Bytes(bytes)) out.value.bytes = bytes;
        out.is_null = false;
        break;
      case VarintTag(ValueFields::kRevisionFieldNumber):
        fields.Signed(out.revision);
        break;
      case VarintTag(ValueFields::kExpiresMsFieldNumber):
        fields.Varint(kInt64Max, out.expires_ms);
        break;
      case VarintTag(ValueFields::kLastModifiedMsFieldNumber):
        fields.Varint(kInt64Max, out.last_modified_ms);
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

// The numbers and bytes of a Result; its messages are DecodeResult's.
void ReadScalar(FieldReader& fields, model::Result& out) {
  std::string_view bytes;
  switch (fields.tag()) {
    case VarintTag(ResultFields::kTypeFieldNumber):
      return ReadEnum(fields, KnownResultType, out.type);
    case VarintTag(ResultFields::kCodeFieldNumber):
      return ReadCode(fields, out.code);
    case BytesTag(ResultFields::kReasonFieldNumber):
      if (fields.Bytes(bytes)) out.reason = bytes;
      return;
    case VarintTag(ResultFields::kLineFieldNumber):
      fields.Varint(kInt32Max, out.line);
      return;
    case VarintTag(ResultFields::kTruncatedFieldNumber):
      fields.Bool(out.truncated);
      return;
    case VarintTag(ResultFields::kAppliedFieldNumber):
      return ReadApplied(fields, out.applied);
    default:
      fields.Skip();
  }
}

base::Status AddResult(FieldReader& fields, std::vector<model::Result>& out) {
  std::string_view bytes;
  if (!fields.Bytes(bytes)) return fields.status();
  if (out.size() == base::kCallsMax) {
    return absl::InvalidArgumentError("ManyResult: more than " + std::to_string(base::kCallsMax) +
                                      " results in one list");
  }
  return DecodeResult(bytes, out.emplace_back());
}

}  // namespace

base::Status DecodeStamp(std::string_view message, hlc::Stamp& out) {
  FieldReader fields(message, "Stamp", StampFields::kNodeFieldNumber);
  // A second stamp is merged into the first, as the generated classes do.
  std::uint64_t ms = Unsigned(out.time.ms());
  std::uint64_t counter = out.time.counter();
  while (fields.Next()) {
    switch (fields.tag()) {
      case VarintTag(StampFields::kMsFieldNumber):
        fields.Varint(kStampMsMax, ms);
        break;
      case VarintTag(StampFields::kCounterFieldNumber):
        fields.Varint(kUint16Max, counter);
        break;
      case VarintTag(StampFields::kNodeFieldNumber):
        fields.Varint(kUint16Max, out.node);
        break;
      default:
        fields.Skip();
    }
  }
  out.time.packed = (ms << 16) | counter;
  return fields.status();
}

void ReadCode(FieldReader& fields, model::Code& out) {
  ReadEnum(fields, KnownCode, out);
}

void ReadApplied(FieldReader& fields, model::Applied& out) {
  ReadEnum(fields, KnownApplied, out);
}

std::size_t StampFieldBytes(const hlc::Stamp& stamp) {
  return stamp == hlc::Stamp{} ? 0 : BytesFieldBytes(StampBytes(stamp));
}

void WriteStampField(FieldWriter& writer, int field, const hlc::Stamp& stamp) {
  if (stamp == hlc::Stamp{}) return;
  writer.Begin(field, StampBytes(stamp));
  writer.Number(StampFields::kMsFieldNumber, Unsigned(stamp.time.ms()));
  writer.Number(StampFields::kCounterFieldNumber, stamp.time.counter());
  writer.Number(StampFields::kNodeFieldNumber, stamp.node);
}

std::size_t ResultBytes(const model::Result& result) {
  std::size_t bytes = NumberFieldBytes(static_cast<std::uint64_t>(result.type)) +
                      NumberFieldBytes(static_cast<std::uint64_t>(result.code)) +
                      TextFieldBytes(result.reason.size()) +
                      NumberFieldBytes(Unsigned(result.line)) +
                      NumberFieldBytes(static_cast<std::uint64_t>(result.truncated)) +
                      NumberFieldBytes(static_cast<std::uint64_t>(result.applied));
  for (const model::ResultValue& value : result.values) {
    bytes += BytesFieldBytes(ValueBytes(value));
  }
  return bytes + StampFieldBytes(result.stamp);
}

void WriteResult(FieldWriter& writer, const model::Result& result) {
  writer.Number(ResultFields::kTypeFieldNumber, static_cast<std::uint64_t>(result.type));
  writer.Number(ResultFields::kCodeFieldNumber, static_cast<std::uint64_t>(result.code));
  for (const model::ResultValue& value : result.values) WriteValue(writer, value);
  writer.Text(ResultFields::kReasonFieldNumber, result.reason);
  writer.Number(ResultFields::kLineFieldNumber, Unsigned(result.line));
  WriteStampField(writer, ResultFields::kStampFieldNumber, result.stamp);
  writer.Number(ResultFields::kTruncatedFieldNumber, static_cast<std::uint64_t>(result.truncated));
  writer.Number(ResultFields::kAppliedFieldNumber, static_cast<std::uint64_t>(result.applied));
}

std::size_t ManyResultBytes(const model::Result& result) {
  const model::ManyResults& many = *result.many;
  const std::size_t refused = RefusedBytes(many);
  return BytesFieldBytes(ResultBytes(result)) + ResultFieldBytes(many.calls) +
         ResultFieldBytes(many.otherwise) + TextFieldBytes(refused) +
         NumberFieldBytes(FailedOnWire(many));
}

void WriteManyResult(FieldWriter& writer, const model::Result& result) {
  const model::ManyResults& many = *result.many;
  WriteResultField(writer, ManyFields::kVerdictFieldNumber, result);
  for (const model::Result& one : many.calls) {
    WriteResultField(writer, ManyFields::kCallsFieldNumber, one);
  }
  for (const model::Result& one : many.otherwise) {
    WriteResultField(writer, ManyFields::kOtherwiseFieldNumber, one);
  }
  writer.Packed(ManyFields::kRefusedFieldNumber, many.refused, RefusedBytes(many));
  writer.Number(ManyFields::kFailedCallFieldNumber, FailedOnWire(many));
}

base::Status DecodeManyResult(std::string_view message, model::Result& out) {
  FieldReader fields(message, "ManyResult", ManyFields::kFailedCallFieldNumber);
  model::ManyResults& many = out.many.emplace();
  std::string_view bytes;
  std::int64_t failed = 0;
  bool has_verdict = false;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(ManyFields::kVerdictFieldNumber):
        if (std::exchange(has_verdict, true)) fields.Fail("a second verdict");
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(DecodeResult(bytes, out));
        break;
      case BytesTag(ManyFields::kCallsFieldNumber):
        PALENA_RETURN_IF_ERROR(AddResult(fields, many.calls));
        break;
      case BytesTag(ManyFields::kOtherwiseFieldNumber):
        PALENA_RETURN_IF_ERROR(AddResult(fields, many.otherwise));
        break;
      case BytesTag(ManyFields::kRefusedFieldNumber):
        fields.Packed(base::kCallsMax - 1, many.refused);
        break;
      case VarintTag(ManyFields::kFailedCallFieldNumber):
        fields.Varint(2 * base::kCallsMax, failed);
        break;
      default:
        fields.Skip();
    }
  }
  many.failed = static_cast<std::int32_t>(failed - 1);
  PALENA_RETURN_IF_ERROR(fields.status());
  return has_verdict ? base::Ok() : absl::InvalidArgumentError("ManyResult: no verdict");
}

base::Status DecodeResult(std::string_view message, model::Result& out) {
  FieldReader fields(message, "Result", ResultFields::kAppliedFieldNumber);
  std::string_view bytes;
  out.type = model::ResultType::kSet;  // what a field that was left out stands for
  while (fields.Next()) {
    if (fields.tag() == BytesTag(ResultFields::kValuesFieldNumber)) {
      if (fields.Bytes(bytes))
        PALENA_RETURN_IF_ERROR(DecodeValue(bytes, out.values.emplace_back()));
    } else if (fields.tag() == BytesTag(ResultFields::kStampFieldNumber)) {
      if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(DecodeStamp(bytes, out.stamp));
    } else {
      ReadScalar(fields, out);
    }
  }
  return fields.status();
}

}  // namespace palena::wire
