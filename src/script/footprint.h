#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/durability.h"

namespace palena::script {

// A place in a program's footprint: the way a program and its host name a key.
using KeySlot = std::uint16_t;

enum class KeyKind : std::uint8_t { kPoint, kBucket, kPrefix };

// A key (bucket, prefix) that a run of the program may touch. Same durability, kind and text: same
// slot. Two slots may still turn out to name one key when a parameter says so; hosts handle that.
struct FootprintKey {
  model::Durability durability = model::Durability::kPersistent;
  KeyKind kind = KeyKind::kPoint;
  bool is_parameter = false;
  bool writes = false;  // set, delete or extend; otherwise the program only reads it
  // Some statement looks at its present head, or reads it `at` a revision, or writes it. False when
  // it is only read as of some time, its own or that of a snapshot block (where no write happens).
  bool reads_now = false;
  bool has_own_as_of = false;   // some statement reads it with an `as of` of its own
  std::string text;             // the key, or "@name"
  std::uint16_t parameter = 0;  // slot, when is_parameter
  int line = 0;                 // of its first occurrence
};

using Footprint = std::vector<FootprintKey>;

}  // namespace palena::script
