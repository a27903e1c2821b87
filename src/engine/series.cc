#include "engine/series.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/limits.h"

namespace palena::engine {

Series::Series() = default;
Series::~Series() = default;

std::optional<model::ScriptError> Series::CheckSizes(const ManyCall& call) {
  if (call.calls.empty()) {
    return model::ScriptError{model::Code::kMalformed, "No calls: at least one is needed", 0, ""};
  }
  const std::size_t longest = std::max(call.calls.size(), call.otherwise.size());
  if (longest <= base::kCallsMax) return std::nullopt;
  return model::ScriptError{
      model::Code::kMalformed,
      absl::StrCat("Too many calls in one list: ", longest, ", at most ", base::kCallsMax), 0, ""};
}

std::optional<model::ScriptError> Series::CheckLast() const {
  const script::Program& program = *members_.back().program;
  if (!program.is_transaction()) return std::nullopt;
  return model::ScriptError{
      model::Code::kMalformed,
      "A `begin` block cannot be one of several calls: write its statements without it", 0, ""};
}

model::Result Series::Failure(const model::ScriptError& error) const {
  if (current_ == kNone) return model::Result::Failure(error);
  const auto place = static_cast<std::size_t>(current_);
  model::ScriptError told = error;
  told.message = IsAmongCalls() ? absl::StrCat("calls[", place, "]: ", error.message)
                                : absl::StrCat("otherwise[", place - calls_, "]: ", error.message);
  model::Result result = model::Result::Failure(told);
  result.many.emplace().failed = current_;
  return result;
}

void Series::Take(model::Result answer) {
  const auto place = static_cast<std::size_t>(current_);
  if (!IsAmongCalls()) {
    results_.otherwise.push_back(std::move(answer));
    return;
  }
  if (members_[place].is_required && !answer.IsPass()) {
    results_.refused.push_back(static_cast<std::uint32_t>(place));
  }
  results_.calls.push_back(std::move(answer));
}

const Series::Member* Series::Next() {
  ++current_;
  has_run_calls_ |= !IsAmongCalls();
  const std::size_t end = IsRefused() || !has_run_calls_ ? members_.size() : calls_;
  if (static_cast<std::size_t>(current_) < end)
    return &members_[static_cast<std::size_t>(current_)];
  is_complete_ = true;
  current_ = kNone;
  return nullptr;
}

model::Result Series::Answer(hlc::Stamp stamp) {
  model::Result answer;
  answer.applied = IsRefused() ? model::Applied::kNo : model::Applied::kYes;
  for (std::vector<model::Result>* list : {&results_.calls, &results_.otherwise}) {
    for (model::Result& result : *list) {
      result.applied = answer.applied;
      result.stamp = stamp;
    }
  }
  answer.many = std::move(results_);
  return answer;
}

}  // namespace palena::engine
