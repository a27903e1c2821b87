#pragma once

// What a committed run did to persistent keys: self-contained, so that replaying effects in order
// gives the same store anywhere. Scripts are never logged.

#include <cstdint>
#include <string>
#include <vector>

#include "hlc/stamp.h"
#include "model/durability.h"
#include "model/version.h"

namespace palena::model {

// The new head of one key, whole. When `superseded` holds a value or a deletion mark, that version
// moves to the key's history (the caller leaves it kAbsent for versions that history does not keep,
// and when only the head's expiry changed).
struct Effect {
  Durability durability = Durability::kPersistent;
  std::string key;
  Version head;
  Version superseded;
};

struct Commit {
  hlc::Stamp stamp;
  std::vector<Effect> effects;
};

}  // namespace palena::model
