#pragma once

#include <cstddef>
#include <memory>

#include "base/capacities.h"
#include "base/executor.h"
#include "store/commit_log.h"

namespace palena::store {

// The same log without a disk: passes the same contract tests. "Durable" means that the writer
// executor has processed the batch, so tests decide when by running that executor.
std::unique_ptr<CommitLog> MakeMemoryCommitLog(base::Executor& writer,
                                               std::size_t commits_per_batch = base::kUnbounded);

}  // namespace palena::store
