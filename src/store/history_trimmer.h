#pragma once

// HistoryTrimmer: finds the superseded versions that a retention no longer keeps. A pass goes over
// all keys in steps of bounded work; what a step finds goes into a batch that the caller writes.
// Of a key the oldest go first, and a stub stays in place of all that went (rocks_format.h), in the
// same batch, so that no reader ever finds a gap where something was.
//
// It asks every key again in every pass, and keeps no list of those that changed, which would grow
// with the keys; two seeks tell that a key has nothing to give.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/status.h"
#include "hlc/stamp.h"
#include "model/version.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "store/history_cursor.h"
#include "store/rocks_commit_log.h"

namespace palena::store {

class HistoryTrimmer {
 public:
  HistoryTrimmer(rocksdb::DB& database, rocksdb::ColumnFamilyHandle& latest,
                 rocksdb::ColumnFamilyHandle& history, const Retention& retention)
      : database_(database), latest_(latest), history_(history), retention_(retention) {}

  // Looks at about `budget` keys and versions, at least one, and adds to `out` what must be
  // deleted. True when the pass goes on; the step after its last begins another. DataLoss or
  // Unavailable when the disk cannot be read, which ends the pass.
  base::StatusOr<bool> Step(std::int64_t now_ms, std::size_t budget, rocksdb::WriteBatch& out);

  std::uint64_t versions_trimmed() const { return versions_trimmed_; }

 private:
  struct Kept {
    std::int64_t revision;
    hlc::HybridTime stamp;
  };
  // How far the key at hand was looked through.
  struct Key {
    std::int64_t next = 0;         // revision to go on from
    hlc::HybridTime first_stamp;   // of the oldest that ever was
    bool has_first = false;        // whether that is known
    std::deque<Kept> window = {};  // the newest ones seen, which may all stay
    std::deque<Kept> gone = {};    // found in this step
  };

  base::StatusOr<bool> Walk(std::size_t budget, rocksdb::WriteBatch& out);
  // True when nothing of the key is left to look at.
  bool LookThrough(const model::VersionView& head, HistoryCursor& cursor, std::size_t& budget);
  void Begin(HistoryCursor& cursor);
  void Finish(const model::VersionView& head);
  // Lets go of what need not stay now that the window, and so many behind it, are known.
  void Release(std::size_t versions_behind);
  bool MayRelease(const model::VersionView& head) const;
  void WriteGone(std::string_view key, rocksdb::WriteBatch& out);

  rocksdb::DB& database_;
  rocksdb::ColumnFamilyHandle& latest_;
  rocksdb::ColumnFamilyHandle& history_;
  const Retention retention_;

  std::string at_;          // the key to go on with, or the end of the one before
  bool is_inside_ = false;  // of that key
  Key key_;
  std::int64_t old_before_ms_ = 0;
  std::uint64_t versions_trimmed_ = 0;
};

}  // namespace palena::store
