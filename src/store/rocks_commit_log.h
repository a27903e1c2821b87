#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/capacities.h"
#include "base/executor.h"
#include "base/status.h"
#include "store/commit_log.h"

namespace palena::store {

// How long superseded versions of a key stay readable. Whatever one of the two lets go goes, the
// oldest first; a deletion mark is a version like any other. The head always stays.
struct Retention {
  // The newest so many kept versions of each key, its head included; 0: all.
  std::uint64_t revisions_max = 0;
  // A version goes once its successor is older than this; 0: never.
  std::int64_t age_ms = 0;

  bool keeps_all() const { return revisions_max == 0 && age_ms == 0; }
};

struct RocksCommitLogOptions {
  std::string directory;  // created when missing (one level)
  // Opens although commits that had been acknowledged are missing, which is DataLoss otherwise.
  bool accept_data_loss = false;
  std::size_t block_cache_bytes = std::size_t{64} << 20;
  std::size_t commits_per_batch = base::kUnbounded;
  Retention retention = {};
  // Keys and versions that one TrimHistory looks at.
  std::size_t trimmed_per_step = base::Capacities{}.trimmed_per_step;
};

// Opens (or creates) the data directory. `writer` is where batches are written and the listener is
// called; it must outlive the log. Errors, each one line that names the directory and the way out:
//   FailedPrecondition  another process has it open
//   PermissionDenied    cannot be read or written by this user, or is mounted read-only
//   DataLoss            damaged, or acknowledged commits are missing: restore a copy
//   InvalidArgument     not a directory, its parent is missing, or its format is not ours
//   ResourceExhausted   the disk is full
//   Unavailable         other trouble of the disk
//
// On disk: column families `default` (unused), `latest` (key → head), `history` (key, revision →
// superseded version; key → what stands for trimmed ones), `meta` (format version, clock bound,
// last sequence). Beside the database's files, `ACKED`: how far commits had been acknowledged, at
// most a second ago.
base::StatusOr<std::unique_ptr<CommitLog>> OpenRocksCommitLog(const RocksCommitLogOptions& options,
                                                              base::Executor& writer);

}  // namespace palena::store
