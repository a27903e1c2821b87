#pragma once

// EntryIndex: finds the entry of a key, for one key space. A hash set of 32-bit handles that takes
// the caller's keyed hash as it is (entries keep its low half, for growth).
//
// It also has a hand that walks round the set, for eviction. The order of the set is that of the
// keyed hash, so consecutive entries under the hand are a random sample.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "store/entry.h"
#include "store/entry_pool.h"
#include "store/key.h"
#include "store/large_pages.h"

namespace palena::store {

class EntryIndex {
 public:
  explicit EntryIndex(const EntryPool& pool) : pool_(pool), set_(0, Hash{&pool}, Equal{&pool}) {}
  EntryIndex(const EntryIndex&) = delete;
  EntryIndex& operator=(const EntryIndex&) = delete;

  Entry* Find(const KeyView& key) const {
    const auto found = set_.find(key);
    return found == set_.end() ? nullptr : &pool_.At(*found);
  }
  // Two steps that bring what Find will touch into the cache, for callers who know a key some time
  // before they need it: first the place in the set, then, once that is there, the entry.
  void PrefetchPlace(const KeyView& key) const { set_.prefetch(key); }
  void PrefetchEntry(const KeyView& key) const {
    const auto found = set_.find(Guess{key.hash});
    if (found == set_.end()) return;
    const char* const entry = reinterpret_cast<const char*>(&pool_.At(*found));
    __builtin_prefetch(entry);
    __builtin_prefetch(entry + kCacheLineBytes);
  }
  // The key must not be there yet. When the set is full it doubles, which costs some 50 ns an
  // entry at once.
  void Insert(const Entry& entry);
  void Erase(const Entry& entry);

  // Gives memory back when most of it lies idle. Cheap when it does not.
  void ShrinkIfSparse();

  std::size_t size() const { return set_.size(); }

  // What one entry costs here: a slot and its control byte, at the lowest load after a growth.
  static constexpr std::size_t kBytesPerEntry = 12;

  // The next `count` entries under the hand, which moves on behind them; fewer when there are
  // fewer.
  template <typename Visit>
  void WalkOn(std::size_t count, Visit visit);

  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const EntryHandle handle : set_) visit(pool_.At(handle));
  }

 private:
  static bool HasKey(const Entry& entry, std::uint32_t hash, std::string_view key) {
    return entry.hash_ == hash && entry.key() == key;
  }

  static constexpr std::size_t kCacheLineBytes = 64;

  // Finds the first entry that the set's own seven bits of the hash allow, without a look at it:
  // nearly always the right one.
  struct Guess {
    std::uint64_t hash;
  };

  struct Hash {
    using is_transparent = void;
    const EntryPool* pool;
    std::size_t operator()(const Guess& guess) const {
      return static_cast<std::uint32_t>(guess.hash);
    }
    std::size_t operator()(const KeyView& key) const {
      return static_cast<std::uint32_t>(key.hash);
    }
    std::size_t operator()(EntryHandle handle) const { return pool->At(handle).hash_; }
  };
  struct Equal {
    using is_transparent = void;
    const EntryPool* pool;
    bool operator()(EntryHandle /*a*/, const Guess& /*guess*/) const { return true; }
    bool operator()(EntryHandle a, const KeyView& key) const {
      return HasKey(pool->At(a), static_cast<std::uint32_t>(key.hash), key.bytes);
    }
    bool operator()(EntryHandle a, EntryHandle b) const {
      return a == b || HasKey(pool->At(a), pool->At(b).hash_, pool->At(b).key());
    }
  };

  const EntryPool& pool_;
  absl::flat_hash_set<EntryHandle, Hash, Equal, LargePageAllocator<EntryHandle>> set_;
  // By name, not by iterator: growth moves the slots.
  EntryHandle hand_ = kNoEntry;
};

template <typename Visit>
void EntryIndex::WalkOn(std::size_t count, Visit visit) {
  if (set_.empty()) return;
  auto at = hand_ == kNoEntry ? set_.begin() : set_.find(hand_);
  for (std::size_t left = count < size() ? count : size(); left > 0; --left) {
    visit(pool_.At(*at));
    if (++at == set_.end()) at = set_.begin();
  }
  hand_ = *at;
}

}  // namespace palena::store
