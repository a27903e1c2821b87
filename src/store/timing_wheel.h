#pragma once

// TimingWheel: which entries have a deadline, found again when it has come. Filing, removing and
// taking are O(1); an idle gap of any length costs nothing.
//
// Hierarchical: level L holds deadlines whose highest digit (6 bits) that differs from the wheel's
// time is digit L, in the slot of that digit; a bit per slot tells which are occupied. When the
// time reaches a slot its entries are looked at again, and most are filed one level lower.
// Idea: Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", 1987.
//
// Lazy: the wheel does not know deadlines, only when to look. Whoever moves a deadline to a later
// time leaves the entry where it is; Take then hands it out too early, and the owner files it
// anew. So refreshing a TTL touches nothing but the entry.

#include <array>
#include <cstddef>
#include <cstdint>

#include "store/entry.h"
#include "store/entry_pool.h"

namespace palena::store {

class TimingWheel {
 public:
  // Milliseconds; more than any expiry can be.
  using Time = std::uint64_t;

  explicit TimingWheel(const EntryPool& pool) : pool_(pool) {}
  TimingWheel(const TimingWheel&) = delete;
  TimingWheel& operator=(const TimingWheel&) = delete;

  // The entry must not be filed. A time that has passed counts as due at once.
  void File(Entry& entry, Time time);
  void Remove(Entry& entry);  // must be filed
  static bool IsFiled(const Entry& entry) { return entry.wheel_prev_ != kNoEntry; }

  // An entry to look at, no longer filed; null when there is none up to `now`. Not before its time
  // means: an entry filed at T may come out before T, and must then be filed anew, but comes out
  // by the time that Take(T) gives null. When `now` is before an earlier call's, null.
  Entry* Take(Time now);

  // True when Take(now) would give an entry.
  bool HasDue(Time now) const;

  // The latest `now` that was reached.
  Time time() const { return time_; }

 private:
  static constexpr unsigned kDigitBits = 6;
  static constexpr std::uint32_t kSlotsPerLevel = 1U << kDigitBits;
  static constexpr std::uint32_t kLevels = 11;  // 64 bits
  static constexpr std::uint32_t kDueSlot = kLevels * kSlotsPerLevel;
  static constexpr std::uint32_t kSlots = kDueSlot + 1;

  struct Occupied {
    std::uint32_t slot;
    Time start;
  };

  std::uint32_t SlotFor(Time time) const;
  Occupied FirstOccupied() const;  // only when levels_ is not 0
  void Link(Entry& entry, std::uint32_t slot);
  void MoveToDue(std::uint32_t slot);
  void SetOccupied(std::uint32_t slot, bool is_occupied);

  const EntryPool& pool_;
  Time time_ = 0;
  std::array<EntryHandle, kSlots> first_ = {};
  std::array<std::uint64_t, kLevels> occupied_ = {};  // a bit per slot
  std::uint32_t levels_ = 0;                          // a bit per level that is not empty
};

}  // namespace palena::store
