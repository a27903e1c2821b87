#pragma once

// palena::Status and palena::StatusOr: how the client and the node report what is not an answer of
// a script (no connection, a bad option, a data directory in use). An answer of a script, errors of
// the script included, is a palena::Result (result.h).

#include <optional>
#include <string>
#include <utility>

namespace palena {

enum class StatusCode {
  kOk = 0,
  kInvalidArgument,     // an option or argument; the message names it and what is allowed
  kUnavailable,         // no connection, or it broke: retry
  kDeadlineExceeded,    // no answer in time; whether it was applied is unknown
  kFailedPrecondition,  // data directory in use, node stopped
  kPermissionDenied,    // data directory not writable
  kDataLoss,            // data directory damaged
  kInternal,
};

class Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  // One line, for people; names the offending value.
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// A T or the status that says why there is none. Asking for the value of a failure is undefined;
// check ok() first.
template <typename T>
class StatusOr {
 public:
  StatusOr(T value) : value_(std::move(value)) {}          // NOLINT: implicit on purpose
  StatusOr(Status status) : status_(std::move(status)) {}  // NOLINT: implicit on purpose

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace palena
