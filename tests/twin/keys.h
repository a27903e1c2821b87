#pragma once

#include "script/ast.h"
#include "twin/evaluator.h"
#include "twin/store.h"

namespace palena::twin {

// Looks at every key of the script, in the order of the text, before anything runs: constants
// first, which are wrong whatever the parameters are. Throws Failure.
void CheckKeys(const script::Tree& tree, const Parameters& parameters);

// The key's name in this run; CheckKeys has passed.
std::string NameOf(const script::Key& key, const Parameters& parameters);

}  // namespace palena::twin
