#pragma once

// Literals of the text and the values that they stand for (language.md 1.6 and 1.7). Pure.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace palena::script {

struct QuotedLiteral {
  std::string text;       // decoded
  std::size_t bytes = 0;  // of the literal in the source, both marks included
  std::string problem;    // not empty: the literal is refused, and why
};

// The literal that begins with the mark source[0] ('"', '\'' or '`') and ends at the next such mark
// that no backslash precedes. Bytes that are no UTF-8 pass through.
QuotedLiteral ReadQuoted(std::string_view source);

struct NumberLiteral {
  bool is_integer = true;
  std::int64_t integer = 0;
  double real = 0;
  std::size_t bytes = 0;
  std::string problem;
};

// The number that begins with the digit source[0]: decimal, `0x` (a 64-bit pattern), or a float
// with digits on both sides of its point. It ends before what does not belong to it: `1..5` begins
// with 1, `1e3` too.
NumberLiteral ReadNumber(std::string_view source);

}  // namespace palena::script
