#include "script/functions.h"

#include <algorithm>
#include <array>

#include "script/function_bodies.h"

namespace palena::script {

namespace {

constexpr std::string_view kToInt[] = {"to_integer", "to_long", "to_number"};
constexpr std::string_view kToDouble[] = {"to_float"};
constexpr std::string_view kToStr[] = {"to_string"};
constexpr std::string_view kToBool[] = {"to_boolean"};
constexpr std::string_view kIsLong[] = {"is_int", "is_integer"};
constexpr std::string_view kIsDouble[] = {"is_float"};
constexpr std::string_view kIsString[] = {"is_str"};
constexpr std::string_view kIsBool[] = {"is_boolean"};
constexpr std::string_view kLength[] = {"len"};
constexpr std::string_view kRevision[] = {"rev"};

// Name, aliases, least and most arguments, body.
constexpr Function kFunctions[] = {
    {"abs", {}, 1, 1, Abs},
    {"ceil", {}, 1, 1, Ceil},
    {"floor", {}, 1, 1, Floor},
    {"round", {}, 2, 2, Round},
    {"min", {}, 2, 2, Min},
    {"max", {}, 2, 2, Max},
    {"pow", {}, 2, 2, Pow},
    {"mod", {}, 2, 2, Mod},
    {"nearly_equals", {}, 3, 3, NearlyEquals},
    {"to_int", kToInt, 1, 1, ToInt},
    {"to_double", kToDouble, 1, 1, ToDouble},
    {"to_str", kToStr, 1, 1, ToStr},
    {"to_bool", kToBool, 1, 1, ToBool},
    {"to_json", {}, 1, 1, ToJson},
    {"is_long", kIsLong, 1, 1, IsLong},
    {"is_double", kIsDouble, 1, 1, IsDouble},
    {"is_string", kIsString, 1, 1, IsString},
    {"is_bool", kIsBool, 1, 1, IsBool},
    {"is_null", {}, 1, 1, IsNull},
    {"is_array", {}, 1, 1, IsArray},
    {"revision", kRevision, 1, 1, Revision},
    {"expires", {}, 1, 1, Expires},
    {"current_time", {}, 0, 0, StampMs},
    {"hlc", {}, 0, 0, StampMs},
    {"hlc_counter", {}, 0, 0, StampCounter},
    {"concat", {}, 2, 2, Concat},
    {"upper", {}, 1, 1, Upper},
    {"lower", {}, 1, 1, Lower},
    {"length", kLength, 1, 1, Length},
    {"substring", {}, 2, 3, Substring},
    {"starts_with", {}, 2, 2, StartsWith},
    {"ends_with", {}, 2, 2, EndsWith},
    {"index_of", {}, 2, 2, IndexOf},
    {"split", {}, 2, 2, Split},
    {"trim", {}, 1, 1, Trim},
    {"join", {}, 2, 2, Join},
    {"count", {}, 1, 1, Count},
    {"truncated", {}, 1, 1, Truncated},
};

constexpr std::size_t CountNames() {
  std::size_t count = 0;
  for (const Function& function : kFunctions) count += 1 + function.aliases.size();
  return count;
}

struct NamedFunction {
  std::string_view name;
  const Function* function = nullptr;
};

// Sorted by name, when this is compiled: nothing to build or to destroy at run time.
constexpr auto kByName = [] {
  std::array<NamedFunction, CountNames()> names;
  std::size_t next = 0;
  for (const Function& function : kFunctions) {
    names[next++] = {function.name, &function};
    for (const std::string_view alias : function.aliases) names[next++] = {alias, &function};
  }
  std::sort(names.begin(), names.end(),
            [](const NamedFunction& a, const NamedFunction& b) { return a.name < b.name; });
  return names;
}();

}  // namespace

std::span<const Function> Functions() {
  return kFunctions;
}

const Function* FindFunction(std::string_view name) {
  const auto found =
      std::lower_bound(kByName.begin(), kByName.end(), name,
                       [](const NamedFunction& a, std::string_view b) { return a.name < b; });
  return found != kByName.end() && found->name == name ? found->function : nullptr;
}

}  // namespace palena::script
