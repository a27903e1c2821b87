#pragma once

#include <string>

#include "base/status.h"
#include "limits/limit_set.h"
#include "limits/limiter_library.h"
#include "limits/limits_document.h"
#include "limits/scratch_node.h"

namespace palena::limits {

// A definition as a limit that can be used: its scripts compiled, and tried on `node`
// (limit_trial.h). InvalidArgument, "FILE:LINE: why", the line being that of the setting to blame,
// or of the table.
base::StatusOr<Limit> BuildLimit(const std::string& file, const LimitDefinition& definition,
                                 const LimiterLibrary& library, ScratchNode& node);

}  // namespace palena::limits
