#include "script/conversions.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

#include "script/characters.h"
#include "script/scalar_text.h"

namespace palena::script {

namespace {

template <typename N>
std::optional<N> ParseAll(std::string_view text) {
  N number{};
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

// Without blanks and without a plus, which from_chars does not take; empty when what is left does
// not begin like a number: "+-5", and the "inf" and "nan" that from_chars would take.
std::string_view NumberBody(std::string_view text) {
  text = TrimBlanks(text);
  const bool has_plus = text.starts_with('+');
  if (has_plus) text.remove_prefix(1);
  const std::size_t first = !has_plus && text.starts_with('-') ? 1 : 0;
  if (first == text.size()) return {};
  const char start = text[first];
  return (start >= '0' && start <= '9') || start == '.' ? text : std::string_view();
}

bool CopyText(Evaluation& e, std::string_view text, std::string_view& out) {
  char* const copy = e.Allocate(text.size());
  if (copy == nullptr) return false;
  std::memcpy(copy, text.data(), text.size());
  out = {copy, text.size()};
  return true;
}

// Of a value that is not an array.
bool ScalarForm(Evaluation& e, const Value& value, std::string_view& out) {
  const ScalarText text(value);
  if (text.is_local()) return CopyText(e, text.view(), out);
  out = text.view();
  return true;
}

std::optional<std::int64_t> WholeDouble(double value) {
  if (std::trunc(value) != value) return std::nullopt;  // NaN too
  return IntegerOfDouble(value);
}

bool RefuseArray(Evaluation& e, const Value& value) {
  return e.Fail("Cannot cast ArrayType to string", &value);
}

}  // namespace

std::string DoubleText(double value) {
  return std::string(ScalarText(Value::Double(value)).view());
}

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  // Nearly every text is plain digits: try it as it is first.
  if (const auto integer = ParseAll<std::int64_t>(text)) return integer;
  return ParseAll<std::int64_t>(NumberBody(text));
}

std::optional<Number> ParseNumber(std::string_view text) {
  if (const auto integer = ParseInteger(text)) return Number{true, *integer, 0};
  if (const auto real = ParseAll<double>(NumberBody(text))) return Number{false, 0, *real};
  return std::nullopt;
}

std::optional<std::int64_t> IntegerOfDouble(double value) {
  constexpr double kTwoTo63 = 9223372036854775808.0;  // the first that is too large, exactly
  if (!(value >= -kTwoTo63 && value < kTwoTo63)) return std::nullopt;  // NaN too
  return static_cast<std::int64_t>(value);
}

bool TextForm(Evaluation& e, const Value& value, std::string_view& out) {
  if (value.type == ValueType::kArray) return RefuseArray(e, value);
  return ScalarForm(e, value, out);
}

bool StringText(Evaluation& e, const Value& value, std::string_view& out) {
  if (!value.is_integer_text) {
    out = value.string();
    return true;
  }
  return ScalarForm(e, value, out);
}

bool StoredForm(Evaluation& e, const Value& value, model::ValueView& out) {
  if (value.type == ValueType::kLong || value.is_integer_text) {
    out = model::ValueView::Integer(value.integer);
    return true;
  }
  std::string_view text;
  if (!TextForm(e, value, text)) return false;
  out = model::ValueView::Bytes(text);
  return true;
}

std::optional<std::int64_t> WholeNumber(const Value& value) {
  if (value.type == ValueType::kLong || value.is_integer_text) return value.integer;
  if (value.type == ValueType::kDouble) return WholeDouble(value.real);
  if (value.type != ValueType::kString) return std::nullopt;
  const auto number = ParseNumber(value.string());
  if (!number) return std::nullopt;
  return number->is_integer ? number->integer : WholeDouble(number->real);
}

}  // namespace palena::script
