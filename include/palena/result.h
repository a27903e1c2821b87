#pragma once

// palena::Result: the answer of one script run.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace palena {

// Numbers are those of the wire.
enum class ResultType {
  kSet = 0,
  kNotSet = 1,
  kExtended = 2,
  kGet = 3,
  kDeleted = 4,
  kExists = 10,
  kErrored = 99,        // the script failed: `reason` and `line` say how
  kInvalidInput = 100,  // refused before running
  kMustRetry = 101,     // nothing applied, try again
  kAborted = 102,       // nothing applied: timeout, conflict, rollback
  kDoesNotExist = 103,
  kAdmissionRefused = 108,  // nothing applied
};
std::string_view ResultTypeName(ResultType type);  // "get", "set", …

enum class Applied { kYes = 0, kNo = 1, kUnknown = 2 };
std::string_view AppliedName(Applied applied);  // "yes", "no", "unknown"

struct Value {
  std::string key;                    // empty for computed values
  std::optional<std::string> value;   // bytes; null for null and for what a write answers
  std::int64_t revision = -1;         // -1: none
  std::int64_t expires_ms = 0;        // epoch ms; 0: never
  std::int64_t last_modified_ms = 0;  // epoch ms; 0: unknown
};

// Orders runs: ms, then counter, then node.
struct Stamp {
  std::int64_t ms = 0;
  std::uint16_t counter = 0;
  std::uint16_t node = 0;
};

struct Result {
  ResultType type = ResultType::kGet;
  std::string code;  // empty, or which refusal it was: "SYNTAX", "OUT_OF_MEMORY", …
  std::vector<Value> values;
  std::string reason;  // of a failure, for people
  int line = 0;        // of the script; 0: no line is to blame
  Stamp stamp;
  bool truncated = false;  // a bucket or prefix read was cut at its limit
  Applied applied = Applied::kYes;

  // True for answers, false for errored, invalid_input, must_retry, aborted, admission_refused.
  bool ok() const;
  // Text of the first value; empty when there is none or it is null.
  std::string_view text() const;
};

// Parameters of a script: name (with or without '@') and text.
using Parameters = std::vector<std::pair<std::string, std::string>>;

}  // namespace palena
