#pragma once

// EntryPool: memory for entries, in slabs of one size class each, so that an entry costs its own
// bytes (rounded up to 8) and has a 32-bit name. A general heap gives neither: its header and
// rounding cost a counter 24 bytes, and 64-bit links 16 more.
//
// A slab is 64 KiB, aligned to its size; a handle is the slab's number and the entry's offset in
// it in units of 8 bytes. A slab is given back as soon as its last entry is destroyed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/limits.h"
#include "store/entry.h"
#include "store/key.h"
#include "store/slab_regions.h"

namespace palena::store {

class EntryPool {
 public:
  EntryPool() = default;
  ~EntryPool();  // frees the memory of entries, not their value blocks
  EntryPool(const EntryPool&) = delete;
  EntryPool& operator=(const EntryPool&) = delete;

  // The address is stable until Destroy. Its key must be at most base::kKeyBytesMax long.
  Entry& Create(const KeyView& key);
  void Destroy(Entry& entry);

  Entry& At(EntryHandle handle) const {
    return *reinterpret_cast<Entry*>(slabs_[handle >> kOffsetBits] +
                                     std::size_t{handle & kOffsetMask} * kUnitBytes);
  }
  EntryHandle HandleOf(const Entry& entry) const;

  // Sum of Entry::BytesFor over all entries.
  std::size_t bytes() const { return bytes_; }
  // True when handles run out (at nearly 32 GiB of entries): nothing may be created then.
  bool is_full() const;

  // Handles from here on are never given out: others may give them a meaning of their own.
  static constexpr EntryHandle kHandleEnd = 0xFFFF'0000;

 private:
  struct Slab;

  static constexpr std::size_t kUnitBytes = 8;
  static constexpr std::size_t kSlabBytes = SlabRegions::kSlabBytes;
  static constexpr unsigned kOffsetBits = 13;
  static constexpr EntryHandle kOffsetMask = (1U << kOffsetBits) - 1;
  static constexpr std::size_t kUnitsMax = Entry::BytesFor(base::kKeyBytesMax) / kUnitBytes;
  static constexpr std::size_t kSlabsMax = kHandleEnd >> kOffsetBits;

  static Slab& SlabOf(const Entry& entry);
  Slab& AddSlab(std::size_t units);
  void ReleaseSlab(Slab& slab);
  void LinkRoomy(Slab& slab);
  void UnlinkRoomy(Slab& slab);
  static void* Take(Slab& slab);

  SlabRegions memory_;
  std::vector<char*> slabs_;                     // by number; null where released
  std::vector<std::uint32_t> free_numbers_;      // of released slabs
  std::array<Slab*, kUnitsMax + 1> roomy_ = {};  // by units: slabs with room for one more
  std::size_t bytes_ = 0;
};

}  // namespace palena::store
