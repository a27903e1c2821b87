#pragma once

#include <string>

#include "script/ast.h"

namespace palena::script {

// The tree as indented text, one node a line, for golden tests and `palena` developers.
std::string DumpTree(const Tree& tree);

}  // namespace palena::script
