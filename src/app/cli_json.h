#pragma once

// The JSON that the command line prints: one line a result, a contract that other tools read.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "palena/result.h"

namespace palena::app {

// {"type":…,"code":…,"values":[…],"reason":…,"line":…,"stamp":{…},"truncated":…,"applied":…},
// without a line break. A value that is not UTF-8 comes as "value_base64"; in keys and reasons,
// which are for people, bytes that are not UTF-8 become U+FFFD.
std::string ResultJson(const Result& result);

// {"name":"value",…} in the order given. Values that are integers come as numbers.
std::string MetricsJson(const std::vector<std::pair<std::string, std::string>>& metrics);

bool IsUtf8(std::string_view bytes);

}  // namespace palena::app
