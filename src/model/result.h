#pragma once

// What a run answers: the nouns of language.md 0 and of the wire's Result.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hlc/stamp.h"
#include "model/version.h"

namespace palena::model {

// One row per result type: enumerator, name on the command line, number on the wire.
#define PALENA_RESULT_TYPES(X)            \
  X(kSet, "set", 0)                       \
  X(kNotSet, "not_set", 1)                \
  X(kExtended, "extended", 2)             \
  X(kGet, "get", 3)                       \
  X(kDeleted, "deleted", 4)               \
  X(kExists, "exists", 10)                \
  X(kErrored, "errored", 99)              \
  X(kInvalidInput, "invalid_input", 100)  \
  X(kMustRetry, "must_retry", 101)        \
  X(kAborted, "aborted", 102)             \
  X(kDoesNotExist, "does_not_exist", 103) \
  X(kAdmissionRefused, "admission_refused", 108)

enum class ResultType : std::uint8_t {
#define X(name, text, number) name = number,
  PALENA_RESULT_TYPES(X)
#undef X
};

// One row per refusal: enumerator, text of "code", number on the wire, the type it comes with.
#define PALENA_CODES(X)                                    \
  X(kNone, "", 0, kGet)                                    \
  X(kSyntax, "SYNTAX", 1, kErrored)                        \
  X(kRuntime, "RUNTIME", 2, kErrored)                      \
  X(kThrown, "THROWN", 3, kErrored)                        \
  X(kLimit, "LIMIT", 4, kErrored)                          \
  X(kTooLarge, "TOO_LARGE", 5, kInvalidInput)              \
  X(kMalformed, "MALFORMED", 6, kInvalidInput)             \
  X(kUnknownProgram, "UNKNOWN_PROGRAM", 7, kInvalidInput)  \
  X(kUnauthenticated, "UNAUTHENTICATED", 8, kInvalidInput) \
  X(kConflict, "CONFLICT", 9, kAborted)                    \
  X(kLockTimeout, "LOCK_TIMEOUT", 10, kAborted)            \
  X(kTimeout, "TIMEOUT", 11, kAborted)                     \
  X(kRolledBack, "ROLLED_BACK", 12, kAborted)              \
  X(kSnapshotWrite, "SNAPSHOT_WRITE", 13, kAborted)        \
  X(kOverloaded, "OVERLOADED", 14, kMustRetry)             \
  X(kDraining, "DRAINING", 15, kMustRetry)                 \
  X(kAdmission, "ADMISSION", 16, kAdmissionRefused)        \
  X(kOutOfMemory, "OUT_OF_MEMORY", 17, kErrored)           \
  X(kNoSpace, "NO_SPACE", 18, kErrored)                    \
  X(kCorruption, "CORRUPTION", 19, kErrored)

enum class Code : std::uint8_t {
#define X(name, text, number, type) name = number,
  PALENA_CODES(X)
#undef X
};

enum class Applied : std::uint8_t { kYes = 0, kNo = 1, kUnknown = 2 };

std::string_view ResultTypeName(ResultType type);
std::string_view CodeName(Code code);
// The type that a refusal of this code is reported with.
ResultType TypeOfCode(Code code);
std::string_view AppliedName(Applied applied);

// A failed run or a refused request. `line` is 0 when no line is to blame. `message` carries no
// line; ToReason() adds it.
struct ScriptError {
  Code code = Code::kRuntime;
  std::string message;
  int line = 0;
  std::string parameter;  // "@name" when the offending value came straight from a parameter

  // "<message> at line N (@name)"; without a line, the message alone.
  std::string ToReason() const;
};

struct ResultValue {
  std::string key;  // of reads and writes; empty for computed values
  bool is_null = true;
  Value value;  // when not null
  std::int64_t revision = kNoRevision;
  std::int64_t expires_ms = kNoExpiry;
  std::int64_t last_modified_ms = 0;
};

struct Result;

// What the programs of a run of several answered, beside the verdict that is the Result itself:
// applied, refused (type get, no code, not applied), or failed.
struct ManyResults {
  std::vector<Result> calls;      // one per call, as if it had been alone; none after a failure
  std::vector<Result> otherwise;  // one per call of that list, when it was run
  // Places in `calls` of the required ones whose first value was not 1, ascending.
  std::vector<std::uint32_t> refused;
  // After a failure: the call that failed, by its place among the calls and, counting on, those of
  // the other list. −1 when it was none in particular.
  std::int32_t failed = -1;
};

struct Result {
  ResultType type = ResultType::kGet;
  Code code = Code::kNone;
  Applied applied = Applied::kYes;
  bool truncated = false;
  int line = 0;
  absl::InlinedVector<ResultValue, 1> values;
  std::string reason;
  hlc::Stamp stamp;
  std::optional<ManyResults> many;  // of a run of several programs; `values` is empty then

  // Whether the first value is 1, the integer or its text: what a required call has to answer.
  bool IsPass() const {
    return !values.empty() && !values[0].is_null && values[0].value.view().TextEquals("1");
  }
  // As if new, with the memory of a small result kept.
  void Clear();
  // A failure: type, code, reason and line from `error`, nothing applied, no values.
  static Result Failure(const ScriptError& error);
};

}  // namespace palena::model
