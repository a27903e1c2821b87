#pragma once

// Requests as JSON: a line of `palena batch`, a body of HTTP.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "palena/result.h"

namespace palena::wire {

struct JsonRequest {
  std::string script;
  Parameters parameters;        // as text, in the order written
  std::int64_t timeout_ms = 0;  // 0: the default
};

// Whether the member "timeout_ms" is known.
enum class RequestTimeout : bool { kUnknown, kAllowed };

// {"script":…, "params":{"@k":"v", "n":5, "b":true}}: "script" is required; numbers and booleans
// arrive as they are written. For anything else, another member too, a sentence that says what is
// wrong.
std::variant<JsonRequest, std::string> ParseRequestJson(
    std::string_view text, RequestTimeout timeout = RequestTimeout::kUnknown);

// The name of a parameter that is there more than once, be it with '@' and without; empty when each
// is there once.
std::string GivenTwice(const Parameters& parameters);

}  // namespace palena::wire
