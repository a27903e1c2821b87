#pragma once

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/hostile.h"
#include "base/temp_dir.h"
#include "conformance/run_cases.h"
#include "conformance/ticking.h"
#include "node/node_impl.h"
#include "palena/node.h"

namespace palena::conformance {

// How an embedder calls its node.
struct NodeUse {
  NodeOptions options;  // without a directory: the runner's own
  bool is_prepared = false;
};

// palena::Node in this process, on RocksDB and a manual clock: no socket.
class NodeRunner final : public Runner {
 public:
  explicit NodeRunner(NodeUse use) : is_prepared_(use.is_prepared) {
    use.options.data_dir = directory_.path();
    auto node = Node::Impl::Open(use.options, clock_, base::TestCapacities());
    PALENA_CHECK(node.ok());
    node_ = *std::move(node);
  }

  Answer Run(const Step& step) override {
    const Ticking ticking(clock_.get(), step.script);
    return Answer::From(is_prepared_ ? RunPrepared(step)
                                     : node_->Execute(step.script, step.parameters));
  }

  void Sleep(std::int64_t ms) override {
    clock_->AdvanceMs(ms);
    while (node_->Poll() == std::chrono::milliseconds(0)) {
    }
  }

 private:
  // Scripts that do not compile, and calls that leave out a parameter before others, have no form
  // by slot.
  Result RunPrepared(const Step& step) {
    const StatusOr<PreparedProgram> program = node_->Prepare(step.script);
    std::vector<std::string_view> values;
    if (!program.ok() || !BySlot(*program, step, values)) {
      return node_->Execute(step.script, step.parameters);
    }
    return node_->Execute(*program, values);
  }

  static bool BySlot(const PreparedProgram& program, const Step& step,
                     std::vector<std::string_view>& values) {
    std::size_t given = 0;
    for (const std::string& name : program.parameters()) {
      for (const auto& [known, value] : step.parameters) {
        if (known != name) continue;
        if (values.size() < given) return false;
        values.push_back(value);
        break;
      }
      ++given;
    }
    return true;
  }

  base::TempDir directory_;
  const bool is_prepared_;
  const std::shared_ptr<base::ManualClock> clock_ = std::make_shared<base::ManualClock>();
  std::unique_ptr<Node> node_;
};

}  // namespace palena::conformance
