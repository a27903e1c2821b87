#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hlc/stamp.h"
#include "store/commit_log.h"
#include "store/table.h"

namespace palena::engine {

// How far the commit log has come. Written by the log's thread, read by every shard.
class Watermark {
 public:
  void Advance(store::Sequence sequence, hlc::HybridTime bound) {
    sequence_.store(sequence);
    bound_.store(bound.packed);
  }
  store::Sequence sequence() const { return sequence_.load(); }
  hlc::HybridTime bound() const { return {bound_.load()}; }

 private:
  std::atomic<store::Sequence> sequence_{0};
  std::atomic<std::uint64_t> bound_{0};
};

// "Visible is not yet durable": which entries of a shard were written by runs whose commit is still
// on its way to disk, and what waits for it. An entry carries the highest sequence that its writer
// depended on, also an ephemeral one; it is pinned until that is durable. Empty, and one test, when
// nothing is on its way. Belongs to the shard's thread.
template <typename Waiter>
class DurabilityGate {
 public:
  DurabilityGate(const Watermark& watermark, store::Table& table)
      : watermark_(watermark), table_(table) {}

  // The highest sequence that a reader of this entry depends on; 0 when all is durable.
  store::Sequence DependencyOf(const store::Entry* entry) const {
    if (pending_.empty()) return 0;
    const auto it = pending_.find(const_cast<store::Entry*>(entry));
    return it == pending_.end() ? 0 : it->second;
  }

  // `entry` was written by a run that depends on `sequence`.
  void Track(store::Entry& entry, store::Sequence sequence) {
    if (sequence <= watermark_.sequence()) return;
    const auto [it, is_new] = pending_.try_emplace(&entry, sequence);
    if (is_new) table_.Pin(entry);
    it->second = sequence;
    order_.emplace_back(sequence, &entry);
  }

  bool Covers(store::Sequence sequence, hlc::HybridTime stamp) const {
    return sequence <= watermark_.sequence() && stamp <= watermark_.bound();
  }

  void Hold(store::Sequence sequence, hlc::HybridTime stamp, Waiter waiter) {
    held_.push_back({sequence, stamp, std::move(waiter)});
  }
  bool HasWork() const { return !held_.empty() || !order_.empty(); }
  std::size_t held() const { return held_.size(); }

  // Forgets what has become durable; hands out, in the order they came, the waiters it covers.
  std::vector<Waiter> TakeCovered() {
    Forget();
    std::vector<Waiter> covered;
    std::size_t kept = 0;
    for (Held& h : held_) {
      if (Covers(h.sequence, h.stamp)) {
        covered.push_back(std::move(h.waiter));
      } else if (Held& place = held_[kept++]; &place != &h) {
        place = std::move(h);
      }
    }
    held_.resize(kept);
    return covered;
  }

 private:
  struct Held {
    store::Sequence sequence = 0;
    hlc::HybridTime stamp;
    Waiter waiter;
  };

  void Forget() {
    const store::Sequence durable = watermark_.sequence();
    while (!order_.empty() && order_.front().first <= durable) {
      const auto it = pending_.find(order_.front().second);
      // The same entry may have been written again since; its last record forgets it.
      if (it != pending_.end() && it->second <= durable) {
        table_.Unpin(*it->first);
        pending_.erase(it);
      }
      order_.pop_front();
    }
  }

  const Watermark& watermark_;
  store::Table& table_;
  absl::flat_hash_map<store::Entry*, store::Sequence> pending_;
  std::deque<std::pair<store::Sequence, store::Entry*>> order_;
  std::vector<Held> held_;
};

}  // namespace palena::engine
