#include "app/cli_json.h"

#include <charconv>
#include <cstdint>

#include "nlohmann/json.hpp"

namespace palena::app {
namespace {

using Json = nlohmann::ordered_json;

Json NumberOrText(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && last == end && std::to_string(number) == text) return number;
  return text;
}

}  // namespace

std::string MetricsJson(const std::vector<std::pair<std::string, std::string>>& metrics) {
  Json json = Json::object();
  for (const auto& [name, value] : metrics) json[name] = NumberOrText(value);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace palena::app
