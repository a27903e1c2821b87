#include "script/characters.h"

#include <utf8proc.h>

#include <algorithm>

namespace palena::script {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::size_t kExcerptCharactersMax = 100;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool IsAscii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}

// Bytes of the code point that the text starts with, 0 when it starts with none.
std::size_t CodePointBytes(std::string_view text) {
  if (IsAscii(text.front())) return 1;
  utf8proc_int32_t code_point;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                      static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

std::size_t CharacterBytes(std::string_view text) {
  return std::max<std::size_t>(CodePointBytes(text), 1);
}

std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(CharacterBytes(text));
  return count;
}

std::optional<std::size_t> BytesOfCharacters(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  for (; count > 0; --count) {
    if (bytes == text.size()) return std::nullopt;
    bytes += CharacterBytes(text.substr(bytes));
  }
  return bytes;
}

std::string_view TrimBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string Excerpt(std::string_view text) {
  std::string excerpt;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == kExcerptCharactersMax) return excerpt + "...";
    const std::size_t bytes = CodePointBytes(text);
    excerpt += bytes == 0 ? kReplacement : text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return excerpt;
}

}  // namespace palena::script
