#pragma once

#include <string>
#include <vector>

#include "model/script_or.h"
#include "script/ast.h"
#include "script/footprint.h"

namespace palena::script {

// What is known about a script before it runs.
struct Analysis {
  std::vector<std::string> parameters;  // with '@', in order of first occurrence: the slots
  std::vector<std::string> variables;   // in order of first occurrence: the slots
  Footprint footprint;
};

// Gives every variable, parameter and key of `tree` its slot (Expr::slot, Stmt::slot, Key::slot)
// and refuses what is wrong whatever the parameters are: a nested or accompanied `begin`
// ("Nested transactions are not supported"), a lone `commit` or `rollback` ("Invalid transaction"),
// an empty or over-long constant key, more than 65,535 of anything that has slots. What later
// versions will run (language.md: buckets, scans, as of, begin, commit, rollback, sleep) is refused
// after all of these, "not supported yet", with its line.
model::ScriptOr<Analysis> Analyse(Tree& tree);

}  // namespace palena::script
