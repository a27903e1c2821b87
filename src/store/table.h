#pragma once

// Table: the in-memory map of one shard. Ephemeral keys live here and nowhere else; of persistent
// keys it holds the resident heads (the disk has the rest). Belongs to its shard's thread; no
// locks, no I/O, no clock: every call that needs "now" is told.
//
// Cost: a point operation is one hash lookup. Refreshing an expiry touches no other entry (a timing
// wheel whose slots are re-armed lazily). Superseding an ephemeral version is an append to one
// bounded ring. Nothing grows with the number of keys but the entries.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "model/key_range.h"
#include "model/version.h"
#include "store/entry.h"
#include "store/key.h"

namespace palena::store {

enum class Eviction : std::uint8_t { kNone, kLru };

struct TableOptions {
  std::size_t memory_bytes_max = std::size_t{1} << 30;  // this shard's share
  std::size_t history_bytes = std::size_t{64} << 20;    // ring for superseded ephemeral versions
  Eviction eviction = Eviction::kNone;
};

struct TableStats {
  std::size_t entries = 0;
  std::size_t memory_bytes = 0;          // accounted: entries, values, index, wheel
  std::size_t history_bytes = 0;         // in use of the ring
  std::uint64_t expired_swept = 0;       // dead entries removed by time
  std::uint64_t persistent_evicted = 0;  // durable persistent entries that left memory
  std::uint64_t ephemeral_evicted = 0;   // live ephemeral entries dropped by eviction
  std::uint64_t memory_refusals = 0;     // MakeRoom said no
};

class Table {
 public:
  explicit Table(const TableOptions& options);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // What is known about the key; null when nothing is: for an ephemeral key that means absent, for
  // a persistent one that the disk must be asked. Marks the entry as used for LRU. The pointer
  // stays valid while generation() does not change, or while the entry is pinned.
  Entry* Find(const KeyView& key);

  // Hints that Find(key) is near, so that it finds its memory in the cache; PrefetchEntry some 100
  // ns after PrefetchPlace, Find as long after that. They cost some 10 ns each and change nothing.
  void PrefetchPlace(const KeyView& key) const;
  void PrefetchEntry(const KeyView& key) const;

  // Changes whenever any entry is removed (swept, evicted): what was found before must be found
  // anew.
  std::uint64_t generation() const;

  // Bytes by which memory would grow if `head` became the key's head (0 when it fits in place:
  // integers always do on an existing entry). `known` is what Find said.
  std::size_t GrowthOf(const KeyView& key, const Entry* known,
                       const model::VersionView& head) const {
    const bool stays_integer = known != nullptr && known->is_integer() && head.value.is_integer;
    return stays_integer ? 0 : GrowthOfAnyForm(key, known, head);
  }

  // Makes `growth_bytes` fit under the budget: sweeps the dead, then lets durable, unpinned
  // persistent entries go, then, with kLru, the least recently used unpinned ephemeral ones. False,
  // counted, when that was not enough. 0 always fits. May change generation().
  bool MakeRoom(std::size_t growth_bytes, std::int64_t now_ms);

  // By how many bytes memory may surely grow: a MakeRoom of as much would succeed now, unless pins
  // are in its way. For growth that is decided elsewhere.
  std::size_t Room() const;

  // Makes `head` the key's head, whole, creating the entry when needed, and arms its expiry. An
  // ephemeral head that it supersedes goes to the history ring unless that was `norev`, had the
  // same revision (an extend), or the run jumped over it. Never fails: ask MakeRoom first.
  Entry& Install(const KeyView& key, Entry* known, const model::VersionView& head);

  // What a fetch from disk found (kAbsent when nothing): the resident head of a persistent key.
  // Does nothing when the key became resident meanwhile.
  Entry& Load(const KeyView& key, const model::VersionView& head);

  // Exactly this revision of a resident key, from the head or, for ephemeral keys, the ring;
  // kAbsent when it is not kept or is a deletion. At most base::kVersionsInMemoryMax versions back.
  // The value is valid until the next Install.
  model::VersionView VersionAt(const Entry& entry, std::int64_t revision) const;

  // The version of a resident key that was its newest at `time_ms`: the newest with last-modified
  // at most that, deletion marks included. kAbsent: the key was not there yet. kTrimmed: a version
  // of that time was kept and is not any more (of ephemeral keys; of persistent ones the table
  // knows the head only, and answers kTrimmed for every time before it unless the head is the
  // key's first version). A superseded `norev` version never answers. The value is valid until the
  // next Install.
  model::VersionView VersionAsOf(const Entry& entry, std::int64_t time_ms) const;

  // Shows the resident entries of a range, dead ones and deletion marks too, in byte order of
  // their keys, until `visit` says false. Costs what the range holds, whatever the table holds.
  // `visit` must not change the table, pins excepted.
  void ForEachIn(const model::KeyRange& range, absl::FunctionRef<bool(Entry&)> visit);

  // A pinned entry is neither swept nor evicted: a run refers to it, or its head is not durable
  // yet. Counts.
  void Pin(Entry& entry);
  void Unpin(Entry& entry);

  // Removes entries whose expiry or deletion lies in the past, at most about `budget` of them;
  // true when more are due. Cheap when nothing is due. Tombstones of ephemeral keys go after
  // kDeletionKeptMs.
  bool Sweep(std::int64_t now_ms, std::size_t budget);
  static constexpr std::int64_t kDeletionKeptMs = 60'000;

  TableStats stats() const;

 private:
  std::size_t GrowthOfAnyForm(const KeyView& key, const Entry* known,
                              const model::VersionView& head) const;

  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace palena::store
