#pragma once

#include <cstddef>

namespace palena::base {

// Calls of operator new on this thread so far; a test binary that links allocation_count.cc counts.
std::size_t AllocationCount();

}  // namespace palena::base
