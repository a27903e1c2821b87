#include "engine/lock_table.h"

#include <algorithm>

#include "base/check.h"

namespace palena::engine {

struct LockTable::ClaimState {
  Run* run = nullptr;
  int priority = 0;
  std::size_t blocked_at = 0;  // queues in which somebody before it is in its way
  bool is_granted = false;
  hlc::HybridTime stamp_floor{~std::uint64_t{0}};
  std::vector<Queues::iterator> queues;             // of its keys
  std::vector<std::unique_ptr<std::string>> texts;  // of its ranges
};

LockTable::LockTable() = default;
LockTable::~LockTable() = default;

bool LockTable::IsClaimed(const store::KeyView& key) const {
  if (queues_.contains(NameView(key.durability, key.bytes))) return true;
  return std::ranges::any_of(ranges_, [&](const Range& r) {
    return r.range.durability == key.durability && r.range.Contains(key.bytes);
  });
}

bool LockTable::Claim(Owner owner, Run* run, const Wishes& wishes) {
  const auto [it, is_new] = claims_.try_emplace(owner, std::make_unique<ClaimState>());
  PALENA_CHECK(is_new);
  ClaimState* const claim = it->second.get();
  claim->run = run;
  claim->priority = wishes.priority;
  for (const KeyWish& wish : wishes.keys) {
    const auto queue = QueueOf(wish.key);
    Join(queue->second, claim, wish.is_exclusive);
    ++queue->second.from_keys;
    claim->queues.push_back(queue);
  }
  // Behind its keys: a key of its own inside its range is in nobody's way.
  for (const model::KeyRange& range : wishes.ranges) AddRange(range, claim);
  claim->is_granted = claim->blocked_at == 0;
  return claim->is_granted;
}

void LockTable::Release(Owner owner, std::vector<Run*>& granted) {
  const auto it = claims_.find(owner);
  if (it == claims_.end()) return;
  const std::unique_ptr<ClaimState> claim = std::move(it->second);
  claims_.erase(it);
  for (const Queues::iterator queue : claim->queues) {
    PALENA_CHECK(Leave(queue->second, claim.get(), granted));
    // What is left are ranges, which conflict with keys only.
    if (--queue->second.from_keys == 0) queues_.erase(queue);
  }
  RemoveRanges(claim.get(), granted);
}

// The queue of a key. In a new one stand the ranges around the key, which came before.
LockTable::Queues::iterator LockTable::QueueOf(const store::KeyView& key) {
  const auto found = queues_.find(NameView(key.durability, key.bytes));
  if (found != queues_.end()) return found;
  const auto queue = queues_.try_emplace(Name(key.durability, key.bytes)).first;
  for (const Range& r : ranges_) {
    if (r.range.durability != key.durability || !r.range.Contains(key.bytes)) continue;
    Join(queue->second, r.claim, false);
  }
  return queue;
}

template <typename Visit>
void LockTable::ForEachQueueIn(const model::KeyRange& range, Visit visit) {
  auto it = queues_.lower_bound(NameView(range.durability, range.text));
  for (; it != queues_.end() && it->first.first == range.durability; ++it) {
    if (!it->first.second.starts_with(range.text)) return;
    if (range.Contains(it->first.second)) visit(it->second);
  }
}

void LockTable::Join(Queue& queue, ClaimState* claim, bool is_exclusive) {
  const auto has_place = [&](const Place& place) { return place.claim == claim; };
  if (std::ranges::any_of(queue.places, has_place)) return;  // a range around its own key
  // Among those that wait, in the same order on every key: whoever is let in here but waits for
  // another key holds nothing, and must not be waited for by one that it waits for.
  const auto is_granted = [](const Place& place) { return place.claim->is_granted; };
  const auto admitted = queue.places.begin() + static_cast<std::ptrdiff_t>(queue.admitted);
  auto at = std::stable_partition(queue.places.begin(), admitted, is_granted);
  while (at != queue.places.end() && at->claim->priority >= claim->priority) ++at;
  const auto index = static_cast<std::size_t>(at - queue.places.begin());
  queue.places.insert(at, {claim, is_exclusive});
  ++claim->blocked_at;
  for (; queue.admitted > index; --queue.admitted) ++queue.places[queue.admitted].claim->blocked_at;
  AdmitNext(queue, nullptr);
}

// Lets in those at the front of the waiting that nobody is in the way of.
void LockTable::AdmitNext(Queue& queue, std::vector<Run*>* granted) {
  while (queue.admitted < queue.places.size()) {
    const Place& next = queue.places[queue.admitted];
    const bool is_free =
        queue.admitted == 0 || (!next.is_exclusive && !queue.places.front().is_exclusive);
    if (!is_free) return;
    ++queue.admitted;
    if (--next.claim->blocked_at > 0 || granted == nullptr || next.claim->is_granted) continue;
    next.claim->is_granted = true;
    granted->push_back(next.claim->run);
  }
}

bool LockTable::Leave(Queue& queue, const ClaimState* claim, std::vector<Run*>& granted) {
  const auto at =
      std::ranges::find_if(queue.places, [&](const Place& place) { return place.claim == claim; });
  if (at == queue.places.end()) return false;
  const auto index = static_cast<std::size_t>(at - queue.places.begin());
  if (index < queue.admitted) --queue.admitted;
  queue.places.erase(at);
  AdmitNext(queue, &granted);
  return true;
}

void LockTable::AddRange(const model::KeyRange& range, ClaimState* claim) {
  claim->texts.push_back(std::make_unique<std::string>(range.text));
  const model::KeyRange kept{range.durability, range.kind, *claim->texts.back()};
  ForEachQueueIn(kept, [&](Queue& queue) { Join(queue, claim, false); });
  ranges_.push_back({kept, claim});
}

void LockTable::RemoveRanges(const ClaimState* claim, std::vector<Run*>& granted) {
  for (const std::unique_ptr<std::string>& text : claim->texts) {
    const auto at = std::ranges::find_if(
        ranges_, [&](const Range& r) { return r.range.text.data() == text->data(); });
    PALENA_CHECK(at != ranges_.end());
    ForEachQueueIn(at->range, [&](Queue& queue) { Leave(queue, claim, granted); });
    ranges_.erase(at);
  }
}

LockTable::Obstacle LockTable::ObstacleOf(Owner owner) const {
  const ClaimState& claim = *claims_.at(owner);
  for (const Queues::iterator it : claim.queues) {
    const Queue& queue = it->second;
    const auto waiting = queue.places.begin() + static_cast<std::ptrdiff_t>(queue.admitted);
    const bool waits = std::any_of(waiting, queue.places.end(),
                                   [&](const Place& place) { return place.claim == &claim; });
    if (waits) return {it->first.first, it->first.second, false};
  }
  const auto range =
      std::ranges::find_if(ranges_, [&](const Range& r) { return r.claim == &claim; });
  PALENA_CHECK(range != ranges_.end());
  return {range->range.durability, std::string(range->range.text), true};
}

void LockTable::SetStampFloor(Owner owner, hlc::HybridTime time) {
  if (const auto it = claims_.find(owner); it != claims_.end()) it->second->stamp_floor = time;
}

bool LockTable::HasWriterUpTo(std::int64_t time_ms, const Queue& queue) {
  const Place& first = queue.places.front();
  return first.is_exclusive && first.claim->is_granted && first.claim->stamp_floor.ms() <= time_ms;
}

bool LockTable::HasWriterUpTo(std::int64_t time_ms, const store::KeyView& key) const {
  const auto it = queues_.find(NameView(key.durability, key.bytes));
  return it != queues_.end() && HasWriterUpTo(time_ms, it->second);
}

bool LockTable::HasWriterUpTo(std::int64_t time_ms, const model::KeyRange& range) const {
  bool has_writer = false;
  const_cast<LockTable*>(this)->ForEachQueueIn(
      range, [&](const Queue& queue) { has_writer |= HasWriterUpTo(time_ms, queue); });
  return has_writer;
}

}  // namespace palena::engine
