#pragma once

// What the command line prints as JSON beside results (wire/result_json.h): one line each.

#include <string>
#include <utility>
#include <vector>

namespace palena::app {

// {"name":"value",…} in the order given. Values that are integers come as numbers.
std::string MetricsJson(const std::vector<std::pair<std::string, std::string>>& metrics);

}  // namespace palena::app
