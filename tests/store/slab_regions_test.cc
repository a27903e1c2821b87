#include "store/slab_regions.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

namespace palena::store {
namespace {

constexpr std::size_t kSlabsOfARegion = (std::size_t{2} << 20) / SlabRegions::kSlabBytes;

std::vector<char*> TakeMany(SlabRegions& regions, std::size_t count) {
  std::vector<char*> slabs;
  for (std::size_t i = 0; i < count; ++i) slabs.push_back(regions.Take());
  return slabs;
}

TEST(SlabRegionsTest, SlabsAreAlignedApartAndWritable) {
  SlabRegions regions;
  std::set<char*> slabs;
  for (char* slab : TakeMany(regions, 6 * kSlabsOfARegion)) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slab) % SlabRegions::kSlabBytes, 0U);
    EXPECT_TRUE(slabs.insert(slab).second);
    std::memset(slab, 1, SlabRegions::kSlabBytes);
  }
  EXPECT_EQ(regions.regions(), 6U);
}

TEST(SlabRegionsTest, ASlabGivenBackIsTheNextOne) {
  SlabRegions regions;
  const std::vector<char*> slabs = TakeMany(regions, kSlabsOfARegion);
  regions.Return(slabs[7]);
  EXPECT_EQ(regions.Take(), slabs[7]);
  EXPECT_EQ(regions.regions(), 1U);
}

TEST(SlabRegionsTest, EmptyRegionsAreGivenBackButForOne) {
  SlabRegions regions;
  for (char* slab : TakeMany(regions, 5 * kSlabsOfARegion)) regions.Return(slab);
  EXPECT_EQ(regions.regions(), 1U);
}

TEST(SlabRegionsTest, OneSlabKeepsItsRegion) {
  SlabRegions regions;
  const std::vector<char*> slabs = TakeMany(regions, 3 * kSlabsOfARegion);
  for (char* slab : slabs) {
    if (slab != slabs[kSlabsOfARegion]) regions.Return(slab);
  }
  EXPECT_EQ(regions.regions(), 2U) << "its own, and an empty one";
  std::memset(slabs[kSlabsOfARegion], 1, SlabRegions::kSlabBytes);
}

TEST(SlabRegionsTest, AnEmptyRegionIsUsedBeforeAnotherIsAdded) {
  SlabRegions regions;
  for (int i = 0; i < 100; ++i) regions.Return(regions.Take());
  EXPECT_EQ(regions.regions(), 1U);
}

}  // namespace
}  // namespace palena::store
