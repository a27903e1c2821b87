#include "script/compiler.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "script/conversions.h"
#include "script/verifier.h"

namespace palena::script {
namespace {

model::ProgramId IdOf(std::string_view text) {
  const base::Sha256Digest digest = base::Sha256(text);
  model::ProgramId id;
  std::copy_n(digest.begin(), id.size(), id.begin());
  return id;
}

std::vector<std::uint16_t> SlotsByName(const std::vector<std::string>& names) {
  std::vector<std::uint16_t> slots(names.size());
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<std::uint16_t>(i);
  std::sort(slots.begin(), slots.end(), [&names](auto a, auto b) { return names[a] < names[b]; });
  return slots;
}

}  // namespace

Compiler::Compiler(const Tree& tree, const Analysis& analysis)
    : tree_(tree),
      variables_(analysis.variables.size()),
      snapshot_(FindBeginOption(analysis.begin_options, BeginOptionName::kSnapshot)),
      answers_(tree),
      bound_(variables_),
      code_(variables_) {}

model::ScriptOr<std::shared_ptr<const Program>> Compiler::Compile(std::string_view text,
                                                                  const Tree& tree,
                                                                  Analysis analysis) {
  Compiler compiler(tree, analysis);
  if (!compiler.CompileList(tree.top)) {
    compiler.code_.Emit(Opcode::kHalt, tree.top.empty() ? 0 : tree.stmt(tree.top.back()).line);
  }
  if (compiler.code_.overflowed()) {
    return model::ScriptError{
        model::Code::kLimit, "Too many values in one script: more than 65535", 0, {}};
  }
  std::shared_ptr<Program> program(new Program());
  program->text_ = text;
  program->id_ = IdOf(text);
  program->parameters_ = std::move(analysis.parameters);
  program->parameters_by_name_ = SlotsByName(program->parameters_);
  program->footprint_ = std::move(analysis.footprint);
  program->is_transaction_ = analysis.is_transaction;
  program->begin_options_ = std::move(analysis.begin_options);
  program->variables_ = std::move(analysis.variables);
  program->code_ = compiler.code_.TakeCode();
  program->lines_ = compiler.code_.TakeLines();
  program->constants_ = compiler.code_.TakeConstants();
  program->constant_texts_ = compiler.code_.TakeConstantTexts();
  program->registers_ = compiler.code_.registers();
  PALENA_CHECK(Verify(CodeView(*program)).empty());
  return std::shared_ptr<const Program>(std::move(program));
}

bool Compiler::CompileList(const std::vector<StmtId>& list) {
  for (const StmtId id : list) {
    const std::size_t mark = code_.temporaries_mark();
    const bool ends = CompileStatement(id);
    code_.ReleaseTemporaries(mark);
    if (ends) return true;  // nothing can reach the rest
  }
  return false;
}

bool Compiler::CompileStatement(StmtId id) {
  const Stmt& stmt = tree_.stmt(id);
  switch (stmt.kind) {
    case StmtKind::kLet:
      CompileLet(stmt, answers_.IsLive(id));
      return false;
    case StmtKind::kRead:
      CompileRead(stmt, answers_.IsLive(id));
      return false;
    case StmtKind::kWrite:
      return CompileWrite(stmt, answers_.IsLive(id));
    case StmtKind::kIf:
      return CompileIf(stmt);
    case StmtKind::kFor:
      CompileFor(stmt);
      return false;
    case StmtKind::kReturn:
      CompileReturn(stmt);
      return true;
    case StmtKind::kThrow:
      code_.Emit(Opcode::kThrow, stmt.line, 0, Evaluate(stmt.expr));
      return true;
    case StmtKind::kBegin:
      return CompileList(stmt.body);
    case StmtKind::kCommit:
      code_.Emit(Opcode::kCommit, stmt.line);
      return true;
    case StmtKind::kRollback:
      code_.Emit(Opcode::kRollback, stmt.line);
      return true;
    case StmtKind::kSleep:
      code_.Emit(Opcode::kSleep, stmt.line, 0, Evaluate(stmt.expr));
      return false;
  }
  PALENA_CHECK(false && "an unknown kind of statement");
}

void Compiler::CompileLet(const Stmt& stmt, bool answers) {
  const auto variable = static_cast<std::uint16_t>(stmt.slot);
  EvaluateInto(stmt.expr, variable);
  bound_.Bind(stmt.slot);
  if (answers) code_.Emit(Opcode::kAnswer, stmt.line, 0, Operand::Register(variable));
}

std::uint16_t Compiler::BindingOf(const Stmt& stmt) const {
  return stmt.slot == kNoSlot ? std::uint16_t{0} : static_cast<std::uint16_t>(stmt.slot);
}

std::uint8_t Compiler::KeyFlags(const Stmt& stmt, bool answers) const {
  const int binds = stmt.slot == kNoSlot ? 0 : kBinds;
  return static_cast<std::uint8_t>(binds | (answers ? kAnswers : 0));
}

void Compiler::EmitKeyed(Opcode op, const Stmt& stmt, std::uint8_t flags, Operand c) {
  const auto key = Operand::Register(static_cast<std::uint16_t>(stmt.key.slot));
  code_.Emit(op, stmt.line, BindingOf(stmt), key, c).flags |= flags;
  if (stmt.slot != kNoSlot) bound_.Bind(stmt.slot);
}

void Compiler::CompileRead(const Stmt& stmt, bool answers) {
  Operand c;
  if (stmt.at != kNoNode) {
    c = Evaluate(stmt.at);
  } else if (IsAsOf(stmt)) {
    c = TimeOf(stmt);
  }
  EmitKeyed(ReadOpcode(stmt), stmt, KeyFlags(stmt, answers), c);
}

bool Compiler::IsAsOf(const Stmt& stmt) const {
  return stmt.at == kNoNode && (stmt.as_of != kNoNode || snapshot_ != nullptr);
}

Opcode Compiler::ReadOpcode(const Stmt& stmt) const {
  switch (stmt.read) {
    case ReadKind::kBucket:
    case ReadKind::kScan:
      return IsAsOf(stmt) ? Opcode::kListAsOf : Opcode::kList;
    case ReadKind::kGet:
      if (stmt.at != kNoNode) return Opcode::kGetAt;
      return IsAsOf(stmt) ? Opcode::kGetAsOf : Opcode::kGet;
    case ReadKind::kExists:
      if (stmt.at != kNoNode) return Opcode::kExistsAt;
      return IsAsOf(stmt) ? Opcode::kExistsAsOf : Opcode::kExists;
  }
  PALENA_CHECK(false && "an unknown kind of read");
}

Operand Compiler::TimeOf(const Stmt& stmt) {
  if (stmt.as_of != kNoNode) return Evaluate(stmt.as_of);
  if (!snapshot_->is_parameter) return code_.Long(*WholeNumber(Value::String(snapshot_->text)));
  const std::uint16_t out = code_.NewTemporaries();
  code_.Emit(Opcode::kParameter, stmt.line, out, Operand::Register(snapshot_->parameter));
  return Operand::Register(out);
}

bool Compiler::CompileWrite(const Stmt& stmt, bool answers) {
  if (snapshot_ != nullptr) {
    code_.Emit(Opcode::kRefuseWrite, stmt.line);
    return true;
  }
  const std::uint8_t flags = KeyFlags(stmt, answers);
  switch (stmt.write) {
    case WriteKind::kSet:
      CompileSet(stmt, flags);
      break;
    case WriteKind::kDelete:
      EmitKeyed(Opcode::kDelete, stmt, flags);
      break;
    case WriteKind::kExtend:
      EmitKeyed(Opcode::kExtend, stmt, flags, Evaluate(stmt.expr));
      break;
  }
  return false;
}

void Compiler::CompileSet(const Stmt& stmt, std::uint8_t flags) {
  for (const Flag& flag : stmt.flags) {
    const std::size_t mark = code_.temporaries_mark();
    flags |= CompileFlag(stmt, flag);
    code_.ReleaseTemporaries(mark);
  }
  EmitKeyed(Opcode::kSet, stmt, flags, Evaluate(stmt.expr));
}

std::uint8_t Compiler::CompileFlag(const Stmt& stmt, const Flag& flag) {
  const auto with_value = [&](Opcode op) {
    code_.Emit(op, stmt.line, 0, Evaluate(flag.expr));
    return std::uint8_t{0};
  };
  switch (flag.kind) {
    case FlagKind::kNx:
      return kFlagNx;
    case FlagKind::kXx:
      return kFlagXx;
    case FlagKind::kNoRev:
      return kFlagNoRev;
    case FlagKind::kKeepTtl:
      return kFlagKeepTtl;
    case FlagKind::kEx:
      return with_value(Opcode::kSetEx);
    case FlagKind::kCmp:
      return with_value(Opcode::kSetCmp);
    case FlagKind::kCmpRev:
      return with_value(Opcode::kSetCmpRev);
  }
  return 0;
}

bool Compiler::CompileIf(const Stmt& stmt) {
  const std::uint16_t condition = EvaluateToRegister(stmt.expr);
  const std::size_t to_else = code_.EmitJump(Opcode::kJumpIfFalse, stmt.line, condition);

  const std::size_t mark = bound_.EnterBranch();
  const bool then_ends = CompileList(stmt.body);
  const BoundVariables::Slots in_then = bound_.LeaveBranch(mark);
  if (stmt.else_body.empty()) {
    code_.PatchHere(to_else);
    return false;
  }
  const bool has_way_round = !then_ends;
  const std::size_t to_end = has_way_round ? code_.EmitJump(Opcode::kJump, stmt.line) : 0;
  code_.PatchHere(to_else);
  const bool else_ends = CompileList(stmt.else_body);
  const BoundVariables::Slots in_else = bound_.LeaveBranch(mark);
  if (has_way_round) code_.PatchHere(to_end);

  // A branch that never goes on cannot leave a variable unbound behind the `if`.
  if (then_ends || else_ends) {
    bound_.BindAll(then_ends ? in_else : in_then);
  } else {
    bound_.BindCommon(in_then, in_else);
  }
  return then_ends && else_ends;
}

void Compiler::CompileFor(const Stmt& stmt) {
  const std::uint16_t iterator = code_.NewTemporaries(2);
  EvaluateInto(stmt.expr, iterator);
  code_.Emit(Opcode::kIterate, stmt.line).a = iterator;
  const std::size_t top = code_.next_place();
  const std::size_t to_end = code_.EmitJump(Opcode::kIterateEnd, stmt.line, iterator);

  const std::size_t mark = bound_.EnterBranch();
  code_.Emit(Opcode::kIterateNext, stmt.line, static_cast<std::uint16_t>(stmt.slot),
             Operand::Register(iterator));
  bound_.Bind(stmt.slot);
  if (!CompileList(stmt.body)) code_.EmitJumpTo(top, stmt.line);
  bound_.LeaveBranch(mark);
  code_.PatchHere(to_end);
}

void Compiler::CompileReturn(const Stmt& stmt) {
  if (stmt.expr == kNoNode) {
    code_.Emit(Opcode::kHalt, stmt.line);
  } else {
    code_.Emit(Opcode::kReturn, stmt.line, 0, Evaluate(stmt.expr));
  }
}

}  // namespace palena::script
