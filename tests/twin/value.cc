#include "twin/value.h"

#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/check.h"
#include "twin/characters.h"

namespace palena::twin {

Value Value::Long(std::int64_t integer) {
  Value value;
  value.type = Type::kLong;
  value.integer = integer;
  return value;
}

Value Value::Double(double real) {
  Value value;
  value.type = Type::kDouble;
  value.real = real;
  return value;
}

Value Value::Bool(bool boolean) {
  Value value;
  value.type = Type::kBool;
  value.boolean = boolean;
  return value;
}

Value Value::String(std::string text) {
  Value value;
  value.type = Type::kString;
  value.text = std::move(text);
  return value;
}

Value Value::Array(Elements elements, bool truncated) {
  Value value;
  value.type = Type::kArray;
  value.elements = std::make_shared<const Elements>(std::move(elements));
  value.truncated = truncated;
  return value;
}

std::string_view TypeName(Type type) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "LongType", "DoubleType", "BoolType", "StringType", "NullType", "ArrayType"};
  return kNames[static_cast<std::size_t>(type)];
}

namespace {

struct Decimal {
  std::string digits;
  int exponent = 0;  // of the first digit
};

bool ReadsBack(long long digits, int exponent_of_last, double real) {
  const std::string text = std::to_string(digits) + "e" + std::to_string(exponent_of_last);
  return std::strtod(text.c_str(), nullptr) == real;
}

// The fewest digits that read back the same, of a positive number. The nearest number of so many
// digits need not be the one that does: below a power of two floats lie closer than above it.
Decimal Shortest(double real) {
  constexpr int kDigitsMax = 17;
  std::array<char, 40> buffer{};
  for (int count = 1; count <= kDigitsMax; ++count) {
    std::snprintf(buffer.data(), buffer.size(), "%.*e", count - 1, real);
    std::string text = buffer.data();
    const std::size_t e = text.find('e');
    const int exponent = std::atoi(text.c_str() + e + 1);
    text.erase(e);
    std::erase(text, '.');
    const long long nearest = std::atoll(text.c_str());
    for (const long long digits : {nearest, nearest + 1, nearest - 1}) {
      if (ReadsBack(digits, exponent - count + 1, real)) return {std::to_string(digits), exponent};
    }
  }
  PALENA_CHECK(false && "17 digits are enough for every double");
  return {};
}

std::string ScientificText(const Decimal& decimal) {
  std::array<char, 10> exponent{};
  std::snprintf(exponent.data(), exponent.size(), "E%+03d", decimal.exponent);
  const std::string fraction = decimal.digits.substr(1);
  return decimal.digits.substr(0, 1) + (fraction.empty() ? "" : "." + fraction) + exponent.data();
}

std::string FixedText(const std::string& digits, int exponent) {
  if (exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0');
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::string TextOf(double real) {
  if (std::isnan(real)) return "NaN";
  if (std::isinf(real)) return real > 0 ? "Infinity" : "-Infinity";
  const std::string sign = std::signbit(real) ? "-" : "";
  if (real == 0) return sign + "0";
  const Decimal decimal = Shortest(std::fabs(real));
  if (decimal.exponent >= 15 || decimal.exponent < -4) return sign + ScientificText(decimal);
  return sign + FixedText(decimal.digits, decimal.exponent);
}

std::string TextOf(const Value& value) {
  switch (value.type) {
    case Type::kLong:
      return std::to_string(value.integer);
    case Type::kDouble:
      return TextOf(value.real);
    case Type::kBool:
      return value.boolean ? "true" : "false";
    case Type::kString:
      return value.text;
    case Type::kNull:
      return "";
    case Type::kArray:
      break;
  }
  PALENA_CHECK(false && "an array has no text");
  return "";
}

std::string JsonOf(const Value& value) {
  if (value.Is(Type::kNull)) return "null";
  if (value.Is(Type::kString)) return JsonString(value.text);
  // JSON knows no number that is not finite: its text stands for it.
  if (value.Is(Type::kDouble) && !std::isfinite(value.real)) return JsonString(TextOf(value));
  if (!value.Is(Type::kArray)) return TextOf(value);
  std::string out = "[";
  for (const Value& element : *value.elements) {
    if (out.size() > 1) out += ",";
    out += JsonOf(element);
  }
  return out + "]";
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  while (!text.empty() && kBlanks.find(text.front()) != std::string_view::npos) {
    text.remove_prefix(1);
  }
  while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  return text;
}

namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// How many digits the text begins with.
std::size_t DigitsAt(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && IsDigit(text[at + count])) ++count;
  return count;
}

std::size_t SkipSign(std::string_view text, std::size_t at) {
  const bool has_sign = at < text.size() && (text[at] == '+' || text[at] == '-');
  return has_sign ? at + 1 : at;
}

// [sign] digits [. digits] [e [sign] digits], with a digit on one side of the point at least.
bool IsFloatText(std::string_view text) {
  std::size_t at = SkipSign(text, 0);
  std::size_t digits = DigitsAt(text, at);
  at += digits;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = DigitsAt(text, ++at);
    digits += fraction;
    at += fraction;
  }
  if (digits == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    at = SkipSign(text, at + 1);
    const std::size_t exponent = DigitsAt(text, at);
    if (exponent == 0) return false;
    at += exponent;
  }
  return at == text.size();
}

}  // namespace

std::optional<std::int64_t> IntegerOf(std::string_view text) {
  const std::string number(Trimmed(text));
  const std::size_t first = SkipSign(number, 0);
  if (first == number.size() || first + DigitsAt(number, first) != number.size()) return {};
  errno = 0;
  const long long integer = std::strtoll(number.c_str(), nullptr, 10);
  if (errno == ERANGE) return {};
  return integer;
}

std::optional<Number> NumberOf(std::string_view text) {
  if (const auto integer = IntegerOf(text)) return Number{true, *integer, 0};
  const std::string number(Trimmed(text));
  if (!IsFloatText(number)) return {};
  const double real = std::strtod(number.c_str(), nullptr);
  if (std::isinf(real)) return {};
  return Number{false, 0, real};
}

std::optional<Number> NumberOf(const Value& value) {
  if (value.Is(Type::kLong)) return Number{true, value.integer, 0};
  if (value.Is(Type::kDouble)) return Number{false, 0, value.real};
  if (value.Is(Type::kString)) return NumberOf(value.text);
  return {};
}

std::optional<std::int64_t> Truncated(double real) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (!(real >= -kTwoTo63 && real < kTwoTo63)) return {};
  return static_cast<std::int64_t>(real);
}

std::optional<std::int64_t> WholeOf(const Value& value) {
  const auto number = NumberOf(value);
  if (!number) return {};
  if (number->is_integer) return number->integer;
  if (std::trunc(number->real) != number->real) return {};
  return Truncated(number->real);
}

}  // namespace palena::twin
