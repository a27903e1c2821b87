#pragma once

// Reads of the RocksDB log that are more than one lookup: a key as of a time, many keys at once.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/key_range.h"
#include "model/version.h"
#include "rocksdb/db.h"
#include "store/commit_log.h"

namespace palena::store {

// The newest version in history with a revision below that of `head` and last-modified at most
// `time_ms`, by binary search over the revisions. kAbsent and kTrimmed as CommitLog::ReadAsOf.
base::StatusOr<model::Version> ReadHistoryAsOf(rocksdb::DB& database,
                                               rocksdb::ColumnFamilyHandle& history,
                                               std::string_view key, const model::Version& head,
                                               std::int64_t time_ms);

// As CommitLog::ReadRange.
base::StatusOr<std::vector<KeyedVersion>> ReadHeadsIn(rocksdb::DB& database,
                                                      rocksdb::ColumnFamilyHandle& latest,
                                                      const model::KeyRange& range,
                                                      std::string_view after,
                                                      std::size_t entries_max);

}  // namespace palena::store
