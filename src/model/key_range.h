#pragma once

// Many keys by name: a bucket or a prefix of one key space (language.md 6.6).

#include <cstdint>
#include <string_view>

#include "model/durability.h"

namespace palena::model {

enum class RangeKind : std::uint8_t {
  kBucket,  // the keys whose part before the last '/' is the text
  kPrefix,  // the keys that begin with the text
};

// Refers to bytes of somebody else.
struct KeyRange {
  Durability durability = Durability::kEphemeral;
  RangeKind kind = RangeKind::kPrefix;
  std::string_view text;

  // Of a key of the same key space.
  bool Contains(std::string_view key) const {
    if (!key.starts_with(text)) return false;
    if (kind == RangeKind::kPrefix) return true;
    return key.size() > text.size() && key.rfind('/') == text.size();
  }
};

}  // namespace palena::model
