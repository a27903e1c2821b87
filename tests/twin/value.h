#pragma once

// Values and their forms, language.md 3 and the num(S) of 4.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace palena::twin {

enum class Type : std::uint8_t { kLong, kDouble, kBool, kString, kNull, kArray };

struct Value {
  using Elements = std::vector<Value>;

  static Value Null() { return {}; }
  static Value Long(std::int64_t integer);
  static Value Double(double real);
  static Value Bool(bool boolean);
  static Value String(std::string text);
  static Value Array(Elements elements, bool truncated = false);

  bool Is(Type wanted) const { return type == wanted; }
  bool IsNumber() const { return Is(Type::kLong) || Is(Type::kDouble); }

  Type type = Type::kNull;
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::string text;
  std::shared_ptr<const Elements> elements;
  bool truncated = false;  // of an array: the read that made it was cut

  // What is carried along by copying and indexing, and lost by computing.
  std::int64_t revision = -1;
  std::int64_t expires_ms = 0;
  std::string parameter;  // "@name" of a value straight from a parameter
};

std::string_view TypeName(Type type);

// The form that is stored, compared and shown. Not of arrays.
std::string TextOf(const Value& value);
std::string TextOf(double real);
std::string JsonOf(const Value& value);

// An integer or a float.
struct Number {
  bool is_integer = true;
  std::int64_t integer = 0;
  double real = 0;

  double AsDouble() const { return is_integer ? static_cast<double>(integer) : real; }
};

// num(S).
std::optional<Number> NumberOf(std::string_view text);
// Of a number, or of a string that reads as one.
std::optional<Number> NumberOf(const Value& value);
std::optional<std::int64_t> IntegerOf(std::string_view text);
// Nothing for NaN and for what 64 bits do not hold.
std::optional<std::int64_t> Truncated(double real);
// An integer, a whole float, or text of either.
std::optional<std::int64_t> WholeOf(const Value& value);
std::string_view Trimmed(std::string_view text);

}  // namespace palena::twin
