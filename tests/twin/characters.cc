#include "twin/characters.h"

#include "twin/failure.h"

#include <locale.h>
#include <wctype.h>

#include <cstddef>

#include "base/check.h"

namespace palena::twin {
namespace {

constexpr std::size_t kQuotedCharactersMax = 100;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char ByteAt(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Bytes that a code point with this first byte has; 0 for a byte that begins none.
std::size_t LengthFrom(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

bool IsShortestForm(char32_t code_point, std::size_t length) {
  if (length == 3) return code_point >= 0x800;
  return length < 4 || code_point >= 0x10000;
}

bool IsCharacter(char32_t code_point) {
  const bool is_surrogate = code_point >= 0xD800 && code_point < 0xE000;
  return code_point <= 0x10FFFF && !is_surrogate;
}

Character FirstOf(std::string_view text) {
  const Character stray{text.substr(0, 1), 0, false};
  const std::size_t length = LengthFrom(ByteAt(text, 0));
  if (length == 0 || text.size() < length) return stray;
  if (length == 1) return {text.substr(0, 1), ByteAt(text, 0), true};
  char32_t code_point = ByteAt(text, 0) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((ByteAt(text, i) & 0xC0) != 0x80) return stray;
    code_point = (code_point << 6) | (ByteAt(text, i) & 0x3Fu);
  }
  if (!IsShortestForm(code_point, length) || !IsCharacter(code_point)) return stray;
  return {text.substr(0, length), code_point, true};
}

// The C library's tables: another source than the engine's. They map one to one, and keep ß.
template <typename Map>
std::string Mapped(std::string_view text, Map map) {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  PALENA_CHECK(locale != nullptr);
  std::string out;
  for (const Character& character : CharactersOf(text)) {
    if (!character.is_code_point) {
      out += character.bytes;
      continue;
    }
    out += Encode(static_cast<char32_t>(map(static_cast<wint_t>(character.code_point), locale)));
  }
  return out;
}

std::string JsonEscape(char32_t code_point) {
  static constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  static constexpr std::string_view kLetters = "\"\\bfnrt";
  if (code_point >= 0x80) return {};
  const std::size_t at = kNamed.find(static_cast<char>(code_point));
  if (at != std::string_view::npos) return std::string("\\") + kLetters[at];
  if (code_point >= 0x20) return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  return std::string("\\u00") + kDigits[code_point / 16] + kDigits[code_point % 16];
}

}  // namespace

std::vector<Character> CharactersOf(std::string_view text) {
  std::vector<Character> characters;
  while (!text.empty()) {
    characters.push_back(FirstOf(text));
    text.remove_prefix(characters.back().bytes.size());
  }
  return characters;
}

std::string Encode(char32_t code_point) {
  const auto tail = [code_point](int shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  if (code_point < 0x800) return {static_cast<char>(0xC0 | (code_point >> 6)), tail(0)};
  if (code_point < 0x10000) {
    return {static_cast<char>(0xE0 | (code_point >> 12)), tail(6), tail(0)};
  }
  return {static_cast<char>(0xF0 | (code_point >> 18)), tail(12), tail(6), tail(0)};
}

std::string Upper(std::string_view text) {
  return Mapped(text, towupper_l);
}

std::string Lower(std::string_view text) {
  return Mapped(text, towlower_l);
}

std::string Quoted(std::string_view text) {
  std::string out;
  const std::vector<Character> characters = CharactersOf(text);
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (i == kQuotedCharactersMax) return out + "...";
    out += characters[i].is_code_point ? characters[i].bytes : kReplacement;
  }
  return out;
}

std::string JsonString(std::string_view text) {
  std::string out = "\"";
  bool was_stray = false;
  for (const Character& character : CharactersOf(text)) {
    // Into how many marks the bytes of a cut character are made is the JSON library's choice.
    if (was_stray && !character.is_code_point) throw TooMuch{};
    was_stray = !character.is_code_point;
    const std::string escape = character.is_code_point ? JsonEscape(character.code_point) : "";
    if (!escape.empty()) {
      out += escape;
    } else {
      out += character.is_code_point ? character.bytes : kReplacement;
    }
  }
  return out + "\"";
}

}  // namespace palena::twin
