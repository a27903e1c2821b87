#pragma once

// The text form of a value that is not an array, without memory of the run: texts are referred to,
// numbers are written into the object itself. For looking and copying; inside the room only.

#include <string_view>

#include "script/value.h"

namespace palena::script {

class ScalarText {
 public:
  // Not an array. The value's text, if any, must outlive this.
  explicit ScalarText(const Value& value);
  ScalarText(const ScalarText&) = delete;
  ScalarText& operator=(const ScalarText&) = delete;

  std::string_view view() const { return view_; }
  // Does the view die with this object?
  bool is_local() const { return view_.data() == buffer_; }

 private:
  // A sign, 17 digits, a point and "0.000", or the exponent form: at most 24.
  char buffer_[32];
  std::string_view view_;
};

}  // namespace palena::script
