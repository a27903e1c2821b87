#include "wire/result_json.h"

#include <sodium.h>
#include <utf8proc.h>

#include "nlohmann/json.hpp"

namespace palena::wire {
namespace {

using Json = nlohmann::ordered_json;

std::string Base64(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  text.pop_back();  // the terminator, which the length includes
  return text;
}

Json ValueJson(const Value& value) {
  Json json;
  json["key"] = value.key;
  if (!value.value) {
    json["value"] = nullptr;
  } else if (IsUtf8(*value.value)) {
    json["value"] = *value.value;
  } else {
    json["value_base64"] = Base64(*value.value);
  }
  json["revision"] = value.revision;
  json["expires_ms"] = value.expires_ms;
  json["last_modified_ms"] = value.last_modified_ms;
  return json;
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string ResultJson(const Result& result) {
  Json json;
  json["type"] = ResultTypeName(result.type);
  json["code"] = result.code;
  json["values"] = Json::array();
  for (const Value& value : result.values) json["values"].push_back(ValueJson(value));
  json["reason"] = result.reason;
  json["line"] = result.line;
  json["stamp"] = {
      {"ms", result.stamp.ms}, {"counter", result.stamp.counter}, {"node", result.stamp.node}};
  json["truncated"] = result.truncated;
  json["applied"] = AppliedName(result.applied);
  return Dump(json);
}

bool IsUtf8(std::string_view bytes) {
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(bytes.data());
  auto left = static_cast<utf8proc_ssize_t>(bytes.size());
  while (left > 0) {
    utf8proc_int32_t point = 0;
    const utf8proc_ssize_t used = utf8proc_iterate(at, left, &point);
    if (used <= 0) return false;
    at += used;
    left -= used;
  }
  return true;
}

}  // namespace palena::wire
