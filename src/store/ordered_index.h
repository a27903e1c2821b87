#pragma once

// OrderedIndex: the keys of one key space in order, so that a bucket or a prefix is found without a
// look at any other key. Two B-trees of 32-bit handles:
//
//   by key     all entries, in byte order: a prefix is one run of neighbours
//   by bucket  entries whose key has a '/', by the part before the last one, then in byte order: a
//              bucket is one run, however many keys lie in the buckets inside it
//
// One tree would not do: in byte order a bucket is torn apart by its sub-buckets, and in bucket
// order a prefix is. An entry is inserted and erased with its key, and not touched in between.

#include <cstddef>
#include <string_view>

#include "absl/container/btree_set.h"
#include "absl/functional/function_ref.h"
#include "absl/types/compare.h"
#include "model/key_range.h"
#include "store/entry.h"
#include "store/entry_pool.h"

namespace palena::store {

class OrderedIndex {
 public:
  explicit OrderedIndex(const EntryPool& pool)
      : pool_(pool), by_key_(KeyOrder{&pool}), by_bucket_(BucketOrder{&pool}) {}
  OrderedIndex(const OrderedIndex&) = delete;
  OrderedIndex& operator=(const OrderedIndex&) = delete;

  // The key must not be there yet. The logarithm of the entries, each a look at another key.
  void Insert(const Entry& entry);
  void Erase(const Entry& entry);

  // In byte order of the keys, until `visit` says false; it must not insert or erase.
  void ForEachIn(const model::KeyRange& range, absl::FunctionRef<bool(Entry&)> visit) const;

  // What the entry of a key costs here, in a tree whose nodes are half empty.
  static std::size_t BytesFor(std::string_view key) {
    return kBytesPerHandle * (HasBucket(key) ? 2 : 1);
  }
  // Sum of BytesFor over all entries.
  std::size_t bytes() const { return kBytesPerHandle * (by_key_.size() + by_bucket_.size()); }

 private:
  static constexpr std::size_t kBytesPerHandle = 8;

  static bool HasBucket(std::string_view key) { return key.find('/') != key.npos; }

  // The places of the first key that a range can hold.
  struct FirstOfPrefix {
    std::string_view prefix;
  };
  struct FirstOfBucket {
    std::string_view bucket;
  };

  // Of three ways, so that a node is searched with one comparison a step.
  struct KeyOrder {
    using is_transparent = void;
    const EntryPool* pool;

    std::string_view KeyAt(EntryHandle handle) const { return pool->At(handle).key(); }
    absl::weak_ordering operator()(EntryHandle a, EntryHandle b) const;
    absl::weak_ordering operator()(EntryHandle a, FirstOfPrefix b) const;
    absl::weak_ordering operator()(FirstOfPrefix a, EntryHandle b) const;
  };
  struct BucketOrder {
    using is_transparent = void;
    const EntryPool* pool;

    std::string_view KeyAt(EntryHandle handle) const { return pool->At(handle).key(); }
    absl::weak_ordering operator()(EntryHandle a, EntryHandle b) const;
    absl::weak_ordering operator()(EntryHandle a, FirstOfBucket b) const;
    absl::weak_ordering operator()(FirstOfBucket a, EntryHandle b) const;
  };

  const EntryPool& pool_;
  absl::btree_set<EntryHandle, KeyOrder> by_key_;
  absl::btree_set<EntryHandle, BucketOrder> by_bucket_;
};

}  // namespace palena::store
