#pragma once

// A key as rate limiters write it: 38 bytes, which user and which minute.

#include <cstddef>
#include <string>

namespace palena {

inline std::string CounterKey(std::size_t user) {
  return "rate-limit/api/user-" + std::to_string(1'000'000 + user) + "/1718391900";
}

}  // namespace palena
