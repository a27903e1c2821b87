#include "app/flag_values.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "app/cli_parameters.h"

namespace palena::app {
namespace {

bool BeginsWithDigit(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

std::string BytesOf(std::string& text) {
  const std::string given = text;
  const std::string refusal = absl::StrCat(
      "\"", given, "\" is no size; write a whole number of bytes, or of KiB, MiB, GiB ",
      "or TiB, such as 512MiB");
  // CLI11 takes "KiB" for 1 KiB.
  if (!BeginsWithDigit(text)) return refusal;
  try {
    const std::string error = CLI::AsSizeValue(/*kb_is_1000=*/false)(text);
    std::uint64_t bytes = 0;
    return error.empty() && absl::SimpleAtoi(text, &bytes) ? std::string() : refusal;
  } catch (const CLI::ValidationError&) {
    return refusal;
  }
}

constexpr std::pair<std::string_view, std::int64_t> kUnitsMs[] = {
    {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};

std::string MillisecondsOf(std::string& text) {
  const std::string refusal = absl::StrCat(
      "\"", text, "\" is no time; write a whole number of ms, s, m, h or ", "d, such as 7d");
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::int64_t number = 0;
  if (!absl::SimpleAtoi(text.substr(0, digits), &number)) return refusal;
  for (const auto& [unit, unit_ms] : kUnitsMs) {
    if (text.substr(digits) != unit) continue;
    if (number > std::numeric_limits<std::int64_t>::max() / unit_ms) return refusal;
    text = std::to_string(number * unit_ms);
    return "";
  }
  return refusal;
}

}  // namespace

CLI::Validator WholeNumber(std::uint64_t min, std::uint64_t max) {
  return {[min, max](std::string& text) {
            std::uint64_t number = 0;
            const bool is_number = BeginsWithDigit(text) && absl::SimpleAtoi(text, &number);
            if (is_number && number >= min && number <= max) return std::string();
            return absl::StrCat("\"", text, "\" is not a whole number from ", min, " to ", max);
          },
          "", "whole number"};
}

CLI::Validator Number(double min, double max) {
  return {[min, max](std::string& text) {
            double number = 0;
            const bool is_number = BeginsWithDigit(text) && absl::SimpleAtod(text, &number);
            if (is_number && number >= min && number <= max) return std::string();
            return absl::StrCat("\"", text, "\" is not a number from ", min, " to ", max);
          },
          "", "number"};
}

CLI::Validator Size() {
  return {BytesOf, "", "size"};
}

CLI::Validator Duration() {
  return {MillisecondsOf, "", "time"};
}

CLI::Validator ParameterText(const std::string& shape) {
  return {[shape](std::string& text) {
            if (ParseParameter(text)) return std::string();
            return absl::StrCat("\"", text, "\" is not ", shape,
                                " with a name of letters, digits and '_'");
          },
          "", "parameter"};
}

}  // namespace palena::app
