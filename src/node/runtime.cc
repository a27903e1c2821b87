#include "node/runtime.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <utility>

#include "base/hash.h"
#include "store/memory_commit_log.h"
#include "store/rocks_commit_log.h"

namespace palena::node {
namespace {

constexpr unsigned kShardsMax = 256;
constexpr std::size_t kShardMemoryBytesMin = std::size_t{1} << 20;
constexpr std::int64_t kDisciplineNs = 1'000'000'000;
constexpr std::int64_t kBoundWaitNsMax = 2'000'000'000;

NodeOptions WithDefaults(NodeOptions options) {
  if (options.shards == 0) {
    options.shards = std::clamp(std::thread::hardware_concurrency(), 1U, kShardsMax);
  }
  return options;
}

base::Status Check(const NodeOptions& options) {
  if (options.shards > kShardsMax) {
    return absl::InvalidArgumentError("shards: " + std::to_string(options.shards) +
                                      " is above the maximum of " + std::to_string(kShardsMax));
  }
  if (options.node_id == 0) {
    return absl::InvalidArgumentError("node id: 0 is not between 1 and 65535");
  }
  if (options.memory_bytes_max / options.shards < kShardMemoryBytesMin) {
    return absl::InvalidArgumentError("memory: " + std::to_string(options.memory_bytes_max) +
                                      " bytes for " + std::to_string(options.shards) +
                                      " shards is less than " +
                                      std::to_string(kShardMemoryBytesMin) + " bytes each");
  }
  return base::Ok();
}

// A node must not hand out stamps that it may have handed out before its restart. A short wait
// keeps its clock at the wall clock; after a longer step back it starts ahead of it instead.
void WaitForBound(const base::Clock& clock, hlc::HybridTime bound) {
  const std::int64_t wait_ns = (bound.ms() + 1) * 1'000'000 - clock.WallNs();
  if (wait_ns <= 0 || wait_ns > kBoundWaitNsMax) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(wait_ns));
}

}  // namespace

base::StatusOr<std::unique_ptr<Runtime>> Runtime::Open(
    const NodeOptions& options, const base::Clock& clock,
    std::function<void(const base::Status&)> on_failure) {
  const NodeOptions complete = WithDefaults(options);
  PALENA_RETURN_IF_ERROR(Check(complete));
  std::unique_ptr<Runtime> runtime(new Runtime(complete, clock));
  PALENA_RETURN_IF_ERROR(runtime->OpenLog());
  runtime->StartEngine(std::move(on_failure));
  return runtime;
}

Runtime::Runtime(const NodeOptions& options, const base::Clock& clock)
    : options_(options), clock_(clock), boot_id_(base::RandomUint64()) {}

base::Status Runtime::OpenLog() {
  log_thread_ = std::make_unique<base::ThreadExecutor>(clock_, "palena-log");
  if (options_.data_dir.empty()) {
    log_ = store::MakeMemoryCommitLog(*log_thread_);
    return base::Ok();
  }
  store::RocksCommitLogOptions log_options;
  log_options.directory = options_.data_dir;
  PALENA_ASSIGN_OR_RETURN(log_, store::OpenRocksCommitLog(log_options, *log_thread_));
  return base::Ok();
}

void Runtime::StartEngine(std::function<void(const base::Status&)> on_failure) {
  WaitForBound(clock_, log_->recovered_clock_bound());
  node_clock_ = std::make_unique<hlc::NodeClock>(clock_, log_->recovered_clock_bound());
  reader_ = std::make_unique<base::ThreadExecutor>(clock_, "palena-reader");

  engine::EngineParts parts{&clock_,    node_clock_.get(),
                            log_.get(), reader_.get(),
                            {},         base::KeyedHash::WithRandomSecret()};
  for (unsigned i = 0; i < options_.shards; ++i) {
    loops_.push_back(std::make_unique<net::Loop>(clock_, "shard-" + std::to_string(i)));
    parts.executors.push_back(loops_.back().get());
  }
  engine::EngineOptions engine_options;
  engine_options.node = options_.node_id;
  engine_options.fast_path = options_.fast_path;
  engine_options.table.memory_bytes_max = options_.memory_bytes_max / options_.shards;
  engine_options.table.history_bytes = options_.ephemeral_history_bytes / options_.shards;
  engine_options.table.eviction =
      options_.eviction == Eviction::kLru ? store::Eviction::kLru : store::Eviction::kNone;
  engine_ =
      std::make_unique<engine::Engine>(engine_options, std::move(parts), std::move(on_failure));
  engine_->Start();
  loops_.front()->PostAfter(kDisciplineNs, [this] { Discipline(); });
}

void Runtime::Discipline() {
  node_clock_->Discipline();
  loops_.front()->PostAfter(kDisciplineNs, [this] { Discipline(); });
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
  if (engine_ != nullptr) {
    auto drained = std::make_shared<std::promise<void>>();
    std::future<void> waits = drained->get_future();
    engine_->Drain([drained] { drained->set_value(); });
    is_drained =
        waits.wait_for(std::chrono::milliseconds(patience_ms)) == std::future_status::ready;
  }
  // The shards first: nothing new comes in, and what the others still post to them is dropped. Then
  // the readers of the log, the log (which writes what was queued), and the thread that it writes
  // on.
  for (const std::unique_ptr<net::Loop>& loop : loops_) loop->Stop();
  reader_.reset();
  log_.reset();
  log_thread_.reset();
  return is_drained;
}

Runtime::~Runtime() {
  Stop(10'000);
}

}  // namespace palena::node
