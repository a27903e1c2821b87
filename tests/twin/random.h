#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace palena::twin {

// The same numbers for the same seed, on every machine (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }
  // 0 to `count` - 1.
  std::size_t Below(std::size_t count) { return static_cast<std::size_t>(Next() % count); }
  bool Chance(std::size_t percent) { return Below(100) < percent; }
  bool ChancePerMille(std::size_t count) { return Below(1000) < count; }

  template <typename List>
  const auto& Pick(const List& list) {
    return list[Below(std::size(list))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace palena::twin
