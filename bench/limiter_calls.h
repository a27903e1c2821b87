#pragma once

// The limiters of scripts/limits as benchmarks call them: with numbers under which every take of
// one unit is allowed, as long as it is not said otherwise.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/read_file.h"
#include "palena/node.h"

namespace palena {

struct LimiterCall {
  std::string script;     // a file of scripts/, without its ending
  Parameters parameters;  // the first is the key
};

// The recipe of the seed first, then scripts/limits, cheapest first.
inline const std::vector<LimiterCall>& LimiterCalls() {
  static const std::vector<LimiterCall> calls = {
      {"recipes/fixed_window",
       {{"counter_key", ""}, {"limit", "1000000000"}, {"expires_ms", "60000"}}},
      {"recipes/redis_fixed_window",
       {{"key", ""}, {"window", "60"}, {"maxRequests", "1000000000"}}},
      {"limits/fixed_window",
       {{"key", ""}, {"limit", "1000000000"}, {"window_ms", "60000"}, {"cost", "1"}}},
      {"limits/first_hit_window",
       {{"key", ""}, {"limit", "1000000000"}, {"window_ms", "60000"}, {"cost", "1"}}},
      {"limits/token_bucket",
       {{"key", ""},
        {"capacity", "1000000000"},
        {"refill_tokens", "10"},
        {"refill_ms", "60000"},
        {"cost", "1"}}},
      {"limits/gcra",
       {{"key", ""},
        {"max_burst", "999999999"},
        {"count", "10"},
        {"period_ms", "60000"},
        {"cost", "1"}}},
      {"limits/sliding_window",
       {{"key", ""},
        {"limit", "1000000000"},
        {"window_ms", "60000"},
        {"segments", "10"},
        {"cost", "1"}}},
      // Nine units stay in it.
      {"limits/sliding_log", {{"key", ""}, {"limit", "10"}, {"window_ms", "60000"}, {"cost", "1"}}},
      {"limits/concurrency_acquire",
       {{"key", ""}, {"limit", "10"}, {"lease_ms", "60000"}, {"owner", "worker-1"}}},
  };
  return calls;
}

inline const LimiterCall& LimiterCallOf(std::string_view script) {
  for (const LimiterCall& call : LimiterCalls()) {
    if (call.script == script) return call;
  }
  PALENA_CHECK(false);
}

// A limiter as an embedder calls it: prepared, on an inline node.
class PreparedLimiter {
 public:
  PreparedLimiter(Node& node, const LimiterCall& call)
      : node_(node),
        program_(*node.Prepare(
            base::ReadFile(std::string(PALENA_SOURCE_DIR) + "/scripts/" + call.script + ".pal"))) {
    for (const std::string& name : program_.parameters()) {
      for (const auto& [known, text] : call.parameters) {
        if ("@" + known == name) values_.push_back(text);
      }
      if ("@" + call.parameters[0].first == name) key_ = values_.size() - 1;
    }
  }

  const Result& Take(std::string_view key) {
    values_[key_] = key;
    node_.Execute(program_, values_, result_);
    PALENA_CHECK(result_.ok());
    return result_;
  }

 private:
  Node& node_;
  PreparedProgram program_;
  std::vector<std::string_view> values_;  // texts of the call, which outlives this
  std::size_t key_ = 0;
  Result result_;
};

}  // namespace palena
