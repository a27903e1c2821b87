#pragma once

// What the tests of the table share: keys with their hash, heads in one line.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "model/version.h"
#include "store/entry.h"
#include "store/key.h"
#include "store/table.h"

namespace palena::store {

inline KeyView KeyOf(std::string_view bytes,
                     model::Durability durability = model::Durability::kEphemeral) {
  static const base::KeyedHash kHash({1, 2, 3});  // a fixed secret: the same run every time
  return {durability, bytes, kHash(bytes)};
}
inline KeyView PersistentKey(std::string_view bytes) {
  return KeyOf(bytes, model::Durability::kPersistent);
}

struct HeadOptions {
  std::int64_t revision = 0;
  std::int64_t expires_ms = model::kNoExpiry;
  std::int64_t stamp_ms = 0;
  bool norev = false;
};

inline model::VersionView ValueHead(model::ValueView value, const HeadOptions& options = {}) {
  return {model::VersionKind::kValue,
          options.norev,
          options.revision,
          options.expires_ms,
          hlc::HybridTime::FromMs(options.stamp_ms),
          value};
}
inline model::VersionView Number(std::int64_t integer, const HeadOptions& options = {}) {
  return ValueHead(model::ValueView::Integer(integer), options);
}
inline model::VersionView Text(std::string_view bytes, const HeadOptions& options = {}) {
  return ValueHead(model::ValueView::Bytes(bytes), options);
}
inline model::VersionView DeletionMark(const HeadOptions& options) {
  model::VersionView head = ValueHead({}, options);
  head.kind = model::VersionKind::kDeletion;
  return head;
}

// A table and the words that the tests speak.
class TableFixture {
 public:
  explicit TableFixture(const TableOptions& options = {}) : table_(options) {}

  Table& table() { return table_; }
  Entry* Find(const KeyView& key) { return table_.Find(key); }
  Entry& Put(const KeyView& key, const model::VersionView& head) {
    return table_.Install(key, table_.Find(key), head);
  }
  Entry& Put(std::string_view key, const model::VersionView& head) { return Put(KeyOf(key), head); }
  // As the engine writes: asks for room first. False when there is none.
  bool TryPut(const KeyView& key, const model::VersionView& head, std::int64_t now_ms = 0) {
    if (!table_.MakeRoom(table_.GrowthOf(key, table_.Find(key), head), now_ms)) return false;
    Put(key, head);
    return true;
  }
  bool TryPut(std::string_view key, const model::VersionView& head, std::int64_t now_ms = 0) {
    return TryPut(KeyOf(key), head, now_ms);
  }
  bool Has(std::string_view key) { return table_.Find(KeyOf(key)) != nullptr; }
  // "absent", or the text of that version.
  std::string At(std::string_view key, std::int64_t revision) {
    const Entry* entry = table_.Find(KeyOf(key));
    if (entry == nullptr) return "absent";
    const model::VersionView version = table_.VersionAt(*entry, revision);
    return version.kind == model::VersionKind::kAbsent ? "absent" : version.value.ToText();
  }
  // "absent", "trimmed", "deleted", or the text of the version of that time.
  std::string AsOf(const KeyView& key, std::int64_t time_ms) {
    const Entry* entry = table_.Find(key);
    if (entry == nullptr) return "absent";
    const model::VersionView version = table_.VersionAsOf(*entry, time_ms);
    switch (version.kind) {
      case model::VersionKind::kAbsent:
        return "absent";
      case model::VersionKind::kTrimmed:
        return "trimmed";
      case model::VersionKind::kDeletion:
        return "deleted";
      default:
        return version.value.ToText();
    }
  }
  std::string AsOf(std::string_view key, std::int64_t time_ms) { return AsOf(KeyOf(key), time_ms); }
  void SweepAll(std::int64_t now_ms) {
    while (table_.Sweep(now_ms, 1000)) {
    }
  }
  TableStats stats() const { return table_.stats(); }

 private:
  Table table_;
};

// Memory of one small integer key, to size tables by.
inline std::size_t BytesOfNumber(std::string_view key) {
  const Table table({});
  return table.GrowthOf(KeyOf(key), nullptr, Number(0));
}

}  // namespace palena::store
