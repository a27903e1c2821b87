#pragma once

// Expressions of the tree, evaluated by walking it.

#include <array>
#include <map>
#include <optional>
#include <string>

#include "hlc/stamp.h"
#include "script/ast.h"
#include "twin/operators.h"
#include "twin/value.h"

namespace palena::twin {

// With '@'.
using Parameters = std::map<std::string, std::string>;

// What a run has come to know, beside the store.
struct Scope {
  std::map<std::string, Value> variables;
  // By script::Guard: whether the last statement of that kind took effect; nothing before the
  // first.
  std::array<std::optional<bool>, 4> took_effect;

  std::optional<bool>& last(script::Guard guard) {
    return took_effect[static_cast<std::size_t>(guard)];
  }
};

class Evaluator {
 public:
  Evaluator(const script::Tree& tree, const Parameters& parameters, const hlc::Stamp& stamp,
            const Scope& scope, Fault planted)
      : tree_(tree), parameters_(parameters), stamp_(stamp), scope_(scope), planted_(planted) {}

  // Throws Failure, or TooMuch.
  Value Evaluate(script::ExprId id);

 private:
  Site SiteOf(const script::Expr& expr) const { return {expr.line, planted_}; }
  Value EvaluateUnchecked(const script::Expr& expr);
  Value Variable(const script::Expr& expr) const;
  Value Parameter(const script::Expr& expr) const;
  Value Guard(const script::Expr& expr) const;
  Value Chain(const script::Expr& expr);
  Value Logic(const script::Expr& expr);
  std::vector<Value> Children(const script::Expr& expr);

  const script::Tree& tree_;
  const Parameters& parameters_;
  const hlc::Stamp& stamp_;
  const Scope& scope_;
  const Fault planted_;
};

}  // namespace palena::twin
