#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "palena/result.h"
#include "wire/request_json.h"

namespace palena::app {

// One line of `palena batch`.
using BatchRequest = wire::JsonRequest;

std::variant<BatchRequest, std::string> ParseBatchLine(std::string_view line);

// The answer to a line that is no request: invalid_input / MALFORMED.
Result MalformedLine(std::string reason);

}  // namespace palena::app
