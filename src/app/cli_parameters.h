#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace palena::app {

// "name=value" or "@name=value" of a -p flag; the value may hold anything, '=' and nothing too.
// Nothing when there is no '=' or the name is not made of letters, digits and '_'.
std::optional<std::pair<std::string, std::string>> ParseParameter(std::string_view text);

}  // namespace palena::app
