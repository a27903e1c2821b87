#include "app/bench_tally.h"

#include <algorithm>

namespace palena::app {
namespace {

constexpr std::size_t kTextsMax = 16;
constexpr std::string_view kOther = "(other)";

}  // namespace

// A handful of texts, the most frequent usually first: looking at each beats hashing.
void CountedTexts::Add(std::string_view text, std::uint64_t times) {
  for (auto& [known, count] : counts_) {
    if (known == text) {
      count += times;
      return;
    }
  }
  if (counts_.size() >= kTextsMax && text != kOther) return Add(kOther, times);
  counts_.emplace_back(text, times);
}

void BenchTally::Add(const BenchAnswer& answer, std::int64_t latency_ns) {
  latency.Add(latency_ns);
  types.Add(answer.type);
  if (answer.is_ok) {
    first_values.Add(answer.first_value);
    return;
  }
  if (failed++ == 0 && first_failure.empty()) first_failure = answer.reason;
}

void BenchTally::AddLost(std::uint64_t requests, const std::string& why) {
  lost += requests;
  if (first_failure.empty()) first_failure = why;
}

void BenchTally::Merge(const BenchTally& other) {
  latency.Merge(other.latency);
  lateness.Merge(other.lateness);
  held_back += other.held_back;
  for (const auto& [text, count] : other.types.counts()) types.Add(text, count);
  for (const auto& [text, count] : other.first_values.counts()) first_values.Add(text, count);
  failed += other.failed;
  lost += other.lost;
  last_answer_ns = std::max(last_answer_ns, other.last_answer_ns);
  if (first_failure.empty()) first_failure = other.first_failure;
}

}  // namespace palena::app
