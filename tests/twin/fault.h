#pragma once

// Ways to make the twin wrong on purpose. The comparison must find each of them: a twin that could
// be wrong without anybody noticing would show nothing.

#include <cstdint>

namespace palena::twin {

// One row per fault: enumerator, name, the feature (features.h) that its finding needs.
#define PALENA_TWIN_FAULTS(X)                           \
  X(kNone, "none", kCore)                               \
  X(kExpiresEarly, "expires_early", kCore)              \
  X(kNoRevKeeps, "norev_keeps", kCore)                  \
  X(kLetDisturbsGuard, "let_disturbs_guard", kCore)     \
  X(kDivisionFloors, "division_floors", kCore)          \
  X(kCmpMatchesAbsent, "cmp_matches_absent", kCore)     \
  X(kDeletesExpired, "deletes_expired", kCore)          \
  X(kErrorKeepsWrites, "error_keeps_writes", kCore)     \
  X(kRangeIsHalfOpen, "range_is_half_open", kCore)      \
  X(kSetKeepsTtl, "set_keeps_ttl", kCore)               \
  X(kExtendAdvances, "extend_advances", kCore)          \
  X(kStringsAreOrdered, "strings_are_ordered", kCore)   \
  X(kOverflowWraps, "overflow_wraps", kCore)            \
  X(kAndTakesBothSides, "and_takes_both_sides", kCore)  \
  X(kForgetsParameter, "forgets_parameter", kCore)      \
  X(kDeleteTakesNoRevision, "delete_takes_none", kCore) \
  X(kRoundsHalfUp, "rounds_half_up", kCore)             \
  X(kCountsBytes, "counts_bytes", kCore)                \
  X(kBucketHasSubBuckets, "bucket_is_prefix", kLists)   \
  X(kAsOfSeesOwnWrites, "as_of_sees_own_writes", kAsOf) \
  X(kBeginCommits, "begin_commits", kTransactions)      \
  X(kRollbackKeepsWrites, "rollback_keeps", kTransactions)

enum class Fault : std::uint8_t {
#define X(name, text, feature) name,
  PALENA_TWIN_FAULTS(X)
#undef X
};

}  // namespace palena::twin
