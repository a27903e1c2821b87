#include "node/runtime.h"

#include <chrono>
#include <future>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "node/complete_options.h"

namespace palena::node {

base::StatusOr<std::unique_ptr<Runtime>> Runtime::Open(
    const NodeOptions& options, const base::Clock& clock,
    std::function<void(const base::Status&)> on_failure, const base::Capacities& capacities) {
  PALENA_CHECK(options.threading == Threading::kThreads);
  PALENA_ASSIGN_OR_RETURN(const NodeOptions complete, Complete(options));
  std::unique_ptr<Runtime> runtime(new Runtime(complete, clock, capacities));
  Workplaces workplaces{runtime->log_thread_.get(), runtime->reader_.get(), {}, capacities};
  for (net::Loop* loop : runtime->loops()) workplaces.shards.push_back(loop);
  PALENA_ASSIGN_OR_RETURN(runtime->core_,
                          Core::Open(complete, clock, workplaces, std::move(on_failure)));
  return runtime;
}

Runtime::Runtime(const NodeOptions& options, const base::Clock& clock,
                 const base::Capacities& capacities)
    : capacities_(capacities),
      node_id_(options.node_id),
      boot_id_(base::RandomUint64()),
      log_thread_(std::make_unique<base::ThreadExecutor>(clock, "palena-log")),
      reader_(std::make_unique<base::ThreadExecutor>(clock, "palena-reader")) {
  for (unsigned i = 0; i < options.shards; ++i) {
    loops_.push_back(std::make_unique<net::Loop>(clock, "shard-" + std::to_string(i)));
  }
}

std::vector<net::Loop*> Runtime::loops() {
  std::vector<net::Loop*> loops;
  for (const std::unique_ptr<net::Loop>& loop : loops_) loops.push_back(loop.get());
  return loops;
}

bool Runtime::Stop(std::int64_t patience_ms) {
  if (is_stopped_) return true;
  is_stopped_ = true;
  bool is_drained = true;
  if (core_ != nullptr) {
    auto drained = std::make_shared<std::promise<void>>();
    std::future<void> waits = drained->get_future();
    engine().Drain([drained] { drained->set_value(); });
    is_drained =
        waits.wait_for(std::chrono::milliseconds(patience_ms)) == std::future_status::ready;
  }
  // The shards first: nothing new comes in, and what the others still post to them is dropped. Then
  // the readers of the log, the log (which writes what was queued), and the thread that it writes
  // on.
  for (const std::unique_ptr<net::Loop>& loop : loops_) loop->Stop();
  reader_.reset();
  if (core_ != nullptr) core_->CloseLog();
  log_thread_.reset();
  return is_drained;
}

Runtime::~Runtime() {
  Stop(10'000);
}

}  // namespace palena::node
