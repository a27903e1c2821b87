#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace palena::limits {

// All of a file. NotFound, naming it and why, when it cannot be read; InvalidArgument when it has
// more bytes.
base::StatusOr<std::string> ReadSmallFile(const std::string& file, std::size_t bytes_max);

}  // namespace palena::limits
