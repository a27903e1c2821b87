#pragma once

// HistoryCursor: walks the kept versions of one key after the other, as they are on disk when it is
// made. It only goes forward: the write buffer of `history` (rocks_settings.h) knows no way back.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "hlc/stamp.h"
#include "model/version.h"
#include "rocksdb/db.h"

namespace palena::store {

// What stands for the versions of a key that are not kept any more.
struct TrimmedStub {
  std::int64_t revision = model::kNoRevision;  // of the newest of them
  hlc::HybridTime stamp;                       // of the newest
  hlc::HybridTime first_stamp;                 // of the oldest
};

class HistoryCursor {
 public:
  // Both outlive the cursor. A background walk leaves the block cache to others.
  HistoryCursor(rocksdb::DB& database, rocksdb::ColumnFamilyHandle& history, bool is_background);

  // From here on about this key. `key` must stay valid.
  void SetKey(std::string_view key);

  // All of these: false or nothing also on trouble, see status().
  std::optional<TrimmedStub> ReadStub();
  // The oldest version of at least this revision.
  bool SeekTo(std::int64_t revision);
  // The next; after SeekTo or Next said true.
  bool Next();

  // Where SeekTo or Next has come to; its value is valid until the next move.
  const model::VersionView& version() const { return version_; }
  const base::Status& status() const { return status_; }

 private:
  bool SeekToPlace(std::int64_t revision);
  // Decodes what the iterator stands on; false when that is not of the key.
  bool Load();

  const std::unique_ptr<rocksdb::Iterator> at_;
  std::string_view key_;
  std::string place_;  // scratch
  std::size_t prefix_bytes_ = 0;
  model::VersionView version_;
  bool is_stub_ = false;
  base::Status status_;
};

}  // namespace palena::store
