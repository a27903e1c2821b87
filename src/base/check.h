#pragma once

// PALENA_CHECK: a condition that only a bug in this program can break. It stays on in release
// builds and ends the process with file, line and condition. Never use it on outside input.

namespace palena::base {

[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);

}  // namespace palena::base

#define PALENA_CHECK(condition)                        \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::palena::base::CheckFailed(__FILE__, __LINE__, #condition))
