#pragma once

// Named limits, as they are asked for and answered: the nouns of docs/named_limits.md and of the
// wire's Take. Which limits there are, the limits room knows.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "hlc/stamp.h"
#include "model/result.h"

namespace palena::model {

// One row per mode: enumerator, word on the command line and in addresses, number on the wire.
#define PALENA_TAKE_MODES(X) \
  X(kTake, "take", 0)        \
  X(kPeek, "peek", 1)        \
  X(kRenew, "renew", 2)      \
  X(kRelease, "release", 3)

enum class TakeMode : std::uint8_t {
#define X(name, text, number) name = number,
  PALENA_TAKE_MODES(X)
#undef X
};

std::string_view TakeModeName(TakeMode mode);

// A part of the caller's identity, named in the limit's key: {subject}, {path}.
struct TakePart {
  std::string_view name;
  std::string_view value;  // any bytes, none too
};

// One limit of a request. Every part that its key names must be given, and no other.
struct TakeWish {
  std::string_view limit;
  std::span<const TakePart> parts;
  std::int64_t cost = 1;   // 0: nothing is charged; of leases 1
  std::string_view owner;  // of leases: whose; not empty but to peek
};

// What is asked in one call: all of it is charged, or none, at one instant. Refers to bytes of
// somebody else. `renew` and `release` are for leases; they happen one by one, whatever the others
// answer.
struct TakeRequest {
  TakeMode mode = TakeMode::kTake;
  std::span<const TakeWish> wishes;
  std::int64_t timeout_ms = 0;  // of the run; 0: the default
};

inline constexpr std::int64_t kNeverFits = -1;  // as a wait: the limit can never allow it

// What one limit says. After a take that was refused, by whichever limit, `remaining` and
// `reset_at_ms` are those of a state that was not charged; `is_allowed` and `retry_after_ms` are
// still those of this limit and this cost.
struct TakeRecord {
  std::string limit;                // its name
  bool is_allowed = false;          // of renew and release: whether this owner held a live lease
  std::int64_t quota = 0;           // the most that may be in use
  std::int64_t remaining = 0;       // 0 ≤ remaining ≤ quota; for renew and release 0
  std::int64_t retry_after_ms = 0;  // 0 when allowed; kNeverFits: not at this cost
  std::int64_t reset_at_ms = 0;     // epoch ms at which everything is back; for renew, release 0
  std::int64_t window_ms = 0;       // in which the quota comes back, for a policy header; 0: never
  bool is_shadow_refused = false;   // a shadow limit, which said no and does not count
};

// Why a request has no decision of its limits.
enum class TakeFault : std::uint8_t {
  kNone = 0,          // the records stand
  kBadRequest = 1,    // the caller's: a part missing or unknown, a cost below 0, no owner…
  kUnknownLimit = 2,  // no limit has this name
  // The node cannot decide (out of memory, no time, a state that is none, draining). Then
  // `is_allowed` is what `on_error` of the limits makes of it: true when all that count say allow.
  kUndecided = 3,
};

struct TakeAnswer {
  TakeFault fault = TakeFault::kNone;
  bool is_allowed = false;  // the whole call; of renew and release: all owners held their leases
  // The longest of the records' waits, kNeverFits when one is that; 0 when allowed. When the node
  // could not decide and denies: a guess, so that nobody asks again at once.
  std::int64_t retry_after_ms = 0;
  absl::InlinedVector<TakeRecord, 1> records;  // in the order of the wishes; none with a fault
  // With a fault: which refusal, in words for people, and the line of the limiter's script.
  Code code = Code::kNone;
  std::string reason;
  int line = 0;
  // Whether something was charged. kUnknown: it may have been (the disk failed).
  Applied applied = Applied::kNo;
  hlc::Stamp stamp;  // the instant of the decision
};

}  // namespace palena::model
