#pragma once

// What the statements that talk to the host have in common. Inside the room only.

#include <cstdint>
#include <cstring>
#include <string_view>

#include "script/conversions.h"
#include "script/run_state.h"

namespace palena::script {

constexpr Step StepOf(bool succeeded) {
  return succeeded ? Step::kNext : Step::kFailed;
}

// The step of a host call that was not done.
Step Refused(RunState& run, HostStatus status);

// Fails with "Invalid SET EX expression", with the number if that is what is wrong with it.
bool InvalidArgument(Evaluation& e, std::string_view what, const Value& value);

// A whole number from 0 on, or the failure above.
inline bool NotNegative(Evaluation& e, std::string_view what, const Value& value,
                        std::int64_t& out) {
  const auto number = WholeNumber(value);
  if (!number || *number < 0) return InvalidArgument(e, what, value);
  out = *number;
  return true;
}

// Copies what the host showed: its view does not outlive the next write. Here, as what follows,
// because nearly every decision does it.
inline bool KeepText(Evaluation& e, std::string_view shown, std::string_view& out) {
  char* const copy = e.Allocate(shown.size());
  if (copy == nullptr) return false;
  e.ChargeBytes(shown.size());
  if (!shown.empty()) std::memcpy(copy, shown.data(), shown.size());
  out = {copy, shown.size()};
  return true;
}

inline bool KeepValue(Evaluation& e, const model::ValueView& shown, Value& out) {
  if (shown.is_integer) {
    out = Value::IntegerText(shown.integer);
    return true;
  }
  std::string_view text;
  if (!KeepText(e, shown.bytes, text)) return false;
  out = Value::String(text);
  return true;
}

// The point read or write `i` answers this, if it may be the one that does.
inline void AnswerWith(RunState& run, const Instruction& i, model::ResultType type,
                       const Value& value, std::int64_t last_modified_ms) {
  if ((i.flags & kAnswers) == 0) return;
  run.answer = {type, true, i.b, run.place(), value, last_modified_ms};
}

}  // namespace palena::script
