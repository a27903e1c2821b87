#include "limits/limiter_answer.h"

#include <array>
#include <charconv>
#include <string>

namespace palena::limits {
namespace {

constexpr std::size_t kNumbers = 5;

bool ReadInteger(const model::ResultValue& value, std::int64_t& out) {
  if (value.is_null) return false;
  if (value.value.is_integer) {
    out = value.value.integer;
    return true;
  }
  const std::string& text = value.value.bytes;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && read == end;
}

bool IsFlag(std::int64_t number) {
  return number == 0 || number == 1;
}

}  // namespace

std::optional<LimiterAnswer> ReadLimiterAnswer(const model::Result& result) {
  if (result.code != model::Code::kNone || result.values.size() != kNumbers) return std::nullopt;
  std::array<std::int64_t, kNumbers> numbers{};
  for (std::size_t i = 0; i < kNumbers; ++i) {
    if (!ReadInteger(result.values[i], numbers[i])) return std::nullopt;
  }
  if (!IsFlag(numbers[0])) return std::nullopt;
  return LimiterAnswer{numbers[0] == 1, numbers[1], numbers[2], numbers[3], numbers[4]};
}

std::optional<bool> ReadLeaseAnswer(const model::Result& result) {
  std::int64_t number = 0;
  if (result.code != model::Code::kNone || result.values.size() != 1) return std::nullopt;
  if (!ReadInteger(result.values[0], number) || !IsFlag(number)) return std::nullopt;
  return number == 1;
}

}  // namespace palena::limits
