#include "twin/statements.h"

#include <limits>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "twin/failure.h"
#include "twin/keys.h"

namespace palena::twin {

using model::ResultType;
using script::Flag;
using script::FlagKind;
using script::Guard;
using script::ReadKind;
using script::Stmt;
using script::StmtKind;
using script::WriteKind;

namespace {

// More than any script of the generator should need, far less than the engine's limit of steps.
constexpr int kStatementsMax = 20'000;
constexpr std::int64_t kSleepMsMax = 300'000;

// "Invalid SET EX expression", with the number if there is one.
[[noreturn]] void FailArgument(const Site& site, std::string_view what, const Value& value) {
  std::string message = "Invalid " + std::string(what) + " expression";
  if (const auto number = WholeOf(value)) message += ": " + std::to_string(*number);
  Fail(site, message, &value);
}

// What a variable holds after a read that found this.
Value BoundTo(const Version& version, bool is_get) {
  Value value = is_get ? Value::String(version.value) : Value::Bool(true);
  value.revision = version.revision;
  value.expires_ms = version.expires_ms;
  return value;
}

// Without the value.
AnswerValue ShownOf(const std::string& key, const std::optional<Version>& version) {
  if (!version) return {key, {}, -1, 0, 0};
  return {key, {}, version->revision, version->expires_ms, version->modified_ms};
}

AnswerValue ShownOf(const Value& value) {
  AnswerValue shown{"", {}, value.revision, value.expires_ms, 0};
  // An array within an array is shown as its JSON text.
  if (value.Is(Type::kArray)) {
    shown.value = JsonOf(value);
  } else if (!value.Is(Type::kNull)) {
    shown.value = TextOf(value);
  }
  return shown;
}

}  // namespace

Statements::Statements(const script::Tree& tree, const Request& request, Transaction& transaction,
                       const BeginOptions& options)
    : tree_(tree),
      request_(request),
      transaction_(transaction),
      options_(options),
      evaluator_(tree, request.parameters, request.stamp, scope_, request.planted),
      statements_left_(kStatementsMax) {
  // A script that makes no answer gives an empty text.
  AnswerComputed(Value::String(""));
}

Flow Statements::RunList(const std::vector<script::StmtId>& list) {
  for (const script::StmtId id : list) {
    if (--statements_left_ == 0) throw TooMuch();
    const Flow flow = RunOne(tree_.stmt(id));
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Flow Statements::RunOne(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kLet:
      RunLet(stmt);
      return Flow::kNext;
    case StmtKind::kRead:
      RunRead(stmt);
      return Flow::kNext;
    case StmtKind::kWrite:
      RunWrite(stmt);
      return Flow::kNext;
    case StmtKind::kIf: {
      const bool holds = Condition(SiteOf(stmt), evaluator_.Evaluate(stmt.expr));
      return RunList(holds ? stmt.body : stmt.else_body);
    }
    case StmtKind::kFor:
      return RunFor(stmt);
    case StmtKind::kCommit:
      return Flow::kCommit;
    case StmtKind::kRollback:
      return Flow::kRollback;
    case StmtKind::kReturn:
      RunReturn(stmt);
      return Flow::kReturn;
    case StmtKind::kSleep:
      RunSleep(stmt);
      return Flow::kNext;
    case StmtKind::kThrow:
      RunThrow(stmt);
    case StmtKind::kBegin:
      break;
  }
  PALENA_CHECK(false && "begin is looked at before statements are run");
  return Flow::kNext;
}

Flow Statements::RunFor(const Stmt& stmt) {
  const Value array = evaluator_.Evaluate(stmt.expr);
  if (!array.Is(Type::kArray)) Fail(SiteOf(stmt), "FOR expression is not iterable", &array);
  for (const Value& element : *array.elements) {
    scope_.variables[stmt.name] = element;
    const Flow flow = RunList(stmt.body);
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

// `let x =` before a read or a write.
void Statements::Bind(const Stmt& stmt, const Value& value) {
  if (!stmt.name.empty()) scope_.variables[stmt.name] = value;
}

void Statements::RunLet(const Stmt& stmt) {
  const Value value = evaluator_.Evaluate(stmt.expr);
  scope_.variables[stmt.name] = value;
  AnswerComputed(value);
  if (request_.planted != Fault::kLetDisturbsGuard) return;
  if (scope_.last(Guard::kNotFound)) scope_.last(Guard::kNotFound) = true;
}

void Statements::RunReturn(const Stmt& stmt) {
  if (stmt.expr != script::kNoNode) AnswerComputed(evaluator_.Evaluate(stmt.expr));
}

// Time does not move in a run, so there is nothing to do but to check. What the engine forgets
// while a run sleeps (7.2) is not for the twin to say: a script that sleeps for a while is not
// compared.
void Statements::RunSleep(const Stmt& stmt) {
  const Value value = evaluator_.Evaluate(stmt.expr);
  const auto duration_ms = WholeOf(value);
  if (!duration_ms || *duration_ms < 0 || *duration_ms > kSleepMsMax) {
    std::string message = "Invalid SLEEP duration";
    if (duration_ms) message += ": " + std::to_string(*duration_ms);
    Fail(SiteOf(stmt), message, &value);
  }
  if (*duration_ms > 0) throw TooMuch();
}

void Statements::RunThrow(const Stmt& stmt) {
  const Value value = evaluator_.Evaluate(stmt.expr);
  std::string text = "(null)";
  if (!value.Is(Type::kNull)) text = StoredText(SiteOf(stmt), value);
  throw Failure{model::Code::kThrown, text, stmt.line, ""};
}

// ---- reads

void Statements::RunRead(const Stmt& stmt) {
  if (stmt.read == ReadKind::kBucket || stmt.read == ReadKind::kScan) return RunRangeRead(stmt);
  RunPointRead(stmt);
}

void Statements::RunPointRead(const Stmt& stmt) {
  const bool is_get = stmt.read == ReadKind::kGet;
  const std::optional<Version> version = Read(stmt);
  scope_.last(Guard::kNotFound) = version.has_value();
  AnswerValue shown = ShownOf(KeyOf(stmt).name, version);
  if (!version) {
    Bind(stmt, is_get ? Value::Null() : Value::Bool(false));
    return AnswerOne(ResultType::kDoesNotExist, std::move(shown));
  }
  Bind(stmt, BoundTo(*version, is_get));
  if (is_get) shown.value = version->value;
  AnswerOne(is_get ? ResultType::kGet : ResultType::kExists, std::move(shown));
}

std::optional<Version> Statements::Read(const Stmt& stmt) {
  const Key key = KeyOf(stmt);
  if (stmt.at != script::kNoNode) {
    return transaction_.At(key, NotNegative(stmt, "AT", evaluator_.Evaluate(stmt.at)));
  }
  const auto time_ms = SnapshotOf(stmt);
  if (!time_ms) return transaction_.Get(key);
  try {
    return transaction_.AsOf(key, *time_ms);
  } catch (Failure& failure) {
    failure.line = stmt.line;
    throw;
  }
}

// The statement's own `as of` wins over that of `begin (snapshot=T)`.
std::optional<std::int64_t> Statements::SnapshotOf(const Stmt& stmt) {
  if (stmt.as_of == script::kNoNode) return options_.snapshot_ms;
  const Value value = evaluator_.Evaluate(stmt.as_of);
  const auto time_ms = WholeOf(value);
  if (time_ms && *time_ms == 0) {
    Fail(SiteOf(stmt), "AS OF 0 is not a valid snapshot timestamp", &value);
  }
  if (!time_ms || *time_ms < 0) FailArgument(SiteOf(stmt), "AS OF", value);
  return time_ms;
}

void Statements::RunRangeRead(const Stmt& stmt) {
  const Range range{stmt.durability, NameOf(stmt.key, request_.parameters),
                    stmt.read == ReadKind::kBucket};
  const auto time_ms = SnapshotOf(stmt);
  Listing listing;
  try {
    listing = time_ms ? transaction_.ListAsOf(range, *time_ms) : transaction_.List(range);
  } catch (Failure& failure) {
    failure.line = stmt.line;
    throw;
  }
  scope_.last(Guard::kNotFound) = !listing.entries.empty();
  answer_ = Answer();
  answer_.truncated = listing.truncated;
  if (listing.entries.empty()) answer_.type = ResultType::kDoesNotExist;
  Value::Elements elements;
  for (const auto& [name, version] : listing.entries) {
    elements.push_back(BoundTo(version, true));
    answer_.values.push_back(ShownOf(name, version));
    answer_.values.back().value = version.value;
  }
  Bind(stmt, Value::Array(std::move(elements), listing.truncated));
}

// ---- writes

void Statements::RunWrite(const Stmt& stmt) {
  const Written written = Write(stmt);
  scope_.last(Guard::kNotSet) = written.took_effect;
  if (stmt.write == WriteKind::kDelete) scope_.last(Guard::kNotDeleted) = written.took_effect;
  if (stmt.write == WriteKind::kExtend) scope_.last(Guard::kNotExtended) = written.took_effect;
  Bind(stmt, Value::Bool(written.took_effect));

  ResultType type = stmt.write == WriteKind::kSet ? ResultType::kNotSet : ResultType::kDoesNotExist;
  if (written.took_effect) {
    static constexpr std::array kTypes = {ResultType::kSet, ResultType::kDeleted,
                                          ResultType::kExtended};
    type = kTypes[static_cast<std::size_t>(stmt.write)];
  }
  AnswerOne(type, ShownOf(KeyOf(stmt).name, written.head));
}

Written Statements::Write(const Stmt& stmt) {
  if (options_.snapshot_ms) {
    throw Failure{model::Code::kSnapshotWrite,
                  "writes are not allowed in a snapshot (AS OF) transaction", stmt.line, ""};
  }
  switch (stmt.write) {
    case WriteKind::kSet:
      return RunSet(stmt);
    case WriteKind::kDelete:
      return transaction_.Delete(KeyOf(stmt));
    case WriteKind::kExtend:
      break;
  }
  const Value ttl = evaluator_.Evaluate(stmt.expr);
  return transaction_.Extend(KeyOf(stmt), ExpiryOf(stmt, "EXTEND", ttl));
}

// Flags from left to right, then the value.
Written Statements::RunSet(const Stmt& stmt) {
  SetFlags flags;
  for (const Flag& flag : stmt.flags) ReadFlag(stmt, flag, flags);
  std::string value = StoredText(SiteOf(stmt), evaluator_.Evaluate(stmt.expr));
  return transaction_.Set(KeyOf(stmt), std::move(value), flags);
}

void Statements::ReadFlag(const Stmt& stmt, const Flag& flag, SetFlags& flags) {
  Value value;
  if (flag.expr != script::kNoNode) value = evaluator_.Evaluate(flag.expr);
  switch (flag.kind) {
    case FlagKind::kNx:
      flags.nx = true;
      return;
    case FlagKind::kXx:
      flags.xx = true;
      return;
    case FlagKind::kNoRev:
      flags.norev = true;
      return;
    case FlagKind::kKeepTtl:
      flags.keep_ttl = true;
      return;
    case FlagKind::kEx:
      flags.expires_ms = ExpiryOf(stmt, "SET EX", value);
      return;
    case FlagKind::kCmp:
      if (value.Is(Type::kArray)) FailArgument(SiteOf(stmt), "SET CMP", value);
      flags.cmp = TextOf(value);
      return;
    case FlagKind::kCmpRev:
      flags.cmprev = WholeOf(value);
      if (!flags.cmprev) FailArgument(SiteOf(stmt), "SET CMPREV", value);
      return;
  }
}

// ---- arguments and answers

std::int64_t Statements::NotNegative(const Stmt& stmt, std::string_view what, const Value& value) {
  const auto number = WholeOf(value);
  if (!number || *number < 0) FailArgument(SiteOf(stmt), what, value);
  return *number;
}

// now + TTL; 0 is none.
std::int64_t Statements::ExpiryOf(const Stmt& stmt, std::string_view what, const Value& ttl) {
  const std::int64_t ttl_ms = NotNegative(stmt, what, ttl);
  const std::int64_t now_ms = request_.stamp.time.ms();
  if (ttl_ms > std::numeric_limits<std::int64_t>::max() - now_ms) {
    FailArgument(SiteOf(stmt), what, ttl);
  }
  return ttl_ms == 0 ? 0 : now_ms + ttl_ms;
}

void Statements::AnswerOne(ResultType type, AnswerValue value) {
  answer_ = Answer();
  answer_.type = type;
  answer_.values.push_back(std::move(value));
}

// Of `let` and `return`: an array gives one value per element.
void Statements::AnswerComputed(const Value& value) {
  answer_ = Answer();
  if (!value.Is(Type::kArray)) {
    answer_.values.push_back(ShownOf(value));
    return;
  }
  answer_.truncated = value.truncated;
  for (const Value& element : *value.elements) answer_.values.push_back(ShownOf(element));
}

Key Statements::KeyOf(const Stmt& stmt) const {
  return {stmt.durability, NameOf(stmt.key, request_.parameters)};
}

}  // namespace palena::twin
