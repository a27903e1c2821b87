#pragma once

#include <atomic>
#include <cstdint>

#include "hlc/node_clock.h"
#include "hlc/stamp.h"

namespace palena::hlc {

// The highest stamp that any shard had to give ahead of the clock. Shared by the shards of a node;
// written only when the clock stands still or a shard outruns it, so reading it is cheap.
class StampFloor {
 public:
  HybridTime get() const { return {floor_.load(std::memory_order_acquire)}; }
  void Raise(HybridTime to);

 private:
  std::atomic<std::uint64_t> floor_{0};
};

// Gives the stamps of one shard; belongs to its thread. Order that holds over all shards of a node:
//  - stamps of one shard strictly increase (so those of a key do);
//  - if run A was answered before run B began, A's stamp is smaller.
// The second needs no shared counter: a stamp normally lies at or below the clock's reading, and B
// reads the clock after A was answered. When stamps outrun the clock (a frozen or coarse clock),
// Settle() raises the floor that every later turn starts above.
class ShardClock {
 public:
  // `is_alone`: the node has no other shard, so its own stamps are all the order there is and
  // Settle() has nothing to do.
  ShardClock(const NodeClock& clock, StampFloor& floor, std::uint16_t node, bool is_alone = false)
      : clock_(clock), floor_(floor), node_(node), is_alone_(is_alone) {}

  // A turn of the shard begins: its input has been read. One clock reading serves the whole turn.
  void BeginTurn();
  // The stamp of a run that starts now, in this turn.
  Stamp Next();
  // Every stamp from now on is above `time`: another shard has given or read it.
  void Observe(HybridTime time);
  // No stamp above this was given or observed here yet, and the next one is above it or is a
  // reading of the clock that is not before it.
  HybridTime latest() const { return last_ < reading_ ? reading_ : last_; }
  // Before the answers of this turn leave the shard.
  void Settle();

  // The turn's reading in ms: "now" for expiry when there is no run.
  std::int64_t now_ms() const { return reading_.ms(); }

 private:
  const NodeClock& clock_;
  StampFloor& floor_;
  const std::uint16_t node_;
  const bool is_alone_;
  HybridTime reading_;
  HybridTime last_;
};

}  // namespace palena::hlc
