#include "store/slab_regions.h"

#include <bit>

#include "store/large_pages.h"

namespace palena::store {
namespace {

constexpr std::size_t kRegionBytes = kLargePageBytes;

char* RegionOf(char* slab) {
  const auto offset = reinterpret_cast<std::uintptr_t>(slab) % kRegionBytes;
  return slab - offset;
}

}  // namespace

SlabRegions::~SlabRegions() {
  for (const auto& [region, free] : free_slabs_) FreePages(region, kRegionBytes);
}

char* SlabRegions::Take() {
  static_assert(kRegionBytes / kSlabBytes == sizeof(Bits) * 8);
  if (roomy_.empty()) AddRegion();
  char* const region = roomy_.back();
  Bits& free = free_slabs_.at(region);
  if (free == kAllFree) has_empty_region_ = false;
  const int slab = std::countr_zero(free);
  free &= free - 1;
  if (free == 0) roomy_.pop_back();
  return region + static_cast<std::size_t>(slab) * kSlabBytes;
}

void SlabRegions::Return(char* slab) {
  char* const region = RegionOf(slab);
  Bits& free = free_slabs_.at(region);
  if (free == 0) roomy_.push_back(region);
  free |= Bits{1} << (static_cast<std::size_t>(slab - region) / kSlabBytes);
  if (free != kAllFree) return;
  if (has_empty_region_) return RemoveRegion(region);
  has_empty_region_ = true;
}

void SlabRegions::AddRegion() {
  const bool is_small = regions() < kSmallPageRegions;
  auto* const region = static_cast<char*>(is_small ? AllocateAligned(kRegionBytes)
                                                   : AllocateLargePages(kRegionBytes));
  free_slabs_.emplace(region, kAllFree);
  roomy_.push_back(region);
  has_empty_region_ = true;
}

void SlabRegions::RemoveRegion(char* region) {
  std::erase(roomy_, region);
  free_slabs_.erase(region);
  FreePages(region, kRegionBytes);
}

}  // namespace palena::store
