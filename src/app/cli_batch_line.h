#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "palena/result.h"

namespace palena::app {

// One line of `palena batch`.
struct BatchRequest {
  std::string script;
  Parameters parameters;  // as text, in the order written
};

// {"script":…, "params":{"@k":"v", "n":5, "b":true}}: "script" is required; numbers and booleans
// arrive as they are written. For anything else, another member too, a sentence that says what is
// wrong.
std::variant<BatchRequest, std::string> ParseBatchLine(std::string_view line);

// The answer to a line that is no request: invalid_input / MALFORMED.
Result MalformedLine(std::string reason);

}  // namespace palena::app
