#include "twin/interpreter.h"

#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "script/parser.h"
#include "twin/begin_options.h"
#include "twin/failure.h"
#include "twin/keys.h"
#include "twin/statements.h"

namespace palena::twin {
namespace {

using script::Stmt;
using script::StmtKind;
using script::Tree;

constexpr std::string_view kAborted = "Transaction aborted";

// A `begin` is the whole script or nothing; a lone `commit` or `rollback` has nothing to end.
void CheckTransactions(const Tree& tree) {
  for (script::StmtId id = 0; id < tree.stmts.size(); ++id) {
    const Stmt& stmt = tree.stmt(id);
    const bool is_whole_script = tree.top.size() == 1 && tree.top.front() == id;
    if (stmt.kind == StmtKind::kBegin && !is_whole_script) {
      Fail({stmt.line}, "Nested transactions are not supported");
    }
    const bool ends = stmt.kind == StmtKind::kCommit || stmt.kind == StmtKind::kRollback;
    if (ends && is_whole_script) Fail({stmt.line}, "Invalid transaction");
  }
}

const Stmt* BeginOf(const Tree& tree) {
  const Stmt& first = tree.stmt(tree.top.front());
  return first.kind == StmtKind::kBegin ? &first : nullptr;
}

Answer AnswerOf(const Failure& failure) {
  Answer answer;
  answer.type = model::TypeOfCode(failure.code);
  answer.code = failure.code;
  answer.applied = model::Applied::kNo;
  answer.line = failure.line;
  answer.reason = failure.message;
  if (failure.line != 0) answer.reason += " at line " + std::to_string(failure.line);
  if (!failure.parameter.empty()) answer.reason += " (" + failure.parameter + ")";
  return answer;
}

// Whether what was written stays.
bool Keeps(Flow end, bool is_begin, const BeginOptions& options, Fault planted) {
  if (end == Flow::kRollback) return planted == Fault::kRollbackKeepsWrites;
  if (end == Flow::kCommit || !is_begin) return true;
  return options.auto_commit || planted == Fault::kBeginCommits;
}

// A decision that must survive may not be about keys that do not (8.2).
void CheckDecision(const BeginOptions& options, const Transaction& transaction) {
  if (!options.is_durable || !transaction.has_ephemeral_writes()) return;
  throw Failure{
      model::Code::kRolledBack,
      std::string(kAborted) + ": with decisionDurability=durable no ephemeral key may be written",
      0, ""};
}

Answer RunTree(const Tree& tree, const Request& request, Store& store) {
  CheckTransactions(tree);
  const Stmt* const begin = BeginOf(tree);
  if (begin != nullptr) CheckConstantOptions(*begin);
  CheckKeys(tree, request.parameters);
  BeginOptions options;
  if (begin != nullptr) options = ReadOptions(*begin, request.parameters);

  Transaction transaction(store, request.stamp.time.ms(), request.planted);
  Statements statements(tree, request, transaction, options);
  try {
    const Flow end = statements.RunList(begin != nullptr ? begin->body : tree.top);
    const bool keeps = Keeps(end, begin != nullptr, options, request.planted);
    if (keeps) CheckDecision(options, transaction);
    if (keeps) transaction.Commit();
    if (!keeps || end == Flow::kRollback) {
      throw Failure{model::Code::kRolledBack, std::string(kAborted), 0, ""};
    }
  } catch (const Failure&) {
    if (request.planted == Fault::kErrorKeepsWrites) transaction.Commit();
    throw;
  }
  return statements.answer();
}

}  // namespace

Answer Run(const Request& request, Store& store) {
  const auto tree = script::Parse(request.script);
  if (!tree.ok()) {
    const model::ScriptError& error = tree.error();
    return AnswerOf({error.code, error.message, error.line, error.parameter});
  }
  try {
    return RunTree(*tree, request, store);
  } catch (const Failure& failure) {
    return AnswerOf(failure);
  }
}

}  // namespace palena::twin
