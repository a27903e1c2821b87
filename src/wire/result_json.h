#pragma once

// Results as JSON: one line each, a contract that other tools read. The command line prints it, and
// so does every door that speaks JSON.

#include <string>
#include <string_view>

#include "palena/result.h"

namespace palena::wire {

// {"type":…,"code":…,"values":[…],"reason":…,"line":…,"stamp":{…},"truncated":…,"applied":…},
// without a line break. A value that is not UTF-8 comes as "value_base64"; in keys and reasons,
// which are for people, bytes that are not UTF-8 become U+FFFD.
std::string ResultJson(const Result& result);

bool IsUtf8(std::string_view bytes);

}  // namespace palena::wire
