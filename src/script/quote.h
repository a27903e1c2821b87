#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace palena::script {

inline constexpr std::size_t kQuotedBytesMax = 60;

// `text` between two `mark`s, made fit for a message or a dump: always valid UTF-8 on one line.
// Control characters, the mark, backslashes and bytes that are no UTF-8 become escapes that the
// lexer would read (`\n`, `\xHH`); what is longer than `bytes_max` is cut, "…" standing for the
// rest.
std::string QuoteText(std::string_view text, char mark, std::size_t bytes_max = kQuotedBytesMax);

// Bytes of the UTF-8 character that `text` begins with; 0 when it begins with none.
std::size_t Utf8Bytes(std::string_view text);

}  // namespace palena::script
