#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace palena::limits {

// One `name = value` of the file.
struct Setting {
  enum class Kind : std::uint8_t { kText, kInteger, kBoolean };
  std::string name;
  Kind kind = Kind::kText;
  std::string text;  // of a text itself; of the others as a script would write them: 10, true
  int line = 0;
};

// One [limits.NAME].
struct LimitDefinition {
  std::string name;
  int line = 0;
  std::vector<Setting> settings;  // in the order of the file, names distinct

  // Null when there is none of this name.
  const Setting* Find(std::string_view setting) const;
};

// What a file of limits says, not judged yet.
struct LimitsDocument {
  std::string file;  // as it was named
  std::optional<Setting> limiters;
  std::vector<LimitDefinition> limits;  // in the order of the file
};

// "FILE:LINE: WHY" as an InvalidArgument.
base::Status WrongAt(const std::string& file, int line, const std::string& why);

// Reads TOML. InvalidArgument, one line as above, for what is no TOML, or holds something else than
// `limiters` and tables [limits.NAME] of texts, whole numbers and booleans.
base::StatusOr<LimitsDocument> ParseLimitsDocument(std::string_view text, const std::string& file);

}  // namespace palena::limits
