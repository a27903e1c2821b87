#pragma once

#include <memory>
#include <string>

#include "base/executor.h"
#include "base/status.h"
#include "store/commit_log.h"

namespace palena::store {

struct RocksCommitLogOptions {
  std::string directory;  // created when missing (one level)
  std::size_t block_cache_bytes = std::size_t{64} << 20;
};

// Opens (or creates) the data directory. `writer` is where batches are written and the listener is
// called; it must outlive the log. Errors, each one line that names the directory and the way out:
// FailedPrecondition when another process has it open, PermissionDenied when it cannot be written,
// DataLoss when it is damaged, InvalidArgument when its format is not ours.
//
// On disk: column families `default` (unused), `latest` (key → head), `history` (key, revision →
// superseded version), `meta` (format version, clock bound, last sequence).
base::StatusOr<std::unique_ptr<CommitLog>> OpenRocksCommitLog(const RocksCommitLogOptions& options,
                                                              base::Executor& writer);

}  // namespace palena::store
