#pragma once

// What the database is told, and what it tells us: settings, and its statuses in our words.

#include <memory>
#include <string>

#include "base/status.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "store/rocks_commit_log.h"

namespace palena::store {

rocksdb::DBOptions MakeDatabaseOptions();
rocksdb::ColumnFamilyOptions MakeFamilyOptions(const RocksCommitLogOptions& options);
// Of `history`, where versions are asked for by key: its write buffer hashes keys, so that the
// version that every commit adds costs no search in an ordered list. An iterator that is to cross
// from key to key must ask for total order, and sorts the write buffer first.
rocksdb::ColumnFamilyOptions MakeHistoryFamilyOptions(const RocksCommitLogOptions& options);

// Why the database does not open; the codes are those of OpenRocksCommitLog.
base::Status DescribeOpenError(const std::string& directory, const rocksdb::Status& status);
// Why a batch was not written, or the database gave up: ResourceExhausted when the disk is full,
// DataLoss when it is damaged, Unavailable otherwise.
base::Status DescribeWriteError(const std::string& directory, const rocksdb::Status& status);
// Why a key could not be read: DataLoss or Unavailable.
base::Status DescribeReadError(std::string_view family, std::string_view key,
                               const rocksdb::Status& status);

}  // namespace palena::store
