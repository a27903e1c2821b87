#include "limits/limit_set.h"

#include "base/check.h"

namespace palena::limits {

LimitSet::LimitSet(std::string file, std::vector<Limit> limits)
    : file_(std::move(file)), limits_(std::move(limits)) {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    PALENA_CHECK(by_name_.emplace(limits_[i].name, i).second);
  }
}

const Limit* LimitSet::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &limits_[found->second];
}

}  // namespace palena::limits
