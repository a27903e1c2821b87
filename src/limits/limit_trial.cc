#include "limits/limit_trial.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "limits/limiter_answer.h"
#include "limits/scratch_node.h"

namespace palena::limits {
namespace {

constexpr const char* kShape =
    "a limiter answers [allowed, limit, remaining, retry_after_ms, reset_at_ms], whole numbers";

class Trial {
 public:
  Trial(const Limit& limit, ScratchNode& node) : limit_(limit), node_(node) {}

  base::StatusOr<TrialOutcome> Run() {
    PALENA_ASSIGN_OR_RETURN(const LimiterAnswer peek, Take("peeked", 0, ""));
    PALENA_RETURN_IF_ERROR(CheckUntouched("peeked"));
    PALENA_RETURN_IF_ERROR(Take("taken", 1, "owner").status());
    TrialOutcome outcome{peek.limit, 0};
    outcome.window_ms = WindowMs(peek.limit);
    if (!limit_.has_leases()) return outcome;
    PALENA_RETURN_IF_ERROR(CheckLease(limit_.renew));
    PALENA_RETURN_IF_ERROR(CheckLease(limit_.release));
    return outcome;
  }

 private:
  std::string KeyOf(std::string_view what) const {
    return absl::StrCat(limit_.name, ":", std::string(what));
  }

  model::Result Execute(const BoundProgram& program, const CallArguments& arguments) {
    values_.clear();
    program.AppendValues(arguments, values_);
    return node_.Run(program.program(), values_);
  }

  base::StatusOr<LimiterAnswer> Take(std::string_view what, std::int64_t cost,
                                     std::string_view owner) {
    const std::string key = KeyOf(what);
    const std::string cost_text = std::to_string(cost);
    const model::Result result = Execute(limit_.take, {key, cost_text, owner});
    if (result.code != model::Code::kNone) return absl::InvalidArgumentError(result.reason);
    const std::optional<LimiterAnswer> answer = ReadLimiterAnswer(result);
    if (answer) return *answer;
    return absl::InvalidArgumentError(absl::StrCat(limit_.limiter, " is no limiter: ", kShape));
  }

  base::Status CheckUntouched(std::string_view what) {
    const std::string name = KeyOf(what);
    const std::string_view value[] = {name};
    if (node_.Run(limit_.reset, value).type != model::ResultType::kDeleted) return base::Ok();
    return absl::InvalidArgumentError(absl::StrCat(
        limit_.limiter, limit_.has_leases() ? " writes when @owner is empty" : " writes at @cost 0",
        ", which is a peek and must not"));
  }

  base::Status CheckLease(const BoundProgram& program) {
    const std::string key = KeyOf("lease");
    const model::Result result = Execute(program, {key, "1", "owner"});
    if (result.code != model::Code::kNone) return absl::InvalidArgumentError(result.reason);
    if (ReadLeaseAnswer(result)) return base::Ok();
    return absl::InvalidArgumentError("renew and release answer 1 or 0, and this one does not");
  }

  // A window in the parameters is that; otherwise the time in which a caller who has used it all
  // gets it all back, if it can be used at once.
  std::int64_t WindowMs(std::int64_t quota) {
    for (const auto& [name, value] : limit_.parameters) {
      std::int64_t window_ms = 0;
      const bool is_window = name == "window_ms" || name == "lease_ms";
      if (is_window && absl::SimpleAtoi(value, &window_ms) && window_ms > 0) return window_ms;
    }
    const base::StatusOr<LimiterAnswer> all = Take("all", quota, "owner");
    return all.ok() && all->reset_at_ms > kTrialMs ? all->reset_at_ms - kTrialMs : 0;
  }

  const Limit& limit_;
  ScratchNode& node_;
  std::vector<std::string_view> values_;
};

}  // namespace

base::StatusOr<TrialOutcome> TryLimit(const Limit& limit, ScratchNode& node) {
  return Trial(limit, node).Run();
}

}  // namespace palena::limits
