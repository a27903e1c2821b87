#pragma once

// The decision of decisions.h as an embedder makes it: the recipe as a prepared program of an
// inline node.

#include <memory>

#include "base/check.h"
#include "decisions.h"
#include "palena/node.h"

namespace palena {

class PreparedDecider {
 public:
  bool Decide(const engine::Decision& decision) {
    node_->Execute(take_, {decision.key, decision.expires_ms, decision.limit}, result_);
    PALENA_CHECK(result_.ok());
    return result_.text() == "1";
  }

 private:
  std::unique_ptr<Node> node_ = *Node::Open({.threading = Threading::kInline});
  PreparedProgram take_ = *node_->Prepare(engine::FixedWindow());
  Result result_;
};

}  // namespace palena
