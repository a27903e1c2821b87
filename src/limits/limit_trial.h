#pragma once

#include <cstdint>

#include "base/status.h"
#include "limits/limit_set.h"
#include "limits/scratch_node.h"

namespace palena::limits {

// What a limiter says of its parameters when it is tried on an empty store.
struct TrialOutcome {
  std::int64_t quota = 0;
  std::int64_t window_ms = 0;  // in which the whole quota comes back; 0: never
};

// The instant at which limits are tried, the first of January 2100: what overflows together with
// the present time until then is refused at once.
inline constexpr std::int64_t kTrialMs = 4'102'444'800'000;

// Runs the scripts of `limit` as its calls will, so that whatever they refuse for good (a value out
// of range, an overflow) is refused when the limit is read, by the one set of rules that there is.
// On `node`, whose clock stands at kTrialMs and which has tried no limit of this name.
// InvalidArgument with the script's own words, or why it is no limiter: its answer has another
// shape, a peek writes, it waits.
base::StatusOr<TrialOutcome> TryLimit(const Limit& limit, ScratchNode& node);

}  // namespace palena::limits
