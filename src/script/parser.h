#pragma once

#include <string_view>

#include "model/script_or.h"
#include "script/ast.h"

namespace palena::script {

// Source to tree, the whole grammar of the language. Errors are Code::kSyntax ("Syntax error, …",
// naming the token and what was expected) with the line, or Code::kLimit ("Nesting too deep").
// Pure; cost linear in the text; uses the C++ stack for at most base::kNestingDepthMax levels.
model::ScriptOr<Tree> Parse(std::string_view source);

}  // namespace palena::script
