#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace palena::limits {

// What was counted for a limit, by name: over reloads, as long as the name is there.
struct LimitCounts {
  std::string limit;
  std::uint64_t allowed = 0;        // takes that were charged
  std::uint64_t denied = 0;         // takes that this limit refused
  std::uint64_t shadow_denied = 0;  // takes that it would have refused, were it no shadow
  std::uint64_t errors = 0;         // calls naming it that the node could not decide
};

// One of those who were refused most. `refused` is too high by at most `over_by`, never too low.
struct RefusedSubject {
  std::string limit;
  std::string subject;  // the part "subject"; of a key without one, the key
  std::uint64_t refused = 0;
  std::uint64_t over_by = 0;
};

struct LimitReport {
  std::vector<LimitCounts> limits;      // in the order of the file
  std::vector<RefusedSubject> refused;  // most refused first, at most kReportedSubjectsMax
};

inline constexpr std::size_t kReportedSubjectsMax = 20;

}  // namespace palena::limits
