#include "node/core.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "store/memory_commit_log.h"
#include "store/rocks_commit_log.h"

namespace palena::node {
namespace {

constexpr std::int64_t kDisciplineNs = 1'000'000'000;
// Trimming takes a fifth of the reader's time while a pass lasts, in steps of a millisecond or two.
constexpr std::int64_t kTrimPausePerWork = 4;
constexpr std::int64_t kTrimPauseNsMin = 1'000'000;
constexpr std::int64_t kTrimRestNs = 1'000'000'000;  // between passes
constexpr std::int64_t kBoundWaitNsMax = 2'000'000'000;

// A node must not hand out stamps that it may have handed out before its restart. A short wait
// keeps its clock at the wall clock; after a longer step back it starts ahead of it instead.
void WaitForBound(const base::Clock& clock, hlc::HybridTime bound) {
  const std::int64_t wait_ns = (bound.ms() + 1) * 1'000'000 - clock.WallNs();
  if (wait_ns <= 0 || wait_ns > kBoundWaitNsMax) return;
  clock.SleepNs(wait_ns);
}

engine::EngineOptions ToEngineOptions(const NodeOptions& options,
                                      const base::Capacities& capacities) {
  engine::EngineOptions engine_options;
  engine_options.capacities = capacities;
  engine_options.node = options.node_id;
  engine_options.fast_path = options.fast_path;
  engine_options.table.memory_bytes_max = options.memory_bytes_max / options.shards;
  engine_options.table.history_bytes = options.ephemeral_history_bytes / options.shards;
  engine_options.table.eviction =
      options.eviction == Eviction::kLru ? store::Eviction::kLru : store::Eviction::kNone;
  return engine_options;
}

store::Retention RetentionOf(const NodeOptions& options) {
  return {.revisions_max = options.revision_retention_count,
          .age_ms = options.revision_retention_age_ms};
}

}  // namespace

base::StatusOr<std::unique_ptr<Core>> Core::Open(
    const NodeOptions& options, const base::Clock& clock, const Workplaces& workplaces,
    std::function<void(const base::Status&)> on_failure) {
  PALENA_CHECK(workplaces.shards.size() == options.shards);
  std::unique_ptr<Core> core(new Core(options, clock, workplaces));
  PALENA_RETURN_IF_ERROR(core->OpenLog());
  core->StartEngine(std::move(on_failure));
  return core;
}

base::Status Core::OpenLog() {
  if (options_.data_dir.empty()) {
    log_ = store::MakeMemoryCommitLog(*workplaces_.log, workplaces_.capacities.commits_per_batch);
    return base::Ok();
  }
  store::RocksCommitLogOptions log_options;
  log_options.directory = options_.data_dir;
  log_options.commits_per_batch = workplaces_.capacities.commits_per_batch;
  log_options.retention = RetentionOf(options_);
  log_options.trimmed_per_step = workplaces_.capacities.trimmed_per_step;
  PALENA_ASSIGN_OR_RETURN(log_, store::OpenRocksCommitLog(log_options, *workplaces_.log));
  return base::Ok();
}

void Core::StartEngine(std::function<void(const base::Status&)> on_failure) {
  WaitForBound(clock_, log_->recovered_clock_bound());
  node_clock_ = std::make_unique<hlc::NodeClock>(clock_, log_->recovered_clock_bound());
  engine::EngineParts parts{&clock_,
                            node_clock_.get(),
                            log_.get(),
                            workplaces_.reader,
                            workplaces_.shards,
                            base::KeyedHash::WithRandomSecret()};
  engine_ = std::make_unique<engine::Engine>(ToEngineOptions(options_, workplaces_.capacities),
                                             std::move(parts), std::move(on_failure));
  engine_->Start();
  workplaces_.shards.front()->PostAfter(kDisciplineNs, [this] { Discipline(); });
  if (!RetentionOf(options_).keeps_all()) TrimHistoryAfter(kTrimRestNs);
}

void Core::Discipline() {
  node_clock_->Discipline();
  workplaces_.shards.front()->PostAfter(kDisciplineNs, [this] { Discipline(); });
}

void Core::TrimHistoryAfter(std::int64_t delay_ns) {
  workplaces_.reader->PostAfter(delay_ns, [this] { TrimHistory(); });
}

// On the reader, which stops before the log goes. A pass that met a damaged place ends there, and
// is tried again: whoever reads that place is told of it.
void Core::TrimHistory() {
  const std::int64_t begin_ns = clock_.SteadyNs();
  const base::StatusOr<bool> goes_on = log_->TrimHistory(node_clock_->Now().ms());
  const bool has_ended = !goes_on.ok() || !*goes_on;
  const std::int64_t pause_ns = kTrimPausePerWork * (clock_.SteadyNs() - begin_ns);
  TrimHistoryAfter(has_ended ? kTrimRestNs : std::max(pause_ns, kTrimPauseNsMin));
}

}  // namespace palena::node
