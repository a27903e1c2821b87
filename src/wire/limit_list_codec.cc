// The messages that list limits.

#include <palena/v1/palena.pb.h>

#include "wire/fields.h"
#include "wire/frame.h"
#include "wire/limit_codec.h"

namespace palena::wire {
namespace {

// ---- decoding

base::Status DecodeSetting(std::string_view message, std::pair<std::string, std::string>& out) {
  FieldReader fields(message, "Setting", v1::Setting::kValueFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::Setting::kNameFieldNumber):
        if (fields.Text(bytes)) out.first = bytes;
        break;
      case BytesTag(v1::Setting::kValueFieldNumber):
        if (fields.Text(bytes)) out.second = bytes;
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

std::uint64_t* CountOf(std::uint32_t tag, LimitInfo& out) {
  switch (tag) {
    case VarintTag(v1::LimitInfo::kAllowedFieldNumber):
      return &out.allowed;
    case VarintTag(v1::LimitInfo::kDeniedFieldNumber):
      return &out.denied;
    case VarintTag(v1::LimitInfo::kShadowDeniedFieldNumber):
      return &out.shadow_denied;
    case VarintTag(v1::LimitInfo::kErrorsFieldNumber):
      return &out.errors;
    default:
      return nullptr;
  }
}

bool* FlagOf(std::uint32_t tag, LimitInfo& out) {
  switch (tag) {
    case VarintTag(v1::LimitInfo::kPersistentFieldNumber):
      return &out.is_persistent;
    case VarintTag(v1::LimitInfo::kShadowFieldNumber):
      return &out.is_shadow;
    case VarintTag(v1::LimitInfo::kAllowsOnErrorFieldNumber):
      return &out.allows_on_error;
    case VarintTag(v1::LimitInfo::kHasLeasesFieldNumber):
      return &out.has_leases;
    default:
      return nullptr;
  }
}

std::string* TextOf(std::uint32_t tag, LimitInfo& out) {
  switch (tag) {
    case BytesTag(v1::LimitInfo::kNameFieldNumber):
      return &out.name;
    case BytesTag(v1::LimitInfo::kLimiterFieldNumber):
      return &out.limiter;
    case BytesTag(v1::LimitInfo::kKeyFieldNumber):
      return &out.key;
    default:
      return nullptr;
  }
}

base::Status DecodeInfo(std::string_view message, LimitInfo& out) {
  FieldReader fields(message, "LimitInfo", v1::LimitInfo::kErrorsFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    if (fields.tag() == BytesTag(v1::LimitInfo::kParametersFieldNumber)) {
      if (fields.Bytes(bytes)) {
        PALENA_RETURN_IF_ERROR(DecodeSetting(bytes, out.parameters.emplace_back()));
      }
    } else if (std::uint64_t* const count = CountOf(fields.tag(), out)) {
      fields.Varint(kUint64Max, *count);
    } else if (bool* const flag = FlagOf(fields.tag(), out)) {
      fields.Bool(*flag);
    } else if (std::string* const text = TextOf(fields.tag(), out)) {
      if (fields.Text(bytes)) *text = bytes;
    } else {
      fields.Skip();
    }
  }
  return fields.status();
}

base::Status DecodeRefused(std::string_view message, RefusedSubject& out) {
  FieldReader fields(message, "RefusedSubject", v1::RefusedSubject::kOverByFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::RefusedSubject::kLimitFieldNumber):
        if (fields.Text(bytes)) out.limit = bytes;
        break;
      case BytesTag(v1::RefusedSubject::kSubjectFieldNumber):
        if (fields.Bytes(bytes)) out.subject = bytes;
        break;
      case VarintTag(v1::RefusedSubject::kRefusedFieldNumber):
        fields.Varint(kUint64Max, out.refused);
        break;
      case VarintTag(v1::RefusedSubject::kOverByFieldNumber):
        fields.Varint(kUint64Max, out.over_by);
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

// ---- encoding

template <typename Frame>
void AppendFrame(std::string& out, const Frame& frame) {
  const std::size_t start = BeginFrame(out);
  frame.AppendToString(&out);
  FinishFrame(out, start);
}

void SetInfo(const LimitInfo& info, v1::LimitInfo& out) {
  out.set_name(info.name);
  out.set_limiter(info.limiter);
  out.set_key(info.key);
  for (const auto& [name, value] : info.parameters) {
    v1::Setting& added = *out.add_parameters();
    added.set_name(name);
    added.set_value(value);
  }
  out.set_persistent(info.is_persistent);
  out.set_shadow(info.is_shadow);
  out.set_allows_on_error(info.allows_on_error);
  out.set_has_leases(info.has_leases);
  out.set_allowed(info.allowed);
  out.set_denied(info.denied);
  out.set_shadow_denied(info.shadow_denied);
  out.set_errors(info.errors);
}

}  // namespace

base::Status DecodeLimitList(std::string_view message, LimitList& out) {
  FieldReader fields(message, "LimitList", v1::LimitList::kRefusedFieldNumber);
  std::string_view bytes;
  while (fields.Next()) {
    switch (fields.tag()) {
      case BytesTag(v1::LimitList::kFileFieldNumber):
        if (fields.Text(bytes)) out.file = bytes;
        break;
      case BytesTag(v1::LimitList::kLimitsFieldNumber):
        if (fields.Bytes(bytes)) {
          PALENA_RETURN_IF_ERROR(DecodeInfo(bytes, out.limits.emplace_back()));
        }
        break;
      case BytesTag(v1::LimitList::kRefusedFieldNumber):
        if (fields.Bytes(bytes)) {
          PALENA_RETURN_IF_ERROR(DecodeRefused(bytes, out.refused.emplace_back()));
        }
        break;
      default:
        fields.Skip();
    }
  }
  return fields.status();
}

void AppendListLimits(std::string& out, std::uint64_t id) {
  v1::ClientFrame frame;
  frame.set_id(id);
  frame.mutable_list_limits();
  AppendFrame(out, frame);
}

void AppendLimitList(std::string& out, std::uint64_t id, const LimitList& list) {
  v1::ServerFrame frame;
  frame.set_id(id);
  v1::LimitList& limits = *frame.mutable_limit_list();
  limits.set_file(list.file);
  for (const LimitInfo& info : list.limits) SetInfo(info, *limits.add_limits());
  for (const RefusedSubject& refused : list.refused) {
    v1::RefusedSubject& added = *limits.add_refused();
    added.set_limit(refused.limit);
    added.set_subject(refused.subject);
    added.set_refused(refused.refused);
    added.set_over_by(refused.over_by);
  }
  AppendFrame(out, frame);
}

}  // namespace palena::wire
