#include "store/timing_wheel.h"

#include <bit>

#include "base/check.h"

namespace palena::store {
namespace {

// In the first entry of a slot, `prev` names the slot: handles from kHandleEnd on are free for
// that.
constexpr EntryHandle NameOfSlot(std::uint32_t slot) {
  return EntryPool::kHandleEnd + slot;
}

}  // namespace

std::uint32_t TimingWheel::SlotFor(Time time) const {
  if (time <= time_) return kDueSlot;
  const auto highest_bit = static_cast<std::uint32_t>(std::bit_width(time ^ time_)) - 1;
  const std::uint32_t level = highest_bit / kDigitBits;
  const auto digit = static_cast<std::uint32_t>(time >> (level * kDigitBits)) % kSlotsPerLevel;
  return level * kSlotsPerLevel + digit;
}

void TimingWheel::File(Entry& entry, Time time) {
  PALENA_CHECK(!IsFiled(entry));
  Link(entry, SlotFor(time));
}

void TimingWheel::Link(Entry& entry, std::uint32_t slot) {
  const EntryHandle handle = pool_.HandleOf(entry);
  entry.wheel_prev_ = NameOfSlot(slot);
  entry.wheel_next_ = first_[slot];
  if (first_[slot] != kNoEntry) pool_.At(first_[slot]).wheel_prev_ = handle;
  first_[slot] = handle;
  SetOccupied(slot, true);
}

void TimingWheel::Remove(Entry& entry) {
  PALENA_CHECK(IsFiled(entry));
  if (entry.wheel_next_ != kNoEntry) pool_.At(entry.wheel_next_).wheel_prev_ = entry.wheel_prev_;
  if (entry.wheel_prev_ < EntryPool::kHandleEnd) {
    pool_.At(entry.wheel_prev_).wheel_next_ = entry.wheel_next_;
  } else {
    const std::uint32_t slot = entry.wheel_prev_ - EntryPool::kHandleEnd;
    first_[slot] = entry.wheel_next_;
    if (first_[slot] == kNoEntry) SetOccupied(slot, false);
  }
  entry.wheel_next_ = kNoEntry;
  entry.wheel_prev_ = kNoEntry;
}

void TimingWheel::SetOccupied(std::uint32_t slot, bool is_occupied) {
  if (slot == kDueSlot) return;
  const std::uint32_t level = slot / kSlotsPerLevel;
  const std::uint64_t bit = std::uint64_t{1} << (slot % kSlotsPerLevel);
  occupied_[level] = is_occupied ? occupied_[level] | bit : occupied_[level] & ~bit;
  const std::uint32_t level_bit = 1U << level;
  levels_ = occupied_[level] != 0 ? levels_ | level_bit : levels_ & ~level_bit;
}

// The lowest level that holds anything holds the earliest: its slots share every higher digit with
// the wheel's time, those of higher levels exceed it there.
TimingWheel::Occupied TimingWheel::FirstOccupied() const {
  const auto level = static_cast<std::uint32_t>(std::countr_zero(levels_));
  const auto digit = static_cast<std::uint32_t>(std::countr_zero(occupied_[level]));
  const unsigned shift = level * kDigitBits;
  const Time higher = shift + kDigitBits >= 64 ? 0 : ~Time{0} << (shift + kDigitBits);
  return {level * kSlotsPerLevel + digit, (time_ & higher) | (Time{digit} << shift)};
}

void TimingWheel::MoveToDue(std::uint32_t slot) {
  first_[kDueSlot] = first_[slot];
  pool_.At(first_[kDueSlot]).wheel_prev_ = NameOfSlot(kDueSlot);
  first_[slot] = kNoEntry;
  SetOccupied(slot, false);
}

bool TimingWheel::HasDue(Time now) const {
  if (now < time_) return false;
  return first_[kDueSlot] != kNoEntry || (levels_ != 0 && FirstOccupied().start <= now);
}

Entry* TimingWheel::Take(Time now) {
  if (now < time_) return nullptr;
  if (first_[kDueSlot] == kNoEntry) {
    if (!HasDue(now)) {
      // No occupied slot starts in between, so every entry's slot stays the right one.
      time_ = now;
      return nullptr;
    }
    const Occupied next = FirstOccupied();
    time_ = next.start;
    MoveToDue(next.slot);
  }
  Entry& entry = pool_.At(first_[kDueSlot]);
  Remove(entry);
  return &entry;
}

}  // namespace palena::store
