#include "limits/model.h"

#include <regex>

#include "limits/models.h"

namespace palena::limits {

std::optional<std::string> Call::Text(std::string_view name) const {
  for (const auto& [known, text] : parameters) {
    if (known == name) return text;
  }
  return std::nullopt;
}

std::optional<Int> ParseInt(const std::string& text) {
  static const std::regex form("[ \t\r\n\f\v]*([+-]?)([0-9]+)[ \t\r\n\f\v]*");
  std::smatch match;
  if (!std::regex_match(text, match, form)) return std::nullopt;
  Int value;
  for (const char digit : match[2].str()) value = value * 10 + (digit - '0');
  if (match[1] == "-") value = -value;
  if (value > kInt64Max || value < -kInt64Max - 1) return std::nullopt;
  return value;
}

Int FloorDivide(const Int& a, const Int& b) {
  return a >= 0 ? Int(a / b) : Int(-((-a + b - 1) / b));
}

Int CeilDivide(const Int& a, const Int& b) {
  return -FloorDivide(-a, b);
}

std::optional<Int> Least(const std::function<bool(const Int& n)>& holds) {
  if (holds(0)) return Int(0);
  const Int far = Int(1) << 100;  // beyond whatever 64-bit parameters can make of it
  Int fails = 0;
  Int limit = 1;
  while (!holds(limit)) {
    if (limit > far) return std::nullopt;
    fails = limit;
    limit *= 2;
  }
  while (limit - fails > 1) {
    const Int middle = (limit + fails) / 2;
    (holds(middle) ? limit : fails) = middle;
  }
  return limit;
}

Expected Model::Answer(const Call& call, const Int& t) {
  Expected expected;
  expected.at_fault = AtFault(call);
  if (call.Text("key").value_or("").empty()) expected.at_fault.insert("key");
  Numbers numbers;
  for (const Range& range : Ranges(call, t)) {
    const std::optional<std::string> text = call.Text(range.name);
    const std::optional<Int> number = text ? ParseInt(*text) : std::nullopt;
    if (!number || *number < range.least || *number > range.most) {
      expected.at_fault.insert(range.name);
    } else {
      numbers[range.name] = *number;
    }
  }
  if (!expected.at_fault.empty()) return expected;
  expected.at_fault = AtFaultTogether(numbers, t);
  if (expected.at_fault.empty()) expected.values = AnswerInRange(call, numbers, t);
  return expected;
}

std::optional<Int> Model::Expiry(const Int& t) const {
  if (!exists_ || (until_ != 0 && t > until_)) return std::nullopt;
  return until_;
}

std::unique_ptr<Model> MakeModel(const std::string& limiter) {
  static const std::map<std::string, std::unique_ptr<Model> (*)()> makers = {
      {"fixed_window", MakeFixedWindow},       {"first_hit_window", MakeFirstHitWindow},
      {"sliding_window", MakeSlidingWindow},   {"sliding_log", MakeSlidingLog},
      {"token_bucket", MakeTokenBucket},       {"gcra", MakeGcra},
      {"concurrency_acquire", MakeConcurrency}};
  return makers.at(limiter)();
}

}  // namespace palena::limits
