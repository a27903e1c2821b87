#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "palena/result.h"
#include "wire/request_json.h"

namespace palena::app {

// "name=value" or "@name=value" of a -p flag; the value may hold anything, '=' and nothing too.
// Nothing when there is no '=' or the name is not made of letters, digits and '_'.
std::optional<std::pair<std::string, std::string>> ParseParameter(std::string_view text);

// Of the texts of -p flags, each of which ParseParameter takes.
Parameters ParseParameters(const std::vector<std::string>& texts);

std::vector<std::string> NamesOf(const Parameters& parameters);

using wire::GivenTwice;

// The parameters that a script reads, with '@', each once, in the order of the text. Nothing for a
// text that is no script: the node will say what is wrong with it.
std::optional<std::vector<std::string>> ParametersOf(std::string_view script);

// What is wrong with giving `names` to `script`: one that it does not read, as a sentence that
// names those that it does. Empty when nothing is.
std::string UnknownParameter(std::string_view script, const std::vector<std::string>& names);
// The same for one that it reads and that is not among them.
std::string MissingParameter(std::string_view script, const std::vector<std::string>& names);

}  // namespace palena::app
