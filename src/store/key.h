#pragma once

#include <cstdint>
#include <string_view>

#include "model/durability.h"

namespace palena::store {

// A key and its keyed hash (base::KeyedHash of the bytes, durability not included), computed once
// per run and used for the shard and for the table. Refers to bytes of somebody else.
struct KeyView {
  model::Durability durability = model::Durability::kEphemeral;
  std::string_view bytes;
  std::uint64_t hash = 0;
};

// The shard that owns a hash: its high bits, so that a table's slots (low bits) stay spread.
inline std::uint32_t ShardOf(std::uint64_t hash, std::uint32_t shards) {
  return static_cast<std::uint32_t>(((hash >> 32) * shards) >> 32);
}

}  // namespace palena::store
