#include "store/entry_pool.h"

#include <cstring>
#include <new>

#include "absl/base/config.h"
#include "base/check.h"

#if defined(ABSL_HAVE_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#else
// The sanitizer sees slabs, not entries: tell it which are free, where it watches.
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address))
#endif

namespace palena::store {

// At the start of its memory; entries follow from kFirstUnit on. A free slot holds the unit of the
// next free one in its first 4 bytes.
struct EntryPool::Slab {
  static constexpr std::uint32_t kFirstUnit = 8;

  std::uint32_t number;
  std::uint32_t units;  // of each entry
  std::uint32_t used = 0;
  std::uint32_t fresh_unit = kFirstUnit;  // from here on never used
  std::uint32_t free_unit = 0;            // the first slot given back, 0 for none
  Slab* next = nullptr;
  Slab* prev = nullptr;

  char* At(std::uint32_t unit) { return reinterpret_cast<char*>(this) + unit * kUnitBytes; }
  bool has_fresh() const { return (fresh_unit + units) * kUnitBytes <= kSlabBytes; }
  bool is_full() const { return free_unit == 0 && !has_fresh(); }
};

// What is given back must not stay poisoned.
EntryPool::~EntryPool() {
  for (char* slab : slabs_) {
    if (slab != nullptr) ASAN_UNPOISON_MEMORY_REGION(slab, kSlabBytes);
  }
}

EntryPool::Slab& EntryPool::SlabOf(const Entry& entry) {
  const auto address = reinterpret_cast<std::uintptr_t>(&entry);
  return *reinterpret_cast<Slab*>(address & ~std::uintptr_t{kSlabBytes - 1});
}

EntryHandle EntryPool::HandleOf(const Entry& entry) const {
  const Slab& slab = SlabOf(entry);
  const auto offset = static_cast<std::uint32_t>(reinterpret_cast<const char*>(&entry) -
                                                 reinterpret_cast<const char*>(&slab));
  return (slab.number << kOffsetBits) | (offset / static_cast<std::uint32_t>(kUnitBytes));
}

bool EntryPool::is_full() const {
  // Some numbers stay in reserve, so that a slab for every size class can still come.
  return free_numbers_.empty() && slabs_.size() + kUnitsMax >= kSlabsMax;
}

Entry& EntryPool::Create(const KeyView& key) {
  const std::size_t units = Entry::BytesFor(key.bytes.size()) / kUnitBytes;
  PALENA_CHECK(units <= kUnitsMax);
  Slab& slab = roomy_[units] != nullptr ? *roomy_[units] : AddSlab(units);
  void* const memory = Take(slab);
  if (slab.is_full()) UnlinkRoomy(slab);
  bytes_ += units * kUnitBytes;
  return *new (memory) Entry(key);
}

void* EntryPool::Take(Slab& slab) {
  ++slab.used;
  const std::uint32_t unit = slab.free_unit != 0 ? slab.free_unit : slab.fresh_unit;
  char* const memory = slab.At(unit);
  ASAN_UNPOISON_MEMORY_REGION(memory, slab.units * kUnitBytes);
  if (slab.free_unit != 0) {
    std::memcpy(&slab.free_unit, memory, sizeof(slab.free_unit));
  } else {
    slab.fresh_unit += slab.units;
  }
  return memory;
}

void EntryPool::Destroy(Entry& entry) {
  Slab& slab = SlabOf(entry);
  const bool was_full = slab.is_full();
  const auto unit = HandleOf(entry) & kOffsetMask;
  entry.~Entry();
  std::memcpy(slab.At(unit), &slab.free_unit, sizeof(slab.free_unit));
  ASAN_POISON_MEMORY_REGION(slab.At(unit), slab.units * kUnitBytes);
  slab.free_unit = unit;
  bytes_ -= slab.units * kUnitBytes;
  if (was_full) LinkRoomy(slab);
  if (--slab.used == 0) ReleaseSlab(slab);
}

EntryPool::Slab& EntryPool::AddSlab(std::size_t units) {
  if (free_numbers_.empty()) {
    PALENA_CHECK(slabs_.size() < kSlabsMax);
    free_numbers_.push_back(static_cast<std::uint32_t>(slabs_.size()));
    slabs_.push_back(nullptr);
  }
  char* const memory = memory_.Take();
  const std::uint32_t number = free_numbers_.back();
  free_numbers_.pop_back();
  auto* slab = new (memory) Slab{number, static_cast<std::uint32_t>(units)};
  static_assert(sizeof(Slab) <= Slab::kFirstUnit * kUnitBytes);
  ASAN_POISON_MEMORY_REGION(slab->At(Slab::kFirstUnit), kSlabBytes - Slab::kFirstUnit * kUnitBytes);
  slabs_[number] = memory;
  LinkRoomy(*slab);
  return *slab;
}

void EntryPool::ReleaseSlab(Slab& slab) {
  UnlinkRoomy(slab);
  free_numbers_.push_back(slab.number);
  slabs_[slab.number] = nullptr;
  ASAN_UNPOISON_MEMORY_REGION(&slab, kSlabBytes);
  memory_.Return(reinterpret_cast<char*>(&slab));
}

void EntryPool::LinkRoomy(Slab& slab) {
  Slab*& first = roomy_[slab.units];
  slab.prev = nullptr;
  slab.next = first;
  if (first != nullptr) first->prev = &slab;
  first = &slab;
}

void EntryPool::UnlinkRoomy(Slab& slab) {
  (slab.prev != nullptr ? slab.prev->next : roomy_[slab.units]) = slab.next;
  if (slab.next != nullptr) slab.next->prev = slab.prev;
}

}  // namespace palena::store
