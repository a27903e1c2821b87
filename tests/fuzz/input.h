#pragma once

// How targets read their input. Text stays text, so that scripts of the tree are seeds as they are
// and the dictionary's words can be put anywhere.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace palena::fuzz {

inline std::string_view TextOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// The pieces of `text` between the separators: one more than there are separators.
inline std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  pieces.push_back(text);
  return pieces;
}

// What the targets that run several scripts in turn make of an input: one step each.
inline std::vector<std::string_view> StepsOf(const std::uint8_t* data, std::size_t size) {
  return Split(TextOf(data, size), '\x01');
}

// Takes numbers off the front of an input; zeros when it is used up.
class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}

  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  std::uint8_t TakeByte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  std::uint16_t TakeWord() {
    const unsigned low = TakeByte();
    return static_cast<std::uint16_t>(low | unsigned{TakeByte()} << 8U);
  }

 private:
  std::string_view rest_;
};

}  // namespace palena::fuzz
