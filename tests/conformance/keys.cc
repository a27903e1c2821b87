#include "conformance/keys.h"

#include <algorithm>

#include "script/parser.h"

namespace palena::conformance {
namespace {

bool NamesKey(const script::Stmt& stmt) {
  return stmt.kind == script::StmtKind::kRead || stmt.kind == script::StmtKind::kWrite;
}

bool ReadsMany(const script::Stmt& stmt) {
  return stmt.kind == script::StmtKind::kRead &&
         (stmt.read == script::ReadKind::kBucket || stmt.read == script::ReadKind::kScan);
}

// A parameter that is missing stands for itself: the run will say so.
std::string Resolve(const script::Key& key, const Step& step) {
  if (!key.is_parameter) return key.text;
  const auto found =
      std::find_if(step.parameters.begin(), step.parameters.end(),
                   [&](const auto& parameter) { return parameter.first == key.text; });
  return found == step.parameters.end() ? key.text : found->second;
}

bool TouchesSeveralShards(const Step& step) {
  const model::ScriptOr<script::Tree> tree = script::Parse(step.script);
  if (!tree.ok()) return false;
  return KeysOf(step).size() > 1 || std::any_of(tree->stmts.begin(), tree->stmts.end(), ReadsMany);
}

}  // namespace

std::set<std::string> KeysOf(const Step& step) {
  std::set<std::string> keys;
  const model::ScriptOr<script::Tree> tree = script::Parse(step.script);
  if (!tree.ok()) return keys;
  for (const script::Stmt& stmt : tree->stmts) {
    if (NamesKey(stmt)) keys.insert(Resolve(stmt.key, step));
  }
  return keys;
}

bool NeedsOneShard(const Case& a_case) {
  return std::any_of(a_case.steps.begin(), a_case.steps.end(), TouchesSeveralShards);
}

}  // namespace palena::conformance
