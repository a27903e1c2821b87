#pragma once

// The store of language.md 7: for each key the list of its versions, oldest first, and beside it
// what one run has written and not committed.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/durability.h"
#include "twin/fault.h"

namespace palena::twin {

struct Key {
  model::Durability durability = model::Durability::kPersistent;
  std::string name;
  friend auto operator<=>(const Key&, const Key&) = default;
};

struct Version {
  std::int64_t revision = -1;
  bool is_mark = false;  // of a deletion
  bool norev = false;
  std::int64_t expires_ms = 0;
  std::int64_t modified_ms = 0;
  std::string value;
};

using Versions = std::vector<Version>;

class Store {
 public:
  // Null for a key never written.
  const Versions* Find(const Key& key) const;
  const std::map<Key, Versions>& keys() const { return keys_; }

  void Commit(const Key& key, const Version& head, Fault planted);
  // Forgets ephemeral keys that have expired, as a node does from time to time: their revisions
  // start again (7.2).
  void Sweep(std::int64_t now_ms);

 private:
  std::map<Key, Versions> keys_;
};

struct SetFlags {
  bool nx = false;
  bool xx = false;
  bool norev = false;
  bool keep_ttl = false;
  std::optional<std::int64_t> expires_ms;
  std::optional<std::string> cmp;
  std::optional<std::int64_t> cmprev;
};

struct Written {
  bool took_effect = false;
  std::optional<Version> head;  // afterwards; nothing for a key never written
};

struct Listed {
  std::string name;
  Version version;
};

struct Listing {
  std::vector<Listed> entries;
  bool truncated = false;
};

// What is asked of a bucket or prefix.
struct Range {
  model::Durability durability = model::Durability::kPersistent;
  std::string name;
  bool is_bucket = false;

  bool Contains(const Key& key, Fault planted) const;
};

// One run's view. Time stands still in it.
class Transaction {
 public:
  Transaction(Store& store, std::int64_t now_ms, Fault planted)
      : store_(store), now_ms_(now_ms), planted_(planted) {}

  std::optional<Version> Get(const Key& key) const;
  std::optional<Version> At(const Key& key, std::int64_t revision) const;
  // Committed data only. Throws Failure (without a line) when the answer was trimmed.
  std::optional<Version> AsOf(const Key& key, std::int64_t time_ms) const;
  Listing List(const Range& range) const;
  Listing ListAsOf(const Range& range, std::int64_t time_ms) const;

  Written Set(const Key& key, std::string value, const SetFlags& flags);
  Written Delete(const Key& key);
  Written Extend(const Key& key, std::int64_t expires_ms);

  bool has_ephemeral_writes() const;
  void Commit();

 private:
  // The newest version, deleted and expired ones included.
  std::optional<Version> Head(const Key& key) const;
  bool IsLive(const std::optional<Version>& head) const;
  bool ConditionsHold(const std::optional<Version>& head, const SetFlags& flags) const;
  bool RevisionHolds(const std::optional<Version>& head, std::int64_t revision) const;
  Written Write(const Key& key, Version version);
  std::vector<Key> KeysIn(const Range& range) const;

  Store& store_;
  std::int64_t now_ms_;
  Fault planted_;
  std::map<Key, Version> own_;
};

}  // namespace palena::twin
