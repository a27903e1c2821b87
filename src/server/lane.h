#pragma once

#include <cstdint>

namespace palena::server {

// The engine's calls of each session come in a lane of their own: no two sessions of a loop share
// an id, whichever door they came by.
inline std::uint64_t LaneOf(unsigned shard, std::uint64_t session) {
  constexpr int kShardShift = 48;
  return (std::uint64_t{shard + 1} << kShardShift) | session;
}

}  // namespace palena::server
