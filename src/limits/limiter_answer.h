#pragma once

#include <cstdint>
#include <optional>

#include "model/result.h"

namespace palena::limits {

// The five numbers of a limiter: [allowed, limit, remaining, retry_after_ms, reset_at_ms].
struct LimiterAnswer {
  bool is_allowed = false;
  std::int64_t limit = 0;
  std::int64_t remaining = 0;
  std::int64_t retry_after_ms = 0;
  std::int64_t reset_at_ms = 0;
};

// Nullopt when a result without a code is something else.
std::optional<LimiterAnswer> ReadLimiterAnswer(const model::Result& result);
// The single 1 or 0 of renew and release.
std::optional<bool> ReadLeaseAnswer(const model::Result& result);

}  // namespace palena::limits
