#pragma once

// What the last statement left as the script's answer (language.md 6.9), and how it becomes a
// result.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/result.h"
#include "script/evaluation.h"
#include "script/footprint.h"
#include "script/value.h"

namespace palena::script {

struct Answer {
  model::ResultType type = model::ResultType::kGet;
  bool has_key = false;  // false: a computed value
  KeySlot key = 0;
  std::uint32_t place = 0;  // of the instruction that answered
  // With the revision and expiry to report. Null for writes, `exists` and absent keys. A script
  // that leaves nothing answers an empty text.
  Value value = Value::String("");
  std::int64_t last_modified_ms = 0;
  // A bucket or scan read: `value` is the array of what it found, whose sources are told too.
  bool is_listing = false;

  static Answer Computed(const Value& value, std::uint32_t place) {
    return {model::ResultType::kGet, false, 0, place, value, 0};
  }
  static Answer Listing(const Value& array, std::uint32_t place) {
    const bool is_found = array.array->count != 0;
    return {is_found ? model::ResultType::kGet : model::ResultType::kDoesNotExist,
            false,
            0,
            place,
            array,
            0,
            true};
  }
};

// Whether a result with `bytes` of text surely fits base::kResultBytesMax as encoded; false with
// the failure in `e` ("Result too large: 16777216").
bool FitsResult(Evaluation& e, std::size_t bytes);

// Fills type, values and truncated of `result`. An array gives one value per element, with its key
// only when the read that made it is the answer. False, with
// the failure in `e`, when a value has no text or the result would exceed base::kResultBytesMax as
// encoded (estimated from above), together with the answers of the same run before it.
bool WriteAnswer(Evaluation& e, const Answer& answer, std::string_view key, model::Result& result);

}  // namespace palena::script
