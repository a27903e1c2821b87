#pragma once

#include <utility>
#include <variant>

#include "base/check.h"
#include "model/result.h"

namespace palena::model {

// A T, or the script author's mistake. The script stages hand these on; nothing throws.
template <typename T>
class ScriptOr {
 public:
  ScriptOr(T value) : held_(std::move(value)) {}            // NOLINT: implicit on purpose
  ScriptOr(ScriptError error) : held_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return held_.index() == 0; }
  const ScriptError& error() const {
    PALENA_CHECK(!ok());
    return std::get<1>(held_);
  }
  T& operator*() {
    PALENA_CHECK(ok());
    return std::get<0>(held_);
  }
  const T& operator*() const {
    PALENA_CHECK(ok());
    return std::get<0>(held_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

 private:
  std::variant<T, ScriptError> held_;
};

}  // namespace palena::model
