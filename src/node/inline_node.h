#pragma once

#include <cstdint>
#include <memory>
#include <thread>

#include "base/inline_executor.h"
#include "node/core.h"
#include "node/node_impl.h"
#include "node/pending_calls.h"

namespace palena::node {

// Threading::kInline: shard, log and reader are one executor, and its thread is the caller's.
//
// A blocking call is a turn of the shard: the run goes straight from the caller's values to
// engine::Shard::ExecuteNow, and its answer straight into the caller's result. Only a run that
// waits (for a commit, the disk, a lock, its next slice) has the executor driven until it ends.
class InlineNode final : public Node::Impl {
 public:
  static base::StatusOr<std::unique_ptr<InlineNode>> Open(const NodeOptions& options,
                                                          std::shared_ptr<const base::Clock> clock,
                                                          const base::Capacities& capacities);
  ~InlineNode() override;

  void Execute(engine::Call call, Result& result) override;
  void ExecuteAsync(engine::Call call, Node::Callback done) override;
  void ExecuteMany(engine::ManyCall call, ManyResult& result) override;
  void ExecuteManyAsync(engine::ManyCall call, Node::ManyCallback done) override;
  std::optional<std::chrono::milliseconds> Poll() override;
  engine::Engine& engine() override { return core_->engine(); }

 private:
  class Work;

  // The answer of the blocking call, of which there is one at a time.
  class Answer final : public engine::ReplySink {
   public:
    engine::ReplyTo Await(Result& into);
    engine::ReplyTo Await(ManyResult& into);
    bool has_come() const { return into_ == nullptr; }
    void Forget() {
      into_ = nullptr;
      many_ = nullptr;
    }
    void OnResult(std::uint64_t session, std::uint64_t request, model::Result& result) override;

   private:
    Result* into_ = nullptr;      // null: nothing is awaited, or it has come
    ManyResult* many_ = nullptr;  // what it is the verdict of, when many are awaited
    std::uint64_t awaited_ = 0;
  };

  template <typename AnyCall, typename AnyResult>
  void Run(AnyCall call, AnyResult& result);
  template <typename AnyCall, typename Callback>
  void Send(AnyCall call, Callback done);

  explicit InlineNode(std::shared_ptr<const base::Clock> clock);
  void OnLogFailure(const base::Status& cause);
  bool HasDueTasks(const engine::Shard& shard);
  // Works, and sleeps while only time can help, but not beyond `until_ns`.
  void WorkOrSleep(std::int64_t until_ns);
  void Drain();

  const std::shared_ptr<const base::Clock> clock_;
  const std::thread::id owner_ = std::this_thread::get_id();
  bool is_working_ = false;  // inside Execute, Poll or the destructor
  base::Status failure_;     // of the log
  std::int64_t looked_at_ms_ = -1;
  Answer answer_;
  PendingCalls pending_;
  base::InlineExecutor executor_;
  std::unique_ptr<Core> core_;  // null until it is open
};

}  // namespace palena::node
