#include "wire/limit_codec.h"

#include <palena/v1/palena.pb.h>

#include <algorithm>

#include "wire/fields.h"
#include "wire/frame.h"
#include "wire/result_codec.h"

namespace palena::wire {
namespace {

// Far more than a call may name; what they mean is judged by whoever knows the limits.
constexpr std::size_t kWishesMax = 1'024;
constexpr std::size_t kPartsMax = 16'384;  // of all wishes

std::uint64_t Unsigned(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

// ---- decoding

void ReadMode(FieldReader& fields, model::TakeMode& out) {
  std::uint64_t number = 0;
  if (!fields.Varint(kUint64Max, number)) return;
  switch (number) {
#define X(name, text, wire_number) \
  case wire_number:                \
    out = model::TakeMode::name;   \
    return;
    PALENA_TAKE_MODES(X)
#undef X
    default:
      fields.Fail("an unknown enum value");
  }
}

base::Status DecodePart(std::string_view message, model::TakePart& out) {
  FieldReader fields(message, "Part", v1::Part::kValueFieldNumber);
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::Part::kNameFieldNumber):
        fields.Bytes(out.name);
        break;
      case BytesTag(v1::Part::kValueFieldNumber):
        fields.Bytes(out.value);
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

base::Status DecodeRecord(std::string_view message, model::TakeRecord& out) {
  FieldReader fields(message, "LimitRecord", v1::LimitRecord::kShadowRefusedFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::LimitRecord::kLimitFieldNumber):
        if (fields.Bytes(bytes)) out.limit = bytes;
        break;
      case VarintTag(v1::LimitRecord::kAllowedFieldNumber):
        fields.Bool(out.is_allowed);
        break;
      case VarintTag(v1::LimitRecord::kQuotaFieldNumber):
        fields.Varint(kUint64Max, out.quota);  // int64: two's complement
        break;
      case VarintTag(v1::LimitRecord::kRemainingFieldNumber):
        fields.Varint(kUint64Max, out.remaining);
        break;
      case VarintTag(v1::LimitRecord::kRetryAfterMsFieldNumber):
        fields.Signed(out.retry_after_ms);
        break;
      case VarintTag(v1::LimitRecord::kResetAtMsFieldNumber):
        fields.Varint(kUint64Max, out.reset_at_ms);
        break;
      case VarintTag(v1::LimitRecord::kWindowMsFieldNumber):
        fields.Varint(kUint64Max, out.window_ms);
        break;
      case VarintTag(v1::LimitRecord::kShadowRefusedFieldNumber):
        fields.Bool(out.is_shadow_refused);
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

// The numbers and bytes of a TakeReply; its messages are DecodeTakeReply's.
void ReadScalar(FieldReader& fields, model::TakeAnswer& out) {
  std::string_view bytes;
  switch (fields.tag()) {
    case VarintTag(v1::TakeReply::kAllowedFieldNumber):
      fields.Bool(out.is_allowed);
      return;
    case VarintTag(v1::TakeReply::kRetryAfterMsFieldNumber):
      fields.Signed(out.retry_after_ms);
      return;
    case VarintTag(v1::TakeReply::kCodeFieldNumber):
      return ReadCode(fields, out.code);
    case BytesTag(v1::TakeReply::kReasonFieldNumber):
      if (fields.Bytes(bytes)) out.reason = bytes;
      return;
    case VarintTag(v1::TakeReply::kLineFieldNumber):
      fields.Varint(kInt32Max, out.line);
      return;
    case VarintTag(v1::TakeReply::kAppliedFieldNumber):
      return ReadApplied(fields, out.applied);
    default:
      fields.Skip();
  }
}

// ---- encoding

template <typename Frame>
void AppendFrame(std::string& out, const Frame& frame) {
  const std::size_t start = BeginFrame(out);
  frame.AppendToString(&out);
  FinishFrame(out, start);
}

void SetWish(const model::TakeWish& wish, v1::Wish& out) {
  out.set_limit(wish.limit.data(), wish.limit.size());
  for (const model::TakePart& part : wish.parts) {
    v1::Part& added = *out.add_parts();
    added.set_name(part.name.data(), part.name.size());
    added.set_value(part.value.data(), part.value.size());
  }
  if (wish.cost != 1) out.set_cost(Unsigned(wish.cost));
  out.set_owner(wish.owner.data(), wish.owner.size());
}

std::size_t RecordBytes(const model::TakeRecord& record) {
  return TextFieldBytes(record.limit.size()) + NumberFieldBytes(record.is_allowed ? 1 : 0) +
         NumberFieldBytes(Unsigned(record.quota)) + NumberFieldBytes(Unsigned(record.remaining)) +
         NumberFieldBytes(WireFormatLite::ZigZagEncode64(record.retry_after_ms)) +
         NumberFieldBytes(Unsigned(record.reset_at_ms)) +
         NumberFieldBytes(Unsigned(record.window_ms)) +
         NumberFieldBytes(record.is_shadow_refused ? 1 : 0);
}

void WriteRecord(FieldWriter& writer, const model::TakeRecord& record) {
  writer.Begin(v1::TakeReply::kRecordsFieldNumber, RecordBytes(record));
  writer.Text(v1::LimitRecord::kLimitFieldNumber, record.limit);
  writer.Number(v1::LimitRecord::kAllowedFieldNumber, record.is_allowed ? 1 : 0);
  writer.Number(v1::LimitRecord::kQuotaFieldNumber, Unsigned(record.quota));
  writer.Number(v1::LimitRecord::kRemainingFieldNumber, Unsigned(record.remaining));
  writer.Number(v1::LimitRecord::kRetryAfterMsFieldNumber,
                WireFormatLite::ZigZagEncode64(record.retry_after_ms));
  writer.Number(v1::LimitRecord::kResetAtMsFieldNumber, Unsigned(record.reset_at_ms));
  writer.Number(v1::LimitRecord::kWindowMsFieldNumber, Unsigned(record.window_ms));
  writer.Number(v1::LimitRecord::kShadowRefusedFieldNumber, record.is_shadow_refused ? 1 : 0);
}

std::size_t TakeReplyBytes(const model::TakeAnswer& answer) {
  std::size_t bytes = NumberFieldBytes(answer.is_allowed ? 1 : 0) +
                      NumberFieldBytes(WireFormatLite::ZigZagEncode64(answer.retry_after_ms)) +
                      NumberFieldBytes(static_cast<std::uint64_t>(answer.code)) +
                      TextFieldBytes(answer.reason.size()) +
                      NumberFieldBytes(Unsigned(answer.line)) + StampFieldBytes(answer.stamp) +
                      NumberFieldBytes(static_cast<std::uint64_t>(answer.applied));
  for (const model::TakeRecord& record : answer.records) {
    bytes += BytesFieldBytes(RecordBytes(record));
  }
  return bytes;
}

void WriteTakeReply(FieldWriter& writer, const model::TakeAnswer& answer) {
  writer.Number(v1::TakeReply::kAllowedFieldNumber, answer.is_allowed ? 1 : 0);
  writer.Number(v1::TakeReply::kRetryAfterMsFieldNumber,
                WireFormatLite::ZigZagEncode64(answer.retry_after_ms));
  for (const model::TakeRecord& record : answer.records) WriteRecord(writer, record);
  writer.Number(v1::TakeReply::kCodeFieldNumber, static_cast<std::uint64_t>(answer.code));
  writer.Text(v1::TakeReply::kReasonFieldNumber, answer.reason);
  writer.Number(v1::TakeReply::kLineFieldNumber, Unsigned(answer.line));
  WriteStampField(writer, v1::TakeReply::kStampFieldNumber, answer.stamp);
  writer.Number(v1::TakeReply::kAppliedFieldNumber, static_cast<std::uint64_t>(answer.applied));
}

}  // namespace

void TakeStorage::Clear() {
  wishes_.clear();
  first_parts_.clear();
  parts_.clear();
}

base::Status TakeStorage::AddWish(std::string_view message) {
  if (wishes_.size() == kWishesMax) {
    return absl::InvalidArgumentError("Take: more than " + std::to_string(kWishesMax) + " wishes");
  }
  FieldReader fields(message, "Wish", v1::Wish::kOwnerFieldNumber);
  model::TakeWish& wish = wishes_.emplace_back();
  first_parts_.push_back(parts_.size());
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::Wish::kLimitFieldNumber):
        fields.Bytes(wish.limit);
        break;
      case BytesTag(v1::Wish::kPartsFieldNumber):
        if (parts_.size() == kPartsMax) fields.Fail("too many parts");
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(DecodePart(bytes, parts_.emplace_back()));
        break;
      case VarintTag(v1::Wish::kCostFieldNumber):
        fields.Varint(kInt64Max, wish.cost);
        break;
      case BytesTag(v1::Wish::kOwnerFieldNumber):
        fields.Bytes(wish.owner);
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

// Once all parts are there: the vector grows no more.
void TakeStorage::ReferToParts() {
  for (std::size_t i = 0; i < wishes_.size(); ++i) {
    const std::size_t end = i + 1 < wishes_.size() ? first_parts_[i + 1] : parts_.size();
    wishes_[i].parts = std::span(parts_).subspan(first_parts_[i], end - first_parts_[i]);
  }
}

base::Status TakeStorage::DecodeTake(std::string_view message, model::TakeRequest& out) {
  FieldReader fields(message, "Take", v1::Take::kTimeoutMsFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case VarintTag(v1::Take::kModeFieldNumber):
        ReadMode(fields, out.mode);
        break;
      case BytesTag(v1::Take::kWishesFieldNumber):
        if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(AddWish(bytes));
        break;
      case VarintTag(v1::Take::kTimeoutMsFieldNumber):
        fields.Varint(kInt64Max, out.timeout_ms);
        break;
      default:
        fields.Skip();
    }
  }
  PALENA_RETURN_IF_ERROR(fields.status());
  ReferToParts();
  out.wishes = wishes_;
  return base::Ok();
}

base::Status TakeStorage::DecodeReset(std::string_view message, model::TakeWish& out) {
  FieldReader fields(message, "ResetLimit", v1::ResetLimit::kWishFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    if (fields.tag() != BytesTag(v1::ResetLimit::kWishFieldNumber)) {
      fields.Skip();
    } else if (fields.Bytes(bytes)) {
      PALENA_RETURN_IF_ERROR(AddWish(bytes));
    }
  }
  PALENA_RETURN_IF_ERROR(fields.status());
  if (wishes_.size() != 1) return absl::InvalidArgumentError("ResetLimit: not one wish");
  ReferToParts();
  out = wishes_.front();
  return base::Ok();
}

base::Status DecodeTakeReply(std::string_view message, model::TakeAnswer& out) {
  FieldReader fields(message, "TakeReply", v1::TakeReply::kAppliedFieldNumber);
  std::string_view bytes;
  out.applied = model::Applied::kYes;  // what a field that was left out stands for
  while (fields.Next()) {
    if (fields.tag() == BytesTag(v1::TakeReply::kRecordsFieldNumber)) {
      if (fields.Bytes(bytes)) {
        PALENA_RETURN_IF_ERROR(DecodeRecord(bytes, out.records.emplace_back()));
      }
    } else if (fields.tag() == BytesTag(v1::TakeReply::kStampFieldNumber)) {
      if (fields.Bytes(bytes)) PALENA_RETURN_IF_ERROR(DecodeStamp(bytes, out.stamp));
    } else {
      ReadScalar(fields, out);
    }
  }
  if (out.code != model::Code::kNone) out.fault = model::TakeFault::kUndecided;
  return fields.status();
}

void AppendTake(std::string& out, std::uint64_t id, const model::TakeRequest& request) {
  v1::ClientFrame frame;
  frame.set_id(id);
  v1::Take& take = *frame.mutable_take();
  take.set_mode(static_cast<v1::TakeMode>(request.mode));
  for (const model::TakeWish& wish : request.wishes) SetWish(wish, *take.add_wishes());
  take.set_timeout_ms(Unsigned(std::max<std::int64_t>(request.timeout_ms, 0)));
  AppendFrame(out, frame);
}

void AppendResetLimit(std::string& out, std::uint64_t id, const model::TakeWish& wish) {
  v1::ClientFrame frame;
  frame.set_id(id);
  SetWish(wish, *frame.mutable_reset_limit()->mutable_wish());
  AppendFrame(out, frame);
}

void AppendTakeReply(std::string& out, std::uint64_t id, const model::TakeAnswer& answer) {
  const std::size_t reply_bytes = TakeReplyBytes(answer);
  const std::size_t payload_bytes = NumberFieldBytes(id) + BytesFieldBytes(reply_bytes);
  out.reserve(out.size() + kFrameHeaderBytes + payload_bytes);
  const std::size_t start = BeginFrame(out);
  FieldWriter writer(out, payload_bytes);
  writer.Number(v1::ServerFrame::kIdFieldNumber, id);
  writer.Begin(v1::ServerFrame::kTakeFieldNumber, reply_bytes);
  WriteTakeReply(writer, answer);
  writer.Finish();
  FinishFrame(out, start);
}

}  // namespace palena::wire
