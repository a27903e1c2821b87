#include "app/cli_parameters.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "script/lexer.h"

namespace palena::app {
namespace {

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view WithoutAt(std::string_view name) {
  return name.starts_with('@') ? name.substr(1) : name;
}

}  // namespace

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

std::string GivenTwice(const Parameters& parameters) {
  for (auto one = parameters.begin(); one != parameters.end(); ++one) {
    const auto same = [&](const auto& other) {
      return WithoutAt(other.first) == WithoutAt(one->first);
    };
    if (std::any_of(parameters.begin(), one, same)) return one->first;
  }
  return {};
}

std::optional<std::vector<std::string>> ParametersOf(std::string_view script) {
  std::vector<std::string> names;
  script::Lexer lexer(script);
  for (;;) {
    script::Token token = lexer.Next();
    if (token.kind == script::TokenKind::kBad) return std::nullopt;
    if (token.kind == script::TokenKind::kEndOfScript) return names;
    if (token.kind == script::TokenKind::kPlaceholder && !Holds(names, token.text)) {
      names.push_back(std::move(token.text));
    }
  }
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
