// Warm decisions and nothing else, for tools that count: instructions (callgrind), samples (perf).
//
//   run_cost prepared|recipe|table|flat|limits/fixed_window|… DECISIONS
//
// `prepared` is what an embedder pays (prepared_decider.h), recipe, table and flat are those of
// decisions.h; any other is a script of limiter_calls.h, prepared too. All over 1,000 keys.

#include <charconv>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "limiter_calls.h"
#include "prepared_decider.h"

namespace palena::engine {
namespace {

template <typename Decider>
void Repeat(std::uint64_t decisions) {
  const std::vector<std::string> keys = CounterKeys(1'000);
  Decider decider;
  for (std::uint64_t i = 0; i < decisions; ++i) {
    decider.Decide({keys[i % keys.size()], "60000", "1000000000"});
  }
}

bool RepeatLimiter(std::string_view script, std::uint64_t takes) {
  for (const LimiterCall& call : LimiterCalls()) {
    if (call.script != script) continue;
    const std::vector<std::string> keys = CounterKeys(1'000);
    const auto node = *Node::Open({.threading = Threading::kInline});
    PreparedLimiter limiter(*node, call);
    for (std::uint64_t i = 0; i < takes; ++i) limiter.Take(keys[i % keys.size()]);
    return true;
  }
  return false;
}

bool RepeatAs(std::string_view decider, std::uint64_t decisions) {
  if (decider == "prepared") return Repeat<PreparedDecider>(decisions), true;
  if (decider == "recipe") return Repeat<RecipeDecider>(decisions), true;
  if (decider == "table") return Repeat<TableDecider>(decisions), true;
  if (decider == "flat") return Repeat<FlatMapDecider>(decisions), true;
  return RepeatLimiter(decider, decisions);
}

}  // namespace
}  // namespace palena::engine

int main(int argc, char** argv) {
  std::uint64_t decisions = 0;
  const std::string_view text = argc == 3 ? argv[2] : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), decisions);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && palena::engine::RepeatAs(argv[1], decisions)) return 0;
  std::cerr << "usage: run_cost prepared|recipe|table|flat|SCRIPT DECISIONS" << std::endl;
  return 2;
}
