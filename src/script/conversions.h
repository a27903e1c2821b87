#pragma once

// Numbers, texts and their forms (language.md 3 and 4, "num(S)").

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "script/evaluation.h"
#include "script/value.h"

namespace palena::script {

// Shortest text that reads back the same; exponent form from 1E+15 and below 1E-04 (language.md 3).
std::string DoubleText(double value);

// num(S): a 64-bit integer if possible, otherwise a float; ASCII blanks around and a sign are fine.
// Digits, point and exponent only: "NaN" and "Infinity" are no numbers here, nor is a text that no
// double can hold ("1e400").
struct Number {
  bool is_integer = false;
  std::int64_t integer = 0;
  double real = 0;
};
std::optional<Number> ParseNumber(std::string_view text);
std::optional<std::int64_t> ParseInteger(std::string_view text);
// Cut toward zero; nothing for NaN and whatever is outside 64 bits.
std::optional<std::int64_t> IntegerOfDouble(double value);

// The text form of any value but an array: what is stored, compared by `cmp`, returned. False with
// a failure for arrays (or when memory is out). The view lives as long as the run.
bool TextForm(Evaluation& e, const Value& value, std::string_view& out);

// The text of a kString, made in the arena when it is still an integer. False when memory is out.
bool StringText(Evaluation& e, const Value& value, std::string_view& out);

// The form in which a value is stored: integers stay integers. False with a failure for arrays.
bool StoredForm(Evaluation& e, const Value& value, model::ValueView& out);

// An integer argument of a statement (`ex`, `cmprev`, `at`, extend, sleep) or an index: an integer,
// a whole float, or numeric text of either ("60000", "6e4"). Nothing for anything else.
std::optional<std::int64_t> WholeNumber(const Value& value);

// JSON text of any value, nested arrays included. NaN and the infinities, which JSON does not have,
// are quoted: "NaN"; bytes that are not UTF-8 become U+FFFD.
bool JsonText(Evaluation& e, const Value& value, std::string_view& out);

}  // namespace palena::script
