#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hlc/stamp.h"
#include "model/key_range.h"
#include "store/key.h"

namespace palena::engine {

class Run;

// The locks on one shard's keys and ranges of keys, for runs of the general path. Belongs to the
// shard's thread. Keys nobody locks cost nothing: the table is empty then.
//
// A run asks for all that it wants of a shard in one claim, which is granted as a whole or waits as
// a whole: while it waits it holds nothing of this shard. It visits shards in ascending order. So
// whoever waits, waits for claims of this shard that came before, or for runs that have gone on to
// a higher shard, and nobody waits in a circle.
//
// A claim waits behind every conflicting claim that came before it, granted or not, so a stream of
// readers does not starve a writer; one of higher priority goes before those that still wait.
//
// Ranges are only ever shared, so a range conflicts with exclusive claims on keys inside it. It
// stands in the queue of each such key, as a reader of it would.
class LockTable {
 public:
  // Names a run on every shard that it visits, and never another one.
  using Owner = std::uint64_t;

  struct KeyWish {
    store::KeyView key;
    bool is_exclusive = false;
  };
  struct Wishes {
    std::span<const KeyWish> keys;  // distinct
    std::span<const model::KeyRange> ranges;
    int priority = 0;  // higher goes first
    bool empty() const { return keys.empty() && ranges.empty(); }
  };

  LockTable();
  ~LockTable();
  LockTable(const LockTable&) = delete;
  LockTable& operator=(const LockTable&) = delete;

  bool empty() const { return claims_.empty(); }
  // Somebody holds or awaits this key, or a range around it.
  bool IsClaimed(const store::KeyView& key) const;

  // True: granted now. False: waiting; `run` will be among those that a Release hands back. An
  // owner has one claim at a time.
  bool Claim(Owner owner, Run* run, const Wishes& wishes);
  // Gives up a claim, granted or not; an owner without one is fine. Appends the runs that were
  // granted by this to `granted`.
  void Release(Owner owner, std::vector<Run*>& granted);

  // What a claim that waits is waiting for: a key or range of it with somebody in its way.
  struct Obstacle {
    model::Durability durability = model::Durability::kEphemeral;
    std::string text;
    bool is_range = false;
  };
  Obstacle ObstacleOf(Owner owner) const;

  // What a claim's run writes will be stamped at `time` or later. Until it is said, a claim's stamp
  // lies in the future.
  void SetStampFloor(Owner owner, hlc::HybridTime time);
  // Whether a granted exclusive claim may still write a version with a stamp of `time_ms` or less.
  bool HasWriterUpTo(std::int64_t time_ms, const store::KeyView& key) const;
  bool HasWriterUpTo(std::int64_t time_ms, const model::KeyRange& range) const;

 private:
  struct ClaimState;
  struct Place {
    ClaimState* claim;
    bool is_exclusive;
  };
  // The claims on one key: those that may hold it, then those that wait.
  struct Queue {
    std::deque<Place> places;
    std::size_t admitted = 0;   // so many at the front conflict with nobody before them
    std::size_t from_keys = 0;  // places that are not there for a range
  };
  using Name = std::pair<model::Durability, std::string>;
  using NameView = std::pair<model::Durability, std::string_view>;
  struct Before {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return NameView(a.first, a.second) < NameView(b.first, b.second);
    }
  };
  using Queues = std::map<Name, Queue, Before>;
  struct Range {
    model::KeyRange range;  // of claim's text
    ClaimState* claim;
  };

  Queues::iterator QueueOf(const store::KeyView& key);
  template <typename Visit>
  void ForEachQueueIn(const model::KeyRange& range, Visit visit);
  static void Join(Queue& queue, ClaimState* claim, bool is_exclusive);
  static void AdmitNext(Queue& queue, std::vector<Run*>* granted);
  static bool Leave(Queue& queue, const ClaimState* claim, std::vector<Run*>& granted);
  static bool HasWriterUpTo(std::int64_t time_ms, const Queue& queue);
  void AddRange(const model::KeyRange& range, ClaimState* claim);
  void RemoveRanges(const ClaimState* claim, std::vector<Run*>& granted);

  Queues queues_;
  std::vector<Range> ranges_;  // of all claims
  absl::flat_hash_map<Owner, std::unique_ptr<ClaimState>> claims_;
};

}  // namespace palena::engine
