#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/limits.h"

namespace palena::script {

// Bump allocation for one run: everything is freed together by Reset(), which keeps the first block
// for the next run, so that a run of a small script allocates nothing.
class Arena {
 public:
  explicit Arena(std::size_t limit_bytes = base::kRunMemoryBytesMax) : limit_bytes_(limit_bytes) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // 8-byte aligned, uninitialised, never null for 0 bytes; null when the limit would be exceeded.
  // The limit is on the memory that the arena takes, so the last bytes below it may be refused.
  char* Allocate(std::size_t bytes);
  void Reset() {
    if (used_bytes_ != 0) ResetUsed();
  }

  std::size_t used_bytes() const { return used_bytes_; }
  std::size_t limit_bytes() const { return limit_bytes_; }

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };
  void ResetUsed();
  // The same for a multiple of the alignment.
  char* Take(std::size_t bytes);
  char* TakeInNewBlock(std::size_t bytes);
  char* AddBlock(std::size_t bytes);

  std::size_t limit_bytes_;
  std::size_t used_bytes_ = 0;
  std::size_t reserved_bytes_ = 0;  // all blocks together
  std::vector<Block> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace palena::script
