#include "limits/take_model.h"

#include <algorithm>

namespace palena::limits {

std::optional<Int> TakeModel::ResetAt(const Int& t) const {
  const auto after = Least([&](const Int& ms) { return Used(t + ms) == 0; });
  if (!after) return std::nullopt;
  return Int(t + *after);
}

std::vector<Int> TakeModel::AnswerInRange(const Call& /*call*/, const Numbers& numbers,
                                          const Int& t) {
  Configure(numbers);
  const Int cost = numbers.at("cost");
  const Int asked = std::max(cost, Int(1));
  const bool is_allowed = Fits(asked, t);
  Int retry_after = 0;
  if (!is_allowed) {
    retry_after = Least([&](const Int& ms) { return Fits(asked, t + ms); }).value_or(Int(-1));
  }
  if (is_allowed && cost > 0) Charge(cost, t);
  const Int remaining = std::max(Int(limit() - Used(t)), Int(0));
  return {is_allowed ? 1 : 0, limit(), remaining, retry_after, ResetAt(t).value_or(Int(-1))};
}

}  // namespace palena::limits
