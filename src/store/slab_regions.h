#pragma once

// SlabRegions: slabs of 64 KiB, aligned to their size, cut from regions of one large page each. A
// region is given back when none of its slabs is in use, but for one that waits for the next slab.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace palena::store {

class SlabRegions {
 public:
  static constexpr std::size_t kSlabBytes = std::size_t{64} << 10;

  SlabRegions() = default;
  ~SlabRegions();  // frees every region, in use or not
  SlabRegions(const SlabRegions&) = delete;
  SlabRegions& operator=(const SlabRegions&) = delete;

  char* Take();
  void Return(char* slab);

  std::size_t regions() const { return free_slabs_.size(); }

 private:
  using Bits = std::uint32_t;  // one for each slab of a region
  static constexpr Bits kAllFree = ~Bits{0};

  // A node with few keys must not grow by a large page for each of its shards.
  static constexpr std::size_t kSmallPageRegions = 4;

  void AddRegion();
  void RemoveRegion(char* region);

  absl::flat_hash_map<char*, Bits> free_slabs_;  // by region
  std::vector<char*> roomy_;                     // regions with a free slab
  bool has_empty_region_ = false;
};

}  // namespace palena::store
