#pragma once

// Entry: the resident state of one key. One block of memory: a header of 61 bytes, then the bytes
// of the key. An integer value lives in the header, so that updating a counter allocates nothing;
// a byte value has a block of its own (value_block.h).
//
//    0  value word: the integer, or the address of the value block, or (kAbsent) keep-until ms
//    8  revision            16  expiry ms        24  stamp        32  newest superseded version
//   40  wheel: next, prev   48  low hash bits    52  last use     56  key size and pins
//   60  kind, flags         61  key bytes …
//
// Entries are made by an EntryPool and have stable addresses. Links between entries are 32-bit
// handles of that pool: at a million counters this header is what memory goes to, and two links
// and an index slot of 8 bytes each would cost a fifth more.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hlc/stamp.h"
#include "model/durability.h"
#include "model/version.h"
#include "store/key.h"
#include "store/value_block.h"

namespace palena::store {

// Names an entry within its pool; kNoEntry names none.
using EntryHandle = std::uint32_t;
inline constexpr EntryHandle kNoEntry = 0;

class Entry {
 public:
  explicit Entry(const KeyView& key);
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  std::string_view key() const { return {key_start_, key_bytes_}; }
  model::Durability durability() const { return durability_; }
  model::VersionKind kind() const { return kind_; }
  std::int64_t revision() const { return revision_; }
  std::int64_t expires_ms() const { return expires_ms_; }
  hlc::HybridTime stamp() const { return stamp_; }
  bool is_integer() const { return is_integer_; }
  // Must stay in memory: a run refers to it, or its head is not durable yet.
  bool is_pinned() const { return pins_ != 0; }

  model::ValueView value() const {
    if (is_integer_) return model::ValueView::Integer(value_word_);
    const bool has_value = kind_ == model::VersionKind::kValue;
    return model::ValueView::Bytes(ValueBlock::View(has_value ? block() : nullptr));
  }

  // Bytes of an entry with a key of this size, value block not included.
  static constexpr std::size_t BytesFor(std::size_t key_bytes);

 private:
  friend class EntryIndex;
  friend class EntryPool;
  friend class Table;
  friend class TimingWheel;

  // When the value is no integer and the kind is kValue or kDeletion (null then).
  ValueBlock* block() const { return reinterpret_cast<ValueBlock*>(value_word_); }

  static constexpr std::size_t kHeaderBytes = 61;
  static constexpr std::uint32_t kPinsMax = (1U << 21) - 1;

  std::int64_t value_word_ = 0;
  std::int64_t revision_ = model::kNoRevision;
  std::int64_t expires_ms_ = model::kNoExpiry;
  hlc::HybridTime stamp_;
  std::uint64_t history_ = 0;  // HistoryRing::Position
  EntryHandle wheel_next_ = kNoEntry;
  EntryHandle wheel_prev_ = kNoEntry;  // kNoEntry: not in the wheel
  std::uint32_t hash_;
  std::uint32_t last_use_ = 0;
  std::uint32_t key_bytes_ : 11;
  std::uint32_t pins_ : 21;
  model::VersionKind kind_ : 2;
  bool norev_ : 1;
  bool is_integer_ : 1;
  model::Durability durability_ : 1;
  char key_start_[3];  // the key starts in what would be padding and runs on behind the struct

  friend model::VersionView HeadOf(const Entry& entry);
};

constexpr std::size_t Entry::BytesFor(std::size_t key_bytes) {
  const std::size_t bytes = kHeaderBytes + key_bytes;
  return bytes <= sizeof(Entry) ? sizeof(Entry) : (bytes + 7) & ~std::size_t{7};
}

// The head version of an entry; valid until the next Install on it or until it is removed.
inline model::VersionView HeadOf(const Entry& entry) {
  return {entry.kind_,       entry.norev_, entry.revision_,
          entry.expires_ms_, entry.stamp_, entry.value()};
}

}  // namespace palena::store
