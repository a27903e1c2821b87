#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "script/ast.h"
#include "twin/evaluator.h"

namespace palena::twin {

// What `begin ( … )` says and the twin has to know (language.md 8.2). The rest it only checks.
struct BeginOptions {
  bool auto_commit = false;
  std::optional<std::int64_t> snapshot_ms;
  bool is_durable = false;  // the decision: no ephemeral key may be modified
  bool validates_reads = false;
};

// Throws Failure for what is wrong whatever the parameters are: it comes before everything else.
void CheckConstantOptions(const script::Stmt& begin);
// Throws Failure.
BeginOptions ReadOptions(const script::Stmt& begin, const Parameters& parameters);

}  // namespace palena::twin
