#pragma once

// HistoryRing: superseded versions of all ephemeral keys of a shard, in one bounded ring of bytes.
// Appending is a copy to the ring's end, which overwrites the oldest; nothing is freed, searched or
// moved. Each record points back to the previous one of its key; the entry has the newest.
//
// Positions count bytes ever appended and are never used twice, so a position tells by itself
// whether its record is still there: it is while it lies at most one ring length back.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "model/version.h"

namespace palena::store {

class HistoryRing {
 public:
  using Position = std::uint64_t;
  static constexpr Position kNone = 0;
  // Stands for versions that were never let in: nothing is there, as for what was overwritten, but
  // a key that ends in it is known to have had more.
  static constexpr Position kCut = 1;

  // Memory is reserved with the first Append and taken page by page as the ring fills.
  explicit HistoryRing(std::size_t capacity_bytes);

  // Where the version is now. `previous` is the key's newest so far. kCut when the version is
  // larger than the ring: it is not kept, and the older ones of its key are cut off with it, so
  // that none of them passes for its neighbour.
  Position Append(Position previous, const model::VersionView& version);

  struct Record {
    model::VersionView version;  // its value is valid until the next Append
    Position previous;
  };
  // Nothing for kNone, for kCut and for what was overwritten.
  std::optional<Record> Read(Position position) const;

  std::size_t bytes_in_use() const;

 private:
  struct Header;

  const std::size_t capacity_bytes_;
  std::unique_ptr<char[]> bytes_;
  // The end of the newest record. Starts one ring length in, so that neither 0 nor 1 is a position.
  Position end_;
};

}  // namespace palena::store
