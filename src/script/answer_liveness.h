#pragma once

// Which statements may be the one that decides what the script answers (language.md 6.9). Only
// those have to keep their outcome; the others, nearly all in a script that ends with `return`,
// cost nothing for it.

#include <cstdint>
#include <vector>

#include "script/ast.h"

namespace palena::script {

class AnswerLiveness {
 public:
  explicit AnswerLiveness(const Tree& tree);

  // Whether the outcome of a `let`, read or write can still be the answer when the run ends.
  bool IsLive(StmtId id) const { return live_[id]; }

 private:
  // What a piece of script makes of the answer so far: whether somebody in it may look at it, and
  // whether it may reach the end of the piece untouched.
  struct Effect {
    bool uses = false;
    bool passes = true;

    bool LiveBefore(bool live_after) const { return uses || (passes && live_after); }
  };

  Effect Summarise(StmtId id);
  Effect SummariseList(const std::vector<StmtId>& list);
  void Mark(const std::vector<StmtId>& list, bool live_after);
  void MarkInside(const Stmt& stmt, StmtId id, bool live_after);

  const Tree& tree_;
  std::vector<Effect> effects_;  // by statement
  std::vector<bool> live_;
};

}  // namespace palena::script
