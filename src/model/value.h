#pragma once

// A stored value: bytes, or an integer that stays one until somebody reads it as text. The two
// forms are the same value to every script: 5 and "5" compare equal here.

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace palena::model {

// The decimal text of an integer, without allocation.
class IntegerText {
 public:
  explicit IntegerText(std::int64_t integer) {
    size_ =
        static_cast<std::size_t>(std::to_chars(text_, text_ + sizeof(text_), integer).ptr - text_);
  }
  std::string_view view() const { return {text_, size_}; }

 private:
  char text_[20];
  std::size_t size_;
};

inline constexpr std::size_t kIntegerTextBytesMax = 20;

// Refers to a value owned by somebody else; valid as long as that owner says.
struct ValueView {
  bool is_integer = false;
  std::int64_t integer = 0;  // when is_integer
  std::string_view bytes;    // otherwise

  static ValueView Integer(std::int64_t integer) { return {true, integer, {}}; }
  static ValueView Bytes(std::string_view bytes) { return {false, 0, bytes}; }

  std::size_t text_bytes() const {
    return is_integer ? IntegerText(integer).view().size() : bytes.size();
  }
  // At least text_bytes(), without making the text.
  std::size_t text_bytes_max() const { return is_integer ? kIntegerTextBytesMax : bytes.size(); }
  std::string ToText() const {
    return std::string(is_integer ? IntegerText(integer).view() : bytes);
  }
  void AppendTo(std::string& out) const {
    out.append(is_integer ? IntegerText(integer).view() : bytes);
  }
  bool TextEquals(std::string_view text) const {
    return is_integer ? IntegerText(integer).view() == text : bytes == text;
  }
};

// Owns its bytes.
struct Value {
  bool is_integer = false;
  std::int64_t integer = 0;
  std::string bytes;

  static Value Integer(std::int64_t integer) { return {true, integer, {}}; }
  static Value Bytes(std::string bytes) { return {false, 0, std::move(bytes)}; }
  static Value Copy(const ValueView& view) {
    return {view.is_integer, view.integer, std::string(view.bytes)};
  }

  // The same, in memory that is there already where it suffices.
  void Assign(const ValueView& view) {
    is_integer = view.is_integer;
    integer = view.integer;
    if (!view.bytes.empty() || !bytes.empty()) bytes.assign(view.bytes);
  }
  // Gives back memory above `kept_bytes`; what the value is then is not said.
  void Trim(std::size_t kept_bytes) {
    if (bytes.capacity() > kept_bytes) bytes = std::string();
  }

  ValueView view() const { return {is_integer, integer, bytes}; }
  friend bool operator==(const Value& a, const Value& b) {
    return a.view().ToText() == b.view().ToText();
  }
};

}  // namespace palena::model
