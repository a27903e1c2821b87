#pragma once

// Memory for large tables. A lookup in a million entries touches a few addresses far apart, and
// each costs, besides the cache miss, a walk through the page tables, because so many small pages
// have no room in the processor's translation buffer. Large pages (transparent huge pages of Linux)
// have; where the system has none, this is ordinary memory.
//
// Measured: an update in a table of 1,000,000 counters takes 1.4 times as long on small pages
// (store_bench).

#include <cstddef>
#include <cstdint>
#include <new>

namespace palena::store {

inline constexpr std::size_t kLargePageBytes = std::size_t{2} << 20;

// Of at least `bytes`, aligned to a large page, and all of it resident once it is touched here and
// there. Throws std::bad_alloc.
void* AllocateLargePages(std::size_t bytes);
// The same on small pages: for what may stay small.
void* AllocateAligned(std::size_t bytes);
// What either returned, with the size that it was asked for.
void FreePages(void* memory, std::size_t bytes);

// For containers: what is smaller than a large page comes from the heap.
template <typename T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <typename U>
  explicit(false) LargePageAllocator(const LargePageAllocator<U>& /*other*/) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(IsLarge(count) ? AllocateLargePages(bytes) : ::operator new(bytes));
  }
  void deallocate(T* memory, std::size_t count) {
    IsLarge(count) ? FreePages(memory, count * sizeof(T)) : ::operator delete(memory);
  }

  friend bool operator==(const LargePageAllocator& /*a*/, const LargePageAllocator& /*b*/) {
    return true;
  }

 private:
  static bool IsLarge(std::size_t count) { return count * sizeof(T) >= kLargePageBytes; }
};

}  // namespace palena::store
