#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "limits/limit_set.h"

namespace palena::limits {

inline constexpr std::size_t kLimitsFileBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kLimitsMax = 1'000;  // of a file
inline constexpr std::size_t kLimitNameBytesMax = 64;

// One key of a [limits.NAME] that is not a parameter of its limiter; docs/named_limits.md has the
// same table.
struct LimitKey {
  const char* name;
  const char* kind;      // "text" or "boolean"
  const char* standard;  // what it is when it is left out; "" : it must be there
};
std::span<const LimitKey> LimitKeys();

// Reads a file of named limits, tries every limit (limit_trial.h), and gives all of them or none.
// InvalidArgument, one line: "FILE:LINE: why"; NotFound: "FILE cannot be read: why".
base::StatusOr<std::shared_ptr<const LimitSet>> ReadLimitsFile(const std::string& file);
// The same for a text; `file` names it in errors, and its folder is where `limiters` begins.
base::StatusOr<std::shared_ptr<const LimitSet>> ParseLimits(std::string_view text,
                                                            const std::string& file);

}  // namespace palena::limits
