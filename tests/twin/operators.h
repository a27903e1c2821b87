#pragma once

// Operators on evaluated operands, language.md 4. Each throws Failure with the line it is given.

#include "script/ast.h"
#include "twin/fault.h"
#include "twin/value.h"

namespace palena::twin {

// Where an operator or a function is applied.
struct Site {
  int line = 0;
  Fault planted = Fault::kNone;
};

// Throws: `culprit` is the value at fault, if it is one.
[[noreturn]] void Fail(const Site& site, std::string message, const Value* culprit = nullptr);

// Any binary operator but && and ||, which do not always evaluate both sides.
Value Apply(const Site& site, script::BinaryOp op, const Value& a, const Value& b);
Value Negate(const Site& site, const Value& value);
Value ElementOf(const Site& site, const Value& array, const Value& index);
// The boolean itself, or "expected a boolean".
bool Condition(const Site& site, const Value& value);
// What is stored, thrown or cast: the text form, or a failure for arrays.
std::string StoredText(const Site& site, const Value& value);

}  // namespace palena::twin
