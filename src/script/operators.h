#pragma once

// The operators of language.md 4, one function each. On failure they record the message in the
// evaluation and return false; `out` may alias an operand. Integer text (Value::is_integer_text)
// is handled without making the text wherever the answer does not need it.

#include "script/evaluation.h"
#include "script/value.h"

namespace palena::script {

bool Add(Evaluation& e, const Value& a, const Value& b, Value& out);
bool Subtract(Evaluation& e, const Value& a, const Value& b, Value& out);
bool Multiply(Evaluation& e, const Value& a, const Value& b, Value& out);
bool Divide(Evaluation& e, const Value& a, const Value& b, Value& out);
bool Negate(Evaluation& e, const Value& a, Value& out);

bool Equal(Evaluation& e, const Value& a, const Value& b, Value& out);
bool NotEqual(Evaluation& e, const Value& a, const Value& b, Value& out);
bool Less(Evaluation& e, const Value& a, const Value& b, Value& out);
bool LessEqual(Evaluation& e, const Value& a, const Value& b, Value& out);
bool Greater(Evaluation& e, const Value& a, const Value& b, Value& out);
bool GreaterEqual(Evaluation& e, const Value& a, const Value& b, Value& out);

bool Not(Evaluation& e, const Value& a, Value& out);
bool Range(Evaluation& e, const Value& a, const Value& b, Value& out);
bool Index(Evaluation& e, const Value& array, const Value& index, Value& out);
// `elements` are copied into the arena. "Nesting too deep" above base::kNestingDepthMax.
bool MakeArray(Evaluation& e, const Value* elements, std::size_t count, Value& out);
// The same for elements that live as long as the run already: not copied.
bool AdoptArray(Evaluation& e, const Value* elements, std::size_t count, Value& out);
// An array of the run whose elements live as long as it does.
bool PlaceArray(Evaluation& e, const Array& array, Value& out);
// Memory for elements; null with the failure set, also for more than base::kArrayElementsMax.
Value* AllocateElements(Evaluation& e, std::size_t count);

// False, with the failure "expected a boolean, found <Type>".
bool RefuseCondition(Evaluation& e, const Value& a);
// A condition of `if`, `&&`, `||`; anything but a boolean is refused. In the header: every branch
// of every script asks.
inline bool Condition(Evaluation& e, const Value& a, bool& out) {
  if (a.type != ValueType::kBool) return RefuseCondition(e, a);
  out = a.boolean;
  return true;
}

}  // namespace palena::script
