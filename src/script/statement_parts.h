#pragma once

// What the statements that talk to the host have in common. Inside the room only.

#include <cstdint>
#include <string_view>

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
bool NotNegative(Evaluation& e, std::string_view what, const Value& value, std::int64_t& out);

// Copies what the host showed: its view does not outlive the next write.
bool KeepText(Evaluation& e, std::string_view shown, std::string_view& out);
bool KeepValue(Evaluation& e, const model::ValueView& shown, Value& out);

// The point read or write `i` answers this, if it may be the one that does.
void AnswerWith(RunState& run, const Instruction& i, model::ResultType type, const Value& value,
                std::int64_t last_modified_ms);

}  // namespace palena::script
