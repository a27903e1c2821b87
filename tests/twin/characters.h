#pragma once

// Texts as code points. Bytes that are part of none count as one character each.

#include <string>
#include <string_view>
#include <vector>

namespace palena::twin {

struct Character {
  std::string_view bytes;
  char32_t code_point = 0;
  bool is_code_point = false;  // otherwise a stray byte
};

std::vector<Character> CharactersOf(std::string_view text);
std::string Encode(char32_t code_point);

std::string Upper(std::string_view text);
std::string Lower(std::string_view text);
// As messages quote it: stray bytes become U+FFFD, what is longer than 100 characters is cut.
std::string Quoted(std::string_view text);
// With its marks.
std::string JsonString(std::string_view text);

}  // namespace palena::twin
