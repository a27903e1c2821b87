#include "engine/engine.h"

#include <mutex>
#include <utility>

#include "base/check.h"

namespace palena::engine {
namespace {

// The numbers of one shard that are summed over all of them.
std::vector<Metric> ShardMetrics(const Shard& shard) {
  std::vector<Metric> metrics;
  const auto add = [&](const char* name, auto value) {
    metrics.push_back({name, static_cast<std::int64_t>(value)});
  };
  const ShardCounters& counters = shard.counters();
#define X(member, name, meaning) add(name, counters.member);
  PALENA_SHARD_COUNTERS(X)
#undef X
  const store::TableStats table = shard.table_stats();
  add("open_runs", shard.open_runs());
  add("entries", table.entries);
  add("memory_bytes", table.memory_bytes);
  add("history_bytes", table.history_bytes);
  add("expired_swept", table.expired_swept);
  add("persistent_evicted", table.persistent_evicted);
  add("ephemeral_evicted", table.ephemeral_evicted);
  add("memory_refusals", table.memory_refusals);
  return metrics;
}

void Answer(const ReplyTo& to, model::Result result) {
  to.sink->OnResult(to.session, to.request, result);
}

}  // namespace

Engine::Engine(const EngineOptions& options, EngineParts parts,
               std::function<void(const base::Status&)> on_failure)
    : options_(options),
      parts_(std::move(parts)),
      programs_(parts_.hash, {.programs_max = options.capacities.programs_max}),
      on_failure_(std::move(on_failure)) {
  PALENA_CHECK(!parts_.executors.empty());
  ShardOptions shard_options;
  shard_options.shards = static_cast<unsigned>(parts_.executors.size());
  shard_options.node = options.node;
  shard_options.fast_path = options.fast_path;
  shard_options.open_runs_max = options.open_runs_max;
  shard_options.open_transactions_max = options.open_transactions_max;
  shard_options.table = options.table;
  shard_options.capacities = options.capacities;
  std::vector<Shard*> peers;
  for (base::Executor* executor : parts_.executors) {
    const ShardParts shard_parts{parts_.clock,  parts_.node_clock, &floor_,    &watermark_,
                                 &is_draining_, parts_.log,        &programs_, executor,
                                 parts_.reader, &parts_.hash};
    shards_.push_back(std::make_unique<Shard>(shard_options, shard_parts));
    peers.push_back(shards_.back().get());
    ++shard_options.index;
  }
  for (const std::unique_ptr<Shard>& shard : shards_) shard->SetPeers(peers);
  watermark_.Advance(parts_.log->recovered_sequence(), parts_.log->recovered_clock_bound());
  parts_.log->SetListener(this);
}

Engine::~Engine() = default;

void Engine::Start() {
  for (const std::unique_ptr<Shard>& shard : shards_) shard->Start();
}

void Engine::OnDurable(store::Sequence sequence, hlc::HybridTime bound) {
  watermark_.Advance(sequence, bound);
  for (const std::unique_ptr<Shard>& shard : shards_) shard->OnDurable();
}

void Engine::OnFailed(const base::Status& status) {
  if (on_failure_) on_failure_(status);
}

void Engine::ExecuteFromOutside(const Call& call) {
  const auto refuse = [&](const model::ScriptError& error) {
    Answer(call.reply_to, model::Result::Failure(error));
  };
  if (is_draining_.load()) return refuse(DrainingError());
  model::ScriptOr<ProgramPtr> program = FindProgram(programs_, call);
  if (!program.ok()) return refuse(program.error());
  auto run = std::make_unique<Run>(options_.capacities);
  run->Bind(**program, call, kOutside);
  if (auto error = run->Resolve(parts_.hash)) return refuse(*error);
  Submit(std::move(run));
}

void Engine::ExecuteFromOutside(const ManyCall& call) {
  if (is_draining_.load()) {
    return Answer(call.reply_to, model::Result::Failure(DrainingError()));
  }
  auto series = std::make_unique<Series>();
  if (auto error = series->Find(programs_, call)) {
    return Answer(call.reply_to, series->Failure(*error));
  }
  auto run = std::make_unique<Run>(options_.capacities);
  run->Bind(std::move(series), call, kOutside);
  if (auto error = run->ResolveSeries(parts_.hash)) {
    return Answer(call.reply_to, run->Failure(*error));
  }
  Submit(std::move(run));
}

// A bound run with its keys.
void Engine::Submit(std::unique_ptr<Run> run) {
  run->Detach(parts_.clock->SteadyNs());
  const unsigned by_default = next_keyless_.fetch_add(1, std::memory_order_relaxed) % shards();
  run->home = PlanStops(run->keys, shards(), by_default, run->stops);
  Shard& first = *shards_[run->home];
  first.Submit(std::move(run));
}

void Engine::DropLane(std::uint64_t lane) {
  for (const std::unique_ptr<Shard>& shard : shards_) shard->DropLane(lane);
}

// Adds up what the shards report, each from its own thread.
struct Engine::Gathering {
  std::mutex mutex;  // guards the rest
  std::vector<Metric> sum;
  std::size_t missing = 0;
  std::function<void(std::vector<Metric>)> done;

  // True for the last report.
  bool Add(const std::vector<Metric>& metrics) {
    std::lock_guard lock(mutex);
    if (sum.empty()) {
      sum = metrics;
    } else {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i].value += metrics[i].value;
    }
    return --missing == 0;
  }
};

void Engine::CollectMetrics(std::function<void(std::vector<Metric>)> done) {
  auto gathering = std::make_shared<Gathering>();
  gathering->missing = shards_.size();
  gathering->done = std::move(done);
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    parts_.executors[i]->Post([this, i, gathering] {
      if (!gathering->Add(ShardMetrics(*shards_[i]))) return;
      AddNodeMetrics(gathering->sum);
      gathering->done(std::move(gathering->sum));
    });
  }
}

void Engine::AddNodeMetrics(std::vector<Metric>& metrics) const {
  const auto add = [&](const char* name, auto value) {
    metrics.push_back({name, static_cast<std::int64_t>(value)});
  };
  const ProgramCache::Stats programs = programs_.stats();
  add("programs", programs.programs);
  add("program_bytes", programs.bytes);
  add("programs_compiled", programs.compiled);
  add("programs_evicted", programs.evicted);
  const store::CommitLog::Stats log = parts_.log->stats();
  add("log_commits", log.commits);
  add("log_batches", log.batches);
  add("log_versions_trimmed", log.versions_trimmed);
  add("log_sequence_durable", watermark_.sequence());
  const hlc::NodeClock::Status clock = parts_.node_clock->status();
  add("clock_ms", parts_.node_clock->NowNs() / 1'000'000);
  add("clock_steps", clock.steps);
  add("clock_last_step_ms", clock.last_step_ns / 1'000'000);
  add("clock_offset_us", clock.offset_ns / 1'000);
}

void Engine::WhenAllIdle(std::function<void()> done) {
  auto missing = std::make_shared<std::atomic<std::size_t>>(shards_.size());
  for (const std::unique_ptr<Shard>& shard : shards_) {
    shard->WhenIdle([missing, done] {
      if (missing->fetch_sub(1) == 1) done();
    });
  }
}

void Engine::Drain(std::function<void()> done) {
  is_draining_.store(true);
  // Twice: a run that was on its way between shards at the first count has arrived by the second,
  // and its reply, mailed at its end, by the third.
  WhenAllIdle([this, done = std::move(done)] { WhenAllIdle([this, done] { WhenAllIdle(done); }); });
}

}  // namespace palena::engine
