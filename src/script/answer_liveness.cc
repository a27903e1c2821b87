#include "script/answer_liveness.h"

namespace palena::script {

AnswerLiveness::AnswerLiveness(const Tree& tree)
    : tree_(tree), effects_(tree.stmts.size()), live_(tree.stmts.size(), false) {
  SummariseList(tree.top);
  Mark(tree.top, true);
}

AnswerLiveness::Effect AnswerLiveness::Summarise(StmtId id) {
  const Stmt& stmt = tree_.stmt(id);
  switch (stmt.kind) {
    case StmtKind::kLet:
    case StmtKind::kRead:
    case StmtKind::kWrite:
    case StmtKind::kThrow:
    case StmtKind::kRollback:
      return {.uses = false, .passes = false};
    case StmtKind::kReturn:
      return {.uses = stmt.expr == kNoNode, .passes = false};
    case StmtKind::kCommit:
      return {.uses = true, .passes = false};
    case StmtKind::kSleep:
      return {};
    case StmtKind::kIf: {
      const Effect then_effect = SummariseList(stmt.body);
      const Effect else_effect = SummariseList(stmt.else_body);
      return {then_effect.uses || else_effect.uses, then_effect.passes || else_effect.passes};
    }
    case StmtKind::kFor:
      // The list may be empty, so the answer may pass whatever the body does.
      return {SummariseList(stmt.body).uses, true};
    case StmtKind::kBegin:
      return SummariseList(stmt.body);
  }
  return {};
}

AnswerLiveness::Effect AnswerLiveness::SummariseList(const std::vector<StmtId>& list) {
  Effect whole;
  for (const StmtId id : list) {
    const Effect effect = effects_[id] = Summarise(id);
    whole.uses = whole.uses || (whole.passes && effect.uses);
    whole.passes = whole.passes && effect.passes;
  }
  return whole;
}

void AnswerLiveness::Mark(const std::vector<StmtId>& list, bool live_after) {
  for (auto id = list.rbegin(); id != list.rend(); ++id) {
    MarkInside(tree_.stmt(*id), *id, live_after);
    live_after = effects_[*id].LiveBefore(live_after);
  }
}

void AnswerLiveness::MarkInside(const Stmt& stmt, StmtId id, bool live_after) {
  live_[id] = live_after;
  if (stmt.kind == StmtKind::kFor) {
    // What one round leaves may be looked at in the next.
    Mark(stmt.body, live_after || effects_[id].uses);
    return;
  }
  Mark(stmt.body, live_after);
  Mark(stmt.else_body, live_after);
}

}  // namespace palena::script
