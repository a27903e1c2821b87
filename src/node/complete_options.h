#pragma once

#include "base/status.h"
#include "palena/options.h"

namespace palena::node {

// The options with every default filled in. InvalidArgument naming the option, its value and what
// is allowed.
base::StatusOr<NodeOptions> Complete(NodeOptions options);

}  // namespace palena::node
