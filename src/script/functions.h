#pragma once

// The function table: one row per function, in functions.cc. A new function is one row, one C++
// function and its scripts.

#include <cstdint>
#include <span>
#include <string_view>

#include "script/evaluation.h"
#include "script/value.h"

namespace palena::script {

using FunctionBody = bool (*)(Evaluation& e, std::span<const Value> arguments, Value& out);

struct Function {
  std::string_view name;  // canonical: what messages say
  std::span<const std::string_view> aliases;
  int arity_min = 0;
  int arity_max = 0;
  FunctionBody body = nullptr;
};

std::span<const Function> Functions();
// By name or alias, case-sensitive; null when there is none.
const Function* FindFunction(std::string_view name);

}  // namespace palena::script
