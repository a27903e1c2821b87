#pragma once

// The functions of language.md 5.

#include <string_view>
#include <vector>

#include "hlc/stamp.h"
#include "twin/operators.h"
#include "twin/value.h"

namespace palena::twin {

// Looks the name up and calls; throws Failure.
Value Call(const Site& site, std::string_view name, const std::vector<Value>& arguments,
           const hlc::Stamp& stamp);

}  // namespace palena::twin
