#pragma once

#include <string>

#include "base/read_file.h"
#include "script/rewrite.h"

namespace palena::limits {

enum class Keys { kEphemeral, kPersistent };

// `source` for the keys that are meant.
inline std::string ScriptFor(const std::string& source, Keys keys) {
  return keys == Keys::kEphemeral ? source : script::RewriteEphemeralToPersistent(source);
}

// scripts/limits/NAME.pal
inline std::string LimiterSource(const std::string& name) {
  return base::ReadFile(std::string(PALENA_SOURCE_DIR) + "/scripts/limits/" + name + ".pal");
}

}  // namespace palena::limits
