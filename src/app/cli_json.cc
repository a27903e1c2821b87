#include "app/cli_json.h"

#include <sodium.h>
#include <utf8proc.h>

#include <charconv>

#include "nlohmann/json.hpp"

namespace palena::app {
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

Json NumberOrText(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && last == end && std::to_string(number) == text) return number;
  return text;
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

std::string MetricsJson(const std::vector<std::pair<std::string, std::string>>& metrics) {
  Json json = Json::object();
  for (const auto& [name, value] : metrics) json[name] = NumberOrText(value);
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

}  // namespace palena::app
