#pragma once

#include <compare>
#include <cstdint>

namespace palena::hlc {

// A hybrid time: 48 bits of milliseconds since the Unix epoch, 16 bits of counter. The counter
// starts from the fraction of the millisecond (units of 1 ms / 65,536, about 15 ns), so that
// shards that share a clock but no counter still agree on order. Plain value; 0 is "never".
// Source: Kulkarni, Demirbas et al., "Logical Physical Clocks", 2014.
struct HybridTime {
  std::uint64_t packed = 0;

  static constexpr HybridTime FromMs(std::int64_t ms) {
    return {static_cast<std::uint64_t>(ms) << 16};
  }
  static constexpr HybridTime FromNs(std::int64_t ns) {
    const auto ms = static_cast<std::uint64_t>(ns / 1'000'000);
    const auto rest_ns = static_cast<std::uint64_t>(ns % 1'000'000);
    return {(ms << 16) | ((rest_ns << 16) / 1'000'000)};
  }

  constexpr std::int64_t ms() const { return static_cast<std::int64_t>(packed >> 16); }
  constexpr std::uint16_t counter() const { return static_cast<std::uint16_t>(packed); }
  constexpr HybridTime Next() const { return {packed + 1}; }

  friend constexpr auto operator<=>(const HybridTime&, const HybridTime&) = default;
};

// What orders runs, across nodes too: time first, then the node that gave it.
struct Stamp {
  HybridTime time;
  std::uint16_t node = 0;

  friend constexpr auto operator<=>(const Stamp&, const Stamp&) = default;
};

}  // namespace palena::hlc
