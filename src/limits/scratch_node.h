#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.h"
#include "base/inline_executor.h"
#include "engine/engine.h"
#include "hlc/node_clock.h"
#include "store/commit_log.h"

namespace palena::limits {

// An engine of its own, empty and in memory, on the caller's thread, whose clock stands still:
// where a script is tried before anybody relies on it. The same engine that will run it, so that it
// answers as it will.
class ScratchNode : private engine::ReplySink {
 public:
  explicit ScratchNode(std::int64_t now_ms);
  ~ScratchNode() override;

  // `values` by slot. Errored (LIMIT) when the script waits for time to go on.
  model::Result Run(const engine::ProgramPtr& program, std::span<const std::string_view> values);

 private:
  void OnResult(std::uint64_t session, std::uint64_t request, model::Result& result) override;

  base::ManualClock clock_;
  base::InlineExecutor executor_;
  std::unique_ptr<store::CommitLog> log_;
  hlc::NodeClock node_clock_;
  engine::Engine engine_;
  std::optional<model::Result> answer_;
};

}  // namespace palena::limits
