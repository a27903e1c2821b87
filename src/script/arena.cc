#include "script/arena.h"

#include <sanitizer/asan_interface.h>  // its macros are nothing without the sanitizer

#include <algorithm>

namespace palena::script {

namespace {

constexpr std::size_t kAlignment = 8;
constexpr std::size_t kFirstBlockBytes = 4096;
constexpr std::size_t kGrowthBytesMax = std::size_t{1} << 20;

}  // namespace

// To the address sanitizer all blocks are out of bounds but for the bytes that were asked for, so
// that it sees who goes beyond them, or looks at those of the run before.
char* Arena::Allocate(std::size_t bytes) {
  if (bytes > limit_bytes_) return nullptr;  // also keeps the rounding from wrapping round
  char* const result =
      Take((std::max<std::size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment);
  if (result != nullptr) ASAN_UNPOISON_MEMORY_REGION(result, bytes);
  return result;
}

char* Arena::Take(std::size_t bytes) {
  if (bytes > left_) return TakeInNewBlock(bytes);
  char* const result = next_;
  next_ += bytes;
  left_ -= bytes;
  used_bytes_ += bytes;
  return result;
}

void Arena::ResetUsed() {
  if (blocks_.size() > 1) blocks_.resize(1);
  if (blocks_.empty()) return;
  next_ = blocks_.front().bytes.get();
  left_ = blocks_.front().size;
  ASAN_POISON_MEMORY_REGION(next_, left_);
  reserved_bytes_ = left_;
  used_bytes_ = 0;
}

char* Arena::AddBlock(std::size_t bytes) {
  blocks_.push_back({std::unique_ptr<char[]>(new char[bytes]), bytes});
  reserved_bytes_ += bytes;
  ASAN_POISON_MEMORY_REGION(blocks_.back().bytes.get(), bytes);
  return blocks_.back().bytes.get();
}

// The limit is on the memory that is really taken, rests of blocks included, so that no order of
// small and large requests makes a run take more. The first block has one size whatever the first
// request is: it is the one that stays.
char* Arena::TakeInNewBlock(std::size_t bytes) {
  if (blocks_.empty()) {
    left_ = std::min(kFirstBlockBytes, limit_bytes_ / kAlignment * kAlignment);
    next_ = AddBlock(left_);
    if (bytes <= left_) return Take(bytes);
  }
  const std::size_t available = limit_bytes_ - reserved_bytes_;
  if (bytes > available) return nullptr;
  const std::size_t growth = std::min({reserved_bytes_, kGrowthBytesMax, available});
  if (bytes >= growth) {  // a block of its own; the rest of the present one stays in use
    used_bytes_ += bytes;
    return AddBlock(bytes);
  }
  next_ = AddBlock(growth);
  left_ = growth;
  return Take(bytes);
}

}  // namespace palena::script
