#pragma once

// ValueBlock: the bytes of a value that is no integer, one allocation of the heap. The empty value
// has no block: a null pointer is "". Static functions over pointers, because an entry keeps the
// pointer in the same word that otherwise holds an integer.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace palena::store {

class ValueBlock {
 public:
  // A block that holds `bytes`: `old` when they fit without waste, else a new one, and then `old`
  // is freed. `bytes` may lie inside `old`. Null when `bytes` is empty.
  static ValueBlock* Replace(ValueBlock* old, std::string_view bytes);
  static void Free(ValueBlock* block);
  static std::string_view View(const ValueBlock* block) {
    if (block == nullptr) return {};
    return {reinterpret_cast<const char*>(block + 1), block->size_};
  }

  // Heap bytes of a block, 0 for null; and those of what Replace would return.
  static std::size_t Cost(const ValueBlock* block);
  static std::size_t CostAfterReplace(const ValueBlock* old, std::size_t value_bytes);

 private:
  explicit ValueBlock(std::uint32_t capacity) : capacity_(capacity) {}

  // False also when so much of the block would lie idle that a smaller one is better.
  bool Suits(std::size_t value_bytes) const;
  char* data() { return reinterpret_cast<char*>(this + 1); }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_;
};

}  // namespace palena::store
