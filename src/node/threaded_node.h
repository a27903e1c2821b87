#pragma once

#include <memory>

#include "node/node_impl.h"
#include "node/pending_calls.h"
#include "node/runtime.h"

namespace palena::node {

// Threading::kThreads: calls from any thread, each posted to the shard that owns its keys.
class ThreadedNode final : public Node::Impl {
 public:
  static base::StatusOr<std::unique_ptr<ThreadedNode>> Open(
      const NodeOptions& options, std::shared_ptr<const base::Clock> clock,
      const base::Capacities& capacities);
  ~ThreadedNode() override;

  void Execute(engine::Call call, Result& result) override;
  void ExecuteAsync(engine::Call call, Node::Callback done) override;
  void ExecuteMany(engine::ManyCall call, ManyResult& result) override;
  void ExecuteManyAsync(engine::ManyCall call, Node::ManyCallback done) override;
  std::optional<std::chrono::milliseconds> Poll() override { return std::nullopt; }
  engine::Engine& engine() override { return runtime_->engine(); }

 private:
  template <typename AnyCall, typename Callback>
  void Send(AnyCall call, Callback done);
  template <typename AnyCall, typename AnyResult>
  void SendAndWait(AnyCall call, AnyResult& result);

  explicit ThreadedNode(std::shared_ptr<const base::Clock> clock) : clock_(std::move(clock)) {}

  const std::shared_ptr<const base::Clock> clock_;
  PendingCalls pending_;
  std::unique_ptr<Runtime> runtime_;  // null until it is open
};

}  // namespace palena::node
