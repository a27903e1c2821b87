#pragma once

// The door for tests of this room: a log over another environment, so that every fault of a disk
// can be made.

#include <memory>

#include "rocksdb/env.h"
#include "store/rocks_commit_log.h"

namespace palena::store {

struct RocksInternals {
  rocksdb::Env* env = rocksdb::Env::Default();  // must outlive the log
};

base::StatusOr<std::unique_ptr<CommitLog>> OpenRocksCommitLog(const RocksCommitLogOptions& options,
                                                              base::Executor& writer,
                                                              const RocksInternals& internals);

}  // namespace palena::store
