#include "store/entry_index.h"

#include <iterator>

#include "base/check.h"

namespace palena::store {

void EntryIndex::Insert(const Entry& entry) {
  const bool is_new = set_.insert(pool_.HandleOf(entry)).second;
  PALENA_CHECK(is_new);
}

void EntryIndex::Erase(const Entry& entry) {
  const auto at = set_.find(pool_.HandleOf(entry));
  PALENA_CHECK(at != set_.end());
  if (*at == hand_) {
    const auto next = std::next(at);
    hand_ = next == set_.end() ? kNoEntry : *next;
  }
  set_.erase(at);
}

void EntryIndex::ShrinkIfSparse() {
  // Rare and far apart: after a shrink the set must grow by half and lose most of it again.
  constexpr std::size_t kSlotsWorthIt = 4096;
  constexpr std::size_t kSparse = 32;
  const std::size_t slots = set_.bucket_count();
  if (slots > kSlotsWorthIt && set_.size() < slots / kSparse) set_.rehash(0);
}

}  // namespace palena::store
