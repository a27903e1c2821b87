#include "twin/keys.h"

#include <functional>
#include <string>

#include "base/limits.h"
#include "twin/failure.h"

namespace palena::twin {
namespace {

using script::Stmt;
using script::StmtKind;

// The statements lie in the order of the text.
void ForEachKey(const script::Tree& tree, const std::function<void(const script::Key&)>& visit) {
  for (const Stmt& stmt : tree.stmts) {
    if (stmt.kind == StmtKind::kRead || stmt.kind == StmtKind::kWrite) visit(stmt.key);
  }
}

void CheckName(const script::Key& key, const std::string& name) {
  Failure failure{model::Code::kRuntime, "", key.line, key.is_parameter ? key.text : ""};
  if (name.empty()) {
    failure.message = "Invalid key: empty";
    throw failure;
  }
  if (name.size() <= base::kKeyBytesMax) return;
  if (!key.is_parameter) throw TooMuch();  // quotes a part of the name, which nothing fixes
  failure.message = "Invalid key: " + std::to_string(name.size()) + " bytes, at most " +
                    std::to_string(base::kKeyBytesMax);
  throw failure;
}

}  // namespace

void CheckKeys(const script::Tree& tree, const Parameters& parameters) {
  ForEachKey(tree, [](const script::Key& key) {
    if (!key.is_parameter) CheckName(key, key.text);
  });
  ForEachKey(tree, [&parameters](const script::Key& key) {
    if (!key.is_parameter) return;
    const auto found = parameters.find(key.text);
    if (found == parameters.end()) Fail({key.line}, "Undefined parameter: " + key.text);
    CheckName(key, found->second);
  });
}

std::string NameOf(const script::Key& key, const Parameters& parameters) {
  return key.is_parameter ? parameters.at(key.text) : key.text;
}

}  // namespace palena::twin
