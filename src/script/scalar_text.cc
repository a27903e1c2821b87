#include "script/scalar_text.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "base/check.h"

namespace palena::script {

namespace {

constexpr int kExponentFormFrom = 15;
constexpr int kExponentFormBelow = -4;

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

// The exponent of "1.5e+20".
int ExponentOf(std::string_view scientific) {
  std::string_view digits = scientific.substr(scientific.find('e') + 1);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int exponent = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  return exponent;
}

// to_chars alone is not enough: it picks the shorter of the two forms, not by the exponent.
std::string_view WriteDouble(double value, char* begin, char* end) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  auto written = std::to_chars(begin, end, value, std::chars_format::scientific);
  PALENA_CHECK(written.ec == std::errc());
  const int exponent = ExponentOf(Between(begin, written.ptr));
  if (exponent < kExponentFormFrom && exponent >= kExponentFormBelow) {
    written = std::to_chars(begin, end, value, std::chars_format::fixed);
    PALENA_CHECK(written.ec == std::errc());
  } else {
    begin[Between(begin, written.ptr).find('e')] = 'E';
  }
  return Between(begin, written.ptr);
}

std::string_view WriteInteger(std::int64_t value, char* begin, char* end) {
  return Between(begin, std::to_chars(begin, end, value).ptr);
}

}  // namespace

ScalarText::ScalarText(const Value& value) {
  char* const end = buffer_ + sizeof(buffer_);
  switch (value.type) {
    case ValueType::kNull:
      return;
    case ValueType::kBool:
      view_ = value.boolean ? "true" : "false";
      return;
    case ValueType::kLong:
      view_ = WriteInteger(value.integer, buffer_, end);
      return;
    case ValueType::kDouble:
      view_ = WriteDouble(value.real, buffer_, end);
      return;
    case ValueType::kString:
      view_ = value.is_integer_text ? WriteInteger(value.integer, buffer_, end) : value.string();
      return;
    case ValueType::kArray:
      break;
  }
  base::CheckFailed(__FILE__, __LINE__, "an array has no text form");
}

}  // namespace palena::script
