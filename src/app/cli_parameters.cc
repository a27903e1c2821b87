#include "app/cli_parameters.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace palena::app {

std::optional<std::pair<std::string, std::string>> ParseParameter(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  std::string_view name = text.substr(0, equals);
  if (name.starts_with('@')) name.remove_prefix(1);
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
  if (!is_name) return std::nullopt;
  return std::pair("@" + std::string(name), std::string(text.substr(equals + 1)));
}

}  // namespace palena::app
