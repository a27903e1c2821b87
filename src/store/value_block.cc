#include "store/value_block.h"

#include <cstring>
#include <new>

#include "base/check.h"
#include "base/limits.h"

namespace palena::store {
namespace {

// Blocks up to this capacity are kept whatever lies in them: freeing them would win nothing.
constexpr std::size_t kSmallBytes = 64;

// What the heap takes for `capacity` bytes: block header, heap header, rounding.
constexpr std::size_t HeapBytes(std::size_t capacity) {
  return (sizeof(ValueBlock) + capacity + sizeof(std::size_t) + 15) & ~std::size_t{15};
}

}  // namespace

bool ValueBlock::Suits(std::size_t value_bytes) const {
  if (value_bytes == 0 || value_bytes > capacity_) return false;
  return capacity_ <= kSmallBytes || value_bytes >= capacity_ / 2;
}

ValueBlock* ValueBlock::Replace(ValueBlock* old, std::string_view bytes) {
  PALENA_CHECK(bytes.size() <= base::kValueBytesMax);
  ValueBlock* block = old;
  if (old == nullptr || !old->Suits(bytes.size())) {
    if (bytes.empty()) {
      Free(old);
      return nullptr;
    }
    void* const memory = ::operator new(sizeof(ValueBlock) + bytes.size());
    block = new (memory) ValueBlock(static_cast<std::uint32_t>(bytes.size()));
  }
  std::memmove(block->data(), bytes.data(), bytes.size());
  block->size_ = static_cast<std::uint32_t>(bytes.size());
  if (block != old) Free(old);
  return block;
}

void ValueBlock::Free(ValueBlock* block) {
  ::operator delete(block);
}

std::size_t ValueBlock::Cost(const ValueBlock* block) {
  return block == nullptr ? 0 : HeapBytes(block->capacity_);
}

std::size_t ValueBlock::CostAfterReplace(const ValueBlock* old, std::size_t value_bytes) {
  if (value_bytes == 0) return 0;
  if (old != nullptr && old->Suits(value_bytes)) return Cost(old);
  return HeapBytes(value_bytes);
}

}  // namespace palena::store
