#include "store/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

#include "absl/base/config.h"

#if defined(ABSL_HAVE_ADDRESS_SANITIZER)
#include <sanitizer/lsan_interface.h>
#endif

namespace palena::store {
namespace {

std::size_t RoundedUp(std::size_t bytes) {
  return (bytes + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
}

// The leak checker looks for pointers in the heap alone, unless it is told.
void ShowToLeakChecker([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(ABSL_HAVE_ADDRESS_SANITIZER)
  __lsan_register_root_region(memory, bytes);
#endif
}
void HideFromLeakChecker([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(ABSL_HAVE_ADDRESS_SANITIZER)
  __lsan_unregister_root_region(memory, bytes);
#endif
}

}  // namespace

// From the system itself: a heap would put a header before each, in a page of its own.
void* AllocateAligned(std::size_t bytes) {
  const std::size_t size = RoundedUp(bytes);
  const std::size_t mapped = size + kLargePageBytes;
  void* const memory =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  char* const begin = static_cast<char*>(memory);
  const std::size_t before =
      RoundedUp(reinterpret_cast<std::uintptr_t>(begin)) - reinterpret_cast<std::uintptr_t>(begin);
  char* const aligned = begin + before;
  if (before > 0) munmap(begin, before);
  munmap(aligned + size, mapped - before - size);
  ShowToLeakChecker(aligned, size);
  return aligned;
}

void* AllocateLargePages(std::size_t bytes) {
  void* const memory = AllocateAligned(bytes);
  madvise(memory, RoundedUp(bytes), MADV_HUGEPAGE);  // refused: small pages, slower and not wrong
  return memory;
}

void FreePages(void* memory, std::size_t bytes) {
  HideFromLeakChecker(memory, RoundedUp(bytes));
  munmap(memory, RoundedUp(bytes));
}

}  // namespace palena::store
