#pragma once

#include <cstddef>

namespace palena::wire {

// Calls of operator new on this thread so far; this test binary replaces it to count.
std::size_t AllocationCount();

}  // namespace palena::wire
