#pragma once

// Status: an expected failure at a boundary (a disk, a socket, a flag, a frame).
//
// Kinds of failure never mix. A bug ends the process (check.h). A script author's mistake is a
// model::ScriptError. A key that is absent is a value. What is left, is a Status, and its message
// names the offending value and the way out.
//
// This header is the only door to absl's status types.

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace palena::base {

using Status = absl::Status;
using StatusCode = absl::StatusCode;
template <typename T>
using StatusOr = absl::StatusOr<T>;

inline Status Ok() {
  return absl::OkStatus();
}

}  // namespace palena::base

// Leaves the function with the status when it is not OK.
#define PALENA_RETURN_IF_ERROR(expression)                                          \
  do {                                                                              \
    if (::palena::base::Status palena_status = (expression); !palena_status.ok()) { \
      return palena_status;                                                         \
    }                                                                               \
  } while (false)

#define PALENA_CONCAT_INNER(a, b) a##b
#define PALENA_CONCAT(a, b) PALENA_CONCAT_INNER(a, b)

// `PALENA_ASSIGN_OR_RETURN(auto x, F())`: x is the value, or the function ends with the status.
#define PALENA_ASSIGN_OR_RETURN(lhs, expression) \
  PALENA_ASSIGN_OR_RETURN_INNER(PALENA_CONCAT(palena_status_or_, __LINE__), lhs, expression)
#define PALENA_ASSIGN_OR_RETURN_INNER(holder, lhs, expression) \
  auto holder = (expression);                                  \
  if (!holder.ok()) return std::move(holder).status();         \
  lhs = *std::move(holder)
