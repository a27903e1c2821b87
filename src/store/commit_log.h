#pragma once

// CommitLog: where persistent effects become durable. The local RocksDB log is the first
// implementation, the in-memory log its twin for tests and for nodes without a data directory; a
// replicated log comes behind the same interface, so nothing above may assume that it is local.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hlc/stamp.h"
#include "model/effect.h"
#include "model/key_range.h"
#include "model/version.h"

namespace palena::store {

// Position in the one order of all commits of a node; dense, from 1. 0: "depends on nothing".
using Sequence = std::uint64_t;

// What the log tells the engine. Called on the log's writer executor; must not block.
class CommitLogListener {
 public:
  virtual ~CommitLogListener() = default;
  // Everything up to `sequence` is durable, and so is the clock bound (stamps handed out may be
  // answered up to it).
  virtual void OnDurable(Sequence sequence, hlc::HybridTime clock_bound) = 0;
  // An append, a sync, or the store below failed. Called once; OnDurable is never called
  // afterwards, and no reply that waits may be sent. The process is expected to end.
  // ResourceExhausted: the disk is full; DataLoss: damaged; Unavailable: anything else.
  virtual void OnFailed(const base::Status& status) = 0;
};

// A key with a version of it.
struct KeyedVersion {
  std::string key;
  model::Version version;
};

// End of life: the owner stops everybody who appends or reads, destroys the log, then its writer
// executor, then the listener. The destructor returns when what was queued is durable and the
// listener knows (or the log had failed, or the executor had stopped by itself).
class CommitLog {
 public:
  virtual ~CommitLog() = default;

  // Before the first Append or RenewClockBound. The listener must outlive the log.
  virtual void SetListener(CommitLogListener* listener) = 0;

  // Queues a commit and returns its sequence at once; any thread. Commits become durable in
  // sequence order, everything in flight from all shards in one synced batch. Sequence order of two
  // commits of one thread is their call order. A batch's bound is never below the stamps in it.
  // After a failure commits still get a sequence, and go nowhere. Every effect is of a persistent
  // key and has a head.
  virtual Sequence Append(model::Commit commit) = 0;
  // Whoever has appended has no more for now: what is queued becomes durable. Does nothing while a
  // batch is being written, so that the next one, too, holds all that there is by then: who still
  // has commits queued starts again when OnDurable has told its end. Any thread.
  virtual void Start() = 0;

  // Asks for a durable clock bound of at least `bound`, in the next batch; any thread. Lower than
  // what is durable or asked for already: nothing happens.
  virtual void RenewClockBound(hlc::HybridTime bound) = 0;

  // The head of a persistent key as of everything durable; kAbsent when there is none. Blocks on
  // disk; any thread but a shard's, unless that is the node's only thread. CORRUPTION comes as
  // DataLoss, other trouble as Unavailable.
  virtual base::StatusOr<model::Version> ReadHead(std::string_view key) = 0;
  // The same as far as memory knows, "there is none" included; nothing when the disk would have to
  // be asked. Some microseconds; never waits for the disk; any thread, a shard's too.
  virtual std::optional<model::Version> PeekHead(std::string_view key) = 0;
  // One superseded version, from the history; kAbsent when it is not kept. Blocks.
  virtual base::StatusOr<model::Version> ReadVersion(std::string_view key,
                                                     std::int64_t revision) = 0;
  // The newest durable version with last-modified at most `time_ms`, deletion marks included, head
  // or history. kAbsent: there was none yet. kTrimmed: it was kept once and is not any more.
  // Blocks; costs the logarithm of the key's versions.
  virtual base::StatusOr<model::Version> ReadAsOf(std::string_view key, std::int64_t time_ms) = 0;
  // The heads of the keys of a persistent range as of everything durable, expired ones and deletion
  // marks too, in byte order, those behind `after` (empty: from the first), at most `entries_max`
  // (fewer: there are no more). Blocks; costs what it answers, and in a bucket also one seek per
  // bucket inside it.
  virtual base::StatusOr<std::vector<KeyedVersion>> ReadRange(const model::KeyRange& range,
                                                              std::string_view after,
                                                              std::size_t entries_max) = 0;

  // Drops superseded versions that the log's retention no longer keeps: one step of a pass over all
  // keys, some milliseconds. Whoever wants history trimmed calls it again and again, at once while
  // it says true, and now and then after a pass has ended (false); a log that keeps everything
  // always says false. `now_ms` is the node's clock. Readers meanwhile find a version or that it
  // was trimmed. Blocks; any thread but a shard's, one at a time. DataLoss or Unavailable: the pass
  // ended early.
  virtual base::StatusOr<bool> TrimHistory(std::int64_t /*now_ms*/) { return false; }

  // What recovery found: the last durable sequence and clock bound (0 for a fresh log).
  virtual Sequence recovered_sequence() const = 0;
  virtual hlc::HybridTime recovered_clock_bound() const = 0;

  // Numbers for `info`: commits, batches (synced writes), and versions that retention let go.
  struct Stats {
    std::uint64_t commits = 0;
    std::uint64_t batches = 0;
    std::uint64_t versions_trimmed = 0;
  };
  virtual Stats stats() const = 0;
};

}  // namespace palena::store
