#pragma once

// The C++ functions behind the table of functions.cc, one per row. Each may count on as many
// arguments as its row says, refuses the types it does not take, and sets `out` last, since it may
// be one of the arguments. Inside the room only.

#include <span>
#include <string_view>

#include "script/evaluation.h"
#include "script/value.h"

namespace palena::script {

using Arguments = std::span<const Value>;

// "Cannot use 'NAME' function with argument TYPE".
bool WrongArgument(Evaluation& e, std::string_view function, const Value& argument);

// functions_number.cc
bool Abs(Evaluation& e, Arguments arguments, Value& out);
bool Ceil(Evaluation& e, Arguments arguments, Value& out);
bool Floor(Evaluation& e, Arguments arguments, Value& out);
bool Round(Evaluation& e, Arguments arguments, Value& out);
bool Min(Evaluation& e, Arguments arguments, Value& out);
bool Max(Evaluation& e, Arguments arguments, Value& out);
bool Pow(Evaluation& e, Arguments arguments, Value& out);
bool Mod(Evaluation& e, Arguments arguments, Value& out);
bool NearlyEquals(Evaluation& e, Arguments arguments, Value& out);

// functions_value.cc
bool ToInt(Evaluation& e, Arguments arguments, Value& out);
bool ToDouble(Evaluation& e, Arguments arguments, Value& out);
bool ToStr(Evaluation& e, Arguments arguments, Value& out);
bool ToBool(Evaluation& e, Arguments arguments, Value& out);
bool ToJson(Evaluation& e, Arguments arguments, Value& out);
bool IsLong(Evaluation& e, Arguments arguments, Value& out);
bool IsDouble(Evaluation& e, Arguments arguments, Value& out);
bool IsString(Evaluation& e, Arguments arguments, Value& out);
bool IsBool(Evaluation& e, Arguments arguments, Value& out);
bool IsNull(Evaluation& e, Arguments arguments, Value& out);
bool IsArray(Evaluation& e, Arguments arguments, Value& out);
bool Revision(Evaluation& e, Arguments arguments, Value& out);
bool Expires(Evaluation& e, Arguments arguments, Value& out);
bool StampMs(Evaluation& e, Arguments arguments, Value& out);
bool StampCounter(Evaluation& e, Arguments arguments, Value& out);
bool Count(Evaluation& e, Arguments arguments, Value& out);
bool Truncated(Evaluation& e, Arguments arguments, Value& out);

// functions_text.cc
bool Concat(Evaluation& e, Arguments arguments, Value& out);
bool Upper(Evaluation& e, Arguments arguments, Value& out);
bool Lower(Evaluation& e, Arguments arguments, Value& out);
bool Length(Evaluation& e, Arguments arguments, Value& out);
bool Substring(Evaluation& e, Arguments arguments, Value& out);
bool StartsWith(Evaluation& e, Arguments arguments, Value& out);
bool EndsWith(Evaluation& e, Arguments arguments, Value& out);
bool IndexOf(Evaluation& e, Arguments arguments, Value& out);
bool Split(Evaluation& e, Arguments arguments, Value& out);
bool Trim(Evaluation& e, Arguments arguments, Value& out);
bool Join(Evaluation& e, Arguments arguments, Value& out);

}  // namespace palena::script
