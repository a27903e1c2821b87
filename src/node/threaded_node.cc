#include "node/threaded_node.h"

#include <functional>
#include <future>
#include <utility>

namespace palena::node {

base::StatusOr<std::unique_ptr<ThreadedNode>> ThreadedNode::Open(
    const NodeOptions& options, std::shared_ptr<const base::Clock> clock,
    const base::Capacities& capacities) {
  std::unique_ptr<ThreadedNode> node(new ThreadedNode(std::move(clock)));
  const auto on_failure = [&pending = node->pending_](const base::Status& cause) {
    pending.FailAll(cause);
  };
  PALENA_ASSIGN_OR_RETURN(node->runtime_,
                          Runtime::Open(options, *node->clock_, on_failure, capacities));
  return node;
}

ThreadedNode::~ThreadedNode() {
  if (runtime_ == nullptr) return;
  runtime_->Stop(pending_.has_failed() ? 0 : kStopPatienceMs);
  pending_.Abandon();
}

template <typename AnyCall, typename Callback>
void ThreadedNode::Send(AnyCall call, Callback done) {
  const std::optional<engine::ReplyTo> reply_to = pending_.Add(std::move(done));
  if (!reply_to.has_value()) return;
  call.reply_to = *reply_to;
  engine().ExecuteFromOutside(call);
}

template <typename AnyCall, typename AnyResult>
void ThreadedNode::SendAndWait(AnyCall call, AnyResult& result) {
  // Shared with the callback, which may still be within set_value() when this returns.
  const auto answered = std::make_shared<std::promise<void>>();
  Send(call, std::function<void(AnyResult)>([&result, answered](AnyResult answer) {
         result = std::move(answer);
         answered->set_value();
       }));
  answered->get_future().wait();
}

void ThreadedNode::ExecuteAsync(engine::Call call, Node::Callback done) {
  Send(call, std::move(done));
}

void ThreadedNode::Execute(engine::Call call, Result& result) {
  SendAndWait(call, result);
}

void ThreadedNode::ExecuteManyAsync(engine::ManyCall call, Node::ManyCallback done) {
  Send(call, std::move(done));
}

void ThreadedNode::ExecuteMany(engine::ManyCall call, ManyResult& result) {
  SendAndWait(call, result);
}

}  // namespace palena::node
