#include "app/cli_batch_line.h"

#include <utility>

namespace palena::app {

std::variant<BatchRequest, std::string> ParseBatchLine(std::string_view line) {
  return wire::ParseRequestJson(line);
}

Result MalformedLine(std::string reason) {
  Result result;
  result.type = ResultType::kInvalidInput;
  result.code = "MALFORMED";
  result.reason = "Malformed line: " + std::move(reason);
  result.applied = Applied::kNo;
  return result;
}

}  // namespace palena::app
