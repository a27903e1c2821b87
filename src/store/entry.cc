#include "store/entry.h"

#include <cstring>

#include "base/check.h"
#include "base/limits.h"

namespace palena::store {

Entry::Entry(const KeyView& key)
    : hash_(static_cast<std::uint32_t>(key.hash)),
      key_bytes_(static_cast<std::uint32_t>(key.bytes.size()) & 0x7FF),
      pins_(0),
      kind_(model::VersionKind::kAbsent),
      norev_(false),
      is_integer_(false),
      durability_(key.durability) {
  static_assert(sizeof(Entry) == 64 && offsetof(Entry, key_start_) == kHeaderBytes);
  PALENA_CHECK(key.bytes.size() <= base::kKeyBytesMax);
  char* const start = key_start_;
  std::memcpy(start, key.bytes.data(), key.bytes.size());
}

}  // namespace palena::store
