#pragma once

#include <string>
#include <vector>

#include "model/script_or.h"
#include "script/ast.h"
#include "script/footprint.h"
#include "script/transaction.h"

namespace palena::script {

// What is known about a script before it runs.
struct Analysis {
  std::vector<std::string> parameters;  // with '@', in order of first occurrence: the slots
  std::vector<std::string> variables;   // in order of first occurrence: the slots
  Footprint footprint;
  bool is_transaction = false;  // a `begin` block
  BeginOptions begin_options;
};

// Gives every variable, parameter and key of `tree` its slot (Expr::slot, Stmt::slot, Key::slot)
// and refuses what is wrong whatever the parameters are: a nested or accompanied `begin`
// ("Nested transactions are not supported"), a lone `commit` or `rollback` ("Invalid transaction"),
// an option of `begin` (transaction.h), an empty constant key, an over-long constant key, bucket or
// prefix, more than 65,535 of anything that has slots.
model::ScriptOr<Analysis> Analyse(Tree& tree);

}  // namespace palena::script
