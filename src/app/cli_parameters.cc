#include "app/cli_parameters.h"

#include <algorithm>
#include <span>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/request.h"
#include "script/program.h"

namespace palena::app {
namespace {

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::optional<std::pair<std::string, std::string>> ParseParameter(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view name = model::WithoutAt(text.substr(0, equals));
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
  if (!is_name) return std::nullopt;
  return std::pair("@" + std::string(name), std::string(text.substr(equals + 1)));
}

Parameters ParseParameters(const std::vector<std::string>& texts) {
  Parameters parameters;
  parameters.reserve(texts.size());
  for (const std::string& text : texts) parameters.push_back(*ParseParameter(text));
  return parameters;
}

std::vector<std::string> NamesOf(const Parameters& parameters) {
  std::vector<std::string> names;
  names.reserve(parameters.size());
  for (const auto& [name, value] : parameters) names.push_back(name);
  return names;
}

std::optional<std::vector<std::string>> ParametersOf(std::string_view script) {
  const auto program = script::Compile(script);
  if (!program.ok()) return std::nullopt;
  const std::span<const std::string> names = (*program)->parameters();
  return std::vector<std::string>(names.begin(), names.end());
}

std::string UnknownParameter(std::string_view script, const std::vector<std::string>& names) {
  const std::optional<std::vector<std::string>> read = ParametersOf(script);
  if (!read) return {};
  for (const std::string& name : names) {
    if (Holds(*read, name)) continue;
    return absl::StrCat("the script has no parameter ", name, "; ",
                        read->empty() ? "it has none" : "its parameters are ",
                        absl::StrJoin(*read, ", "));
  }
  return {};
}

std::string MissingParameter(std::string_view script, const std::vector<std::string>& names) {
  for (const std::string& name : ParametersOf(script).value_or(std::vector<std::string>())) {
    if (!Holds(names, name)) return absl::StrCat("the script needs -p ", name, "=…");
  }
  return {};
}

}  // namespace palena::app
