#pragma once

// The conformance cases: scripts with the answers that the language owes them, one JSON object a
// line in cases.jsonl. Keys are unique to their case, so one node can serve all cases in any order.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace palena::conformance {

// What a step must answer; what is absent is not asserted.
struct Expectation {
  std::string type;                       // as on the command line: "get", "errored", …
  std::optional<std::string> value = {};  // text of the first value = {}; "" is also null
  std::optional<std::vector<std::string>> values = {};  // text of all values, in order
  std::optional<std::int64_t> revision = {};            // of the first value, -1 when there is none
  std::optional<std::string> reason_contains = {};
};

struct Step {
  std::int64_t sleep_ms = 0;  // how much time passes before the script runs
  std::string script;
  std::vector<std::pair<std::string, std::string>> parameters;  // names with '@'
  Expectation expect;
};

struct Case {
  std::string id;  // unique: "operators-002"
  std::string group;
  std::string note;
  std::vector<Step> steps;  // at least one, run in order
};

// The cases of a text in the format of cases.jsonl. An error names the line, and the field that is
// missing, of the wrong kind or unknown: an expectation that nobody checks must not pass.
base::StatusOr<std::vector<Case>> ParseCases(std::string_view jsonl);
base::StatusOr<std::vector<Case>> LoadCases(const std::string& path);

}  // namespace palena::conformance
