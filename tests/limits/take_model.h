#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "limits/model.h"

namespace palena::limits {

// What the limiters have in common that answer [allowed, limit, remaining, retry_after_ms,
// reset_at_ms] to a cost.
class TakeModel : public Model {
 protected:
  // Takes the parameters over, for the questions that follow.
  virtual void Configure(const Numbers& numbers) = 0;
  virtual Int limit() const = 0;
  // What is used at `t`, now or later, if nobody takes; a part of a unit counts as a whole one.
  virtual Int Used(const Int& t) const = 0;
  // Takes `cost`, which fits, and writes the state.
  virtual void Charge(const Int& cost, const Int& t) = 0;
  // When all is back; nothing for never.
  virtual std::optional<Int> ResetAt(const Int& t) const;

  std::vector<Int> AnswerInRange(const Call& call, const Numbers& numbers, const Int& t) final;

 private:
  bool Fits(const Int& cost, const Int& t) const { return Used(t) + cost <= limit(); }
};

}  // namespace palena::limits
