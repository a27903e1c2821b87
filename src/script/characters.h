#pragma once

// Texts as characters. A character is a code point in UTF-8; each byte that belongs to none counts
// as one character of its own, so that every byte string has a length and can be cut. Inside the
// room only.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace palena::script {

// Bytes of the first character of a text that is not empty.
std::size_t CharacterBytes(std::string_view text);

std::size_t CountCharacters(std::string_view text);

// Bytes of the first `count` characters; nothing when the text has fewer.
std::optional<std::size_t> BytesOfCharacters(std::string_view text, std::size_t count);

// Without the blanks at both ends: space, \t, \r, \n, \f, \v.
std::string_view TrimBlanks(std::string_view text);

// The start of a text as messages quote it: valid UTF-8 whatever the bytes are (a byte that is no
// character shows as U+FFFD), and short.
std::string Excerpt(std::string_view text);

}  // namespace palena::script
