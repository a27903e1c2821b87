#include "script/analyser.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/limits.h"
#include "script/quote.h"

namespace palena::script {
namespace {

using model::Code;
using model::ScriptError;

// Slots are 16 bits wide wherever they are kept, and one value of the 65,536 means "none".
constexpr std::size_t kSlotsMax = 65'535;

// Numbers texts from 0 in the order in which they first come, equal ones alike.
class SlotTable {
 public:
  explicit SlotTable(std::string_view what) : what_(what) {}

  // The text's slot. `is_new` when it had none.
  std::uint32_t Assign(const std::string& text, bool& is_new) {
    const auto next = static_cast<std::uint32_t>(slots_.size());
    const auto [place, inserted] = slots_.try_emplace(text, next);
    is_new = inserted;
    return place->second;
  }
  bool IsOverfull() const { return slots_.size() > kSlotsMax; }
  std::string Complaint() const {
    return "Too many " + std::string(what_) + ": more than " + std::to_string(kSlotsMax);
  }

 private:
  std::string_view what_;
  absl::flat_hash_map<std::string, std::uint32_t> slots_;
};

KeyKind KindOfKey(const Stmt& stmt) {
  if (stmt.kind != StmtKind::kRead) return KeyKind::kPoint;
  if (stmt.read == ReadKind::kBucket) return KeyKind::kBucket;
  return stmt.read == ReadKind::kScan ? KeyKind::kPrefix : KeyKind::kPoint;
}

// Equal for keys that share a slot.
std::string KeyIdentity(const FootprintKey& key) {
  std::string identity;
  identity += static_cast<char>(key.durability);
  identity += static_cast<char>(key.kind);
  identity += static_cast<char>(key.is_parameter);
  return identity + key.text;
}

// Walks the tree in the order of the text, so that slots follow it. Recursion is bounded: the
// parser lets nothing nest deeper than base::kNestingDepthMax. The first error ends the walk.
class Analyser {
 public:
  explicit Analyser(Tree& tree) : tree_(tree) {}

  model::ScriptOr<Analysis> Run();

 private:
  bool CheckTransactions();

  bool VisitList(const std::vector<StmtId>& list);
  bool Visit(Stmt& stmt);
  bool VisitBegin(Stmt& stmt);
  bool VisitExpr(ExprId id);
  bool VisitKey(Stmt& stmt);

  void Describe(const Stmt& stmt, FootprintKey& key) const;
  bool CheckConstantKey(const Key& key, KeyKind kind);
  bool AssignKey(FootprintKey wanted, Key& key);
  bool AssignParameter(const std::string& name, int line, std::uint32_t& slot);
  bool AssignVariable(const std::string& name, int line, std::uint32_t& slot);

  bool Fail(Code code, std::string message, int line) {
    error_ = ScriptError{code, std::move(message), line, ""};
    return false;
  }

  Tree& tree_;
  SlotTable parameters_{"parameters"};
  SlotTable variables_{"variables"};
  SlotTable keys_{"keys"};
  bool in_snapshot_ = false;
  Analysis analysis_;
  ScriptError error_;
};

model::ScriptOr<Analysis> Analyser::Run() {
  if (!CheckTransactions() || !VisitList(tree_.top)) return error_;
  return std::move(analysis_);
}

// A `begin` is the whole script or nothing. The nodes lie in the order of the text.
bool Analyser::CheckTransactions() {
  const bool is_alone = tree_.top.size() == 1;
  for (StmtId id = 0; id < tree_.stmts.size(); ++id) {
    const Stmt& stmt = tree_.stmts[id];
    const bool is_whole_script = is_alone && id == tree_.top.front();
    if (stmt.kind == StmtKind::kBegin && !is_whole_script) {
      return Fail(Code::kRuntime, "Nested transactions are not supported", stmt.line);
    }
    const bool ends = stmt.kind == StmtKind::kCommit || stmt.kind == StmtKind::kRollback;
    if (ends && is_whole_script) return Fail(Code::kRuntime, "Invalid transaction", stmt.line);
  }
  return true;
}

bool Analyser::VisitList(const std::vector<StmtId>& list) {
  for (const StmtId id : list) {
    if (!Visit(tree_.stmts[id])) return false;
  }
  return true;
}

bool Analyser::Visit(Stmt& stmt) {
  if (!stmt.name.empty() && !AssignVariable(stmt.name, stmt.line, stmt.slot)) return false;
  const bool has_key = stmt.kind == StmtKind::kRead || stmt.kind == StmtKind::kWrite;
  if (has_key && !VisitKey(stmt)) return false;
  if (stmt.kind == StmtKind::kBegin && !VisitBegin(stmt)) return false;
  if (!VisitExpr(stmt.expr)) return false;
  if (!VisitExpr(stmt.at) || !VisitExpr(stmt.as_of)) return false;
  for (const Flag& flag : stmt.flags) {
    if (!VisitExpr(flag.expr)) return false;
  }
  return VisitList(stmt.body) && VisitList(stmt.else_body);
}

bool Analyser::VisitBegin(Stmt& stmt) {
  for (Option& option : stmt.options) {
    const bool is_parameter = option.kind == Option::Kind::kParameter;
    if (is_parameter && !AssignParameter(option.value, option.line, option.slot)) return false;
  }
  auto options = CompileBeginOptions(stmt.options);
  if (!options.ok()) {
    error_ = options.error();
    return false;
  }
  analysis_.is_transaction = true;
  analysis_.begin_options = *std::move(options);
  in_snapshot_ = FindBeginOption(analysis_.begin_options, BeginOptionName::kSnapshot) != nullptr;
  return true;
}

bool Analyser::VisitExpr(ExprId id) {
  if (id == kNoNode) return true;
  Expr& expr = tree_.exprs[id];
  if (expr.kind == ExprKind::kVariable) return AssignVariable(expr.text, expr.line, expr.slot);
  if (expr.kind == ExprKind::kParameter) return AssignParameter(expr.text, expr.line, expr.slot);
  for (const ExprId child : expr.children) {
    if (!VisitExpr(child)) return false;
  }
  return true;
}

bool Analyser::VisitKey(Stmt& stmt) {
  Key& key = stmt.key;
  FootprintKey wanted;
  wanted.durability = stmt.durability;
  wanted.kind = KindOfKey(stmt);
  wanted.is_parameter = key.is_parameter;
  Describe(stmt, wanted);
  wanted.text = key.text;
  wanted.line = key.line;
  if (key.is_parameter) {
    std::uint32_t slot = kNoSlot;
    if (!AssignParameter(key.text, key.line, slot)) return false;
    wanted.parameter = static_cast<std::uint16_t>(slot);
  } else if (!CheckConstantKey(key, wanted.kind)) {
    return false;
  }
  return AssignKey(std::move(wanted), key);
}

// What a statement does with its key. In a snapshot block a write fails before it touches anything.
void Analyser::Describe(const Stmt& stmt, FootprintKey& key) const {
  const bool is_write = stmt.kind == StmtKind::kWrite;
  const bool is_of_the_past = stmt.at == kNoNode && (stmt.as_of != kNoNode || in_snapshot_);
  key.writes = is_write && !in_snapshot_;
  key.reads_now = !is_of_the_past;
  key.has_own_as_of = stmt.as_of != kNoNode;
}

// Every key begins with the empty prefix, and "/a" lies in the bucket with the empty name.
bool Analyser::CheckConstantKey(const Key& key, KeyKind kind) {
  const bool is_point = kind == KeyKind::kPoint;
  if (is_point && key.text.empty()) return Fail(Code::kRuntime, "Invalid key: empty", key.line);
  if (key.text.size() <= base::kKeyBytesMax) return true;
  return Fail(Code::kRuntime,
              "Invalid key: " + QuoteText(key.text, '\'') + " has " +
                  std::to_string(key.text.size()) + " bytes, at most " +
                  std::to_string(base::kKeyBytesMax) + " are allowed",
              key.line);
}

bool Analyser::AssignKey(FootprintKey wanted, Key& key) {
  bool is_new = false;
  key.slot = keys_.Assign(KeyIdentity(wanted), is_new);
  if (keys_.IsOverfull()) return Fail(Code::kLimit, keys_.Complaint(), key.line);
  if (is_new) {
    analysis_.footprint.push_back(std::move(wanted));
    return true;
  }
  FootprintKey& known = analysis_.footprint[key.slot];
  known.writes = known.writes || wanted.writes;
  known.reads_now = known.reads_now || wanted.reads_now;
  known.has_own_as_of = known.has_own_as_of || wanted.has_own_as_of;
  return true;
}

bool Analyser::AssignParameter(const std::string& name, int line, std::uint32_t& slot) {
  bool is_new = false;
  slot = parameters_.Assign(name, is_new);
  if (is_new) analysis_.parameters.push_back(name);
  return !parameters_.IsOverfull() || Fail(Code::kLimit, parameters_.Complaint(), line);
}

bool Analyser::AssignVariable(const std::string& name, int line, std::uint32_t& slot) {
  bool is_new = false;
  slot = variables_.Assign(name, is_new);
  if (is_new) analysis_.variables.push_back(name);
  return !variables_.IsOverfull() || Fail(Code::kLimit, variables_.Complaint(), line);
}

}  // namespace

model::ScriptOr<Analysis> Analyse(Tree& tree) {
  return Analyser(tree).Run();
}

}  // namespace palena::script
