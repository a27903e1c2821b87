#pragma once

#include <cstdint>
#include <vector>

namespace palena::script {

// Which variables certainly have a value at the point that the compiler has reached; reading any
// other needs a check at run time. What is bound in a branch is forgotten at the branch's end.
class BoundVariables {
 public:
  using Slots = std::vector<std::uint32_t>;

  explicit BoundVariables(std::size_t variables) : is_bound_(variables, false) {}

  bool IsBound(std::uint32_t slot) const { return is_bound_[slot]; }
  void Bind(std::uint32_t slot) {
    if (is_bound_[slot]) return;
    is_bound_[slot] = true;
    trail_.push_back(slot);
  }

  std::size_t EnterBranch() const { return trail_.size(); }
  // Forgets, and returns, what was bound since EnterBranch returned `mark`.
  Slots LeaveBranch(std::size_t mark) {
    Slots bound(trail_.begin() + static_cast<std::ptrdiff_t>(mark), trail_.end());
    for (const std::uint32_t slot : bound) is_bound_[slot] = false;
    trail_.resize(mark);
    return bound;
  }

  // Behind an `if`: what both branches bound is bound.
  void BindCommon(const Slots& one, const Slots& other) {
    // `one` is bound for a moment, so that the cost is that of the two lists.
    const std::size_t mark = EnterBranch();
    BindAll(one);
    Slots common;
    for (const std::uint32_t slot : other) {
      if (is_bound_[slot]) common.push_back(slot);
    }
    LeaveBranch(mark);
    BindAll(common);
  }
  void BindAll(const Slots& slots) {
    for (const std::uint32_t slot : slots) Bind(slot);
  }

 private:
  std::vector<bool> is_bound_;
  Slots trail_;
};

}  // namespace palena::script
