#pragma once

// Statements of the tree, run one after the other against a transaction (language.md 6).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "script/ast.h"
#include "twin/answer.h"
#include "twin/begin_options.h"
#include "twin/evaluator.h"
#include "twin/interpreter.h"
#include "twin/store.h"

namespace palena::twin {

// How a list of statements ended.
enum class Flow : std::uint8_t { kNext, kReturn, kCommit, kRollback };

class Statements {
 public:
  Statements(const script::Tree& tree, const Request& request, Transaction& transaction,
             const BeginOptions& options);

  // Throws Failure.
  Flow RunList(const std::vector<script::StmtId>& list);
  // Of the last statement that made one.
  const Answer& answer() const { return answer_; }

 private:
  Flow RunOne(const script::Stmt& stmt);
  Flow RunFor(const script::Stmt& stmt);
  void Bind(const script::Stmt& stmt, const Value& value);

  void RunLet(const script::Stmt& stmt);
  void RunReturn(const script::Stmt& stmt);
  void RunSleep(const script::Stmt& stmt);
  [[noreturn]] void RunThrow(const script::Stmt& stmt);

  void RunRead(const script::Stmt& stmt);
  void RunPointRead(const script::Stmt& stmt);
  void RunRangeRead(const script::Stmt& stmt);
  std::optional<std::int64_t> SnapshotOf(const script::Stmt& stmt);
  std::optional<Version> Read(const script::Stmt& stmt);

  void RunWrite(const script::Stmt& stmt);
  Written Write(const script::Stmt& stmt);
  Written RunSet(const script::Stmt& stmt);
  void ReadFlag(const script::Stmt& stmt, const script::Flag& flag, SetFlags& flags);

  std::int64_t NotNegative(const script::Stmt& stmt, std::string_view what, const Value& value);
  std::int64_t ExpiryOf(const script::Stmt& stmt, std::string_view what, const Value& ttl);

  void AnswerOne(model::ResultType type, AnswerValue value);
  void AnswerComputed(const Value& value);

  Key KeyOf(const script::Stmt& stmt) const;
  Site SiteOf(const script::Stmt& stmt) const { return {stmt.line, request_.planted}; }

  const script::Tree& tree_;
  const Request& request_;
  Transaction& transaction_;
  const BeginOptions& options_;
  Scope scope_;
  Evaluator evaluator_;
  Answer answer_;
  int statements_left_;
};

}  // namespace palena::twin
