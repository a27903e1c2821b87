#pragma once

// The page /metrics: Prometheus text, exposition format 0.0.4.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "limits/limit_service.h"
#include "net/loop.h"

namespace palena::server {

inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

// What Prometheus makes of a number.
enum class MetricType : unsigned char { kCounter, kGauge };

// One row per number of the engine: its name there, its name here, its type, how many of its units
// make one of ours (which are seconds and bytes), what it is.
#define PALENA_ENGINE_METRICS(X)                                                                  \
  X("runs", "palena_runs_total", kCounter, 1, "Scripts run to an answer.")                        \
  X("runs_fast_path", "palena_runs_fast_path_total", kCounter, 1,                                 \
    "Scripts run in one turn, without locks.")                                                    \
  X("lock_waits", "palena_lock_waits_total", kCounter, 1, "Runs that waited for a lock.")         \
  X("lock_timeouts", "palena_lock_timeouts_total", kCounter, 1,                                   \
    "Runs aborted while waiting for a lock.")                                                     \
  X("run_timeouts", "palena_run_timeouts_total", kCounter, 1, "Runs aborted by their timeout.")   \
  X("script_errors", "palena_script_errors_total", kCounter, 1, "Runs that ended errored.")       \
  X("admission_refusals", "palena_admission_refusals_total", kCounter, 1,                         \
    "Transactions that got no slot in time.")                                                     \
  X("conflicts", "palena_conflicts_total", kCounter, 1,                                           \
    "Optimistic runs aborted because what they read had changed.")                                \
  X("sleeps", "palena_sleeps_total", kCounter, 1, "Sleep statements.")                            \
  X("runs_multi_shard", "palena_runs_multi_shard_total", kCounter, 1,                             \
    "Runs over keys of several shards.")                                                          \
  X("slices", "palena_slices_total", kCounter, 1, "Turns that runs gave to others.")              \
  X("disk_fetches", "palena_disk_fetches_total", kCounter, 1, "Times a run waited for the disk.") \
  X("commits_persistent", "palena_commits_persistent_total", kCounter, 1,                         \
    "Runs that wrote persistent keys.")                                                           \
  X("hops", "palena_hops_total", kCounter, 1, "Requests handed to another shard.")                \
  X("overload_refusals", "palena_overload_refusals_total", kCounter, 1,                           \
    "Requests refused because a queue was full.")                                                 \
  X("out_of_memory", "palena_out_of_memory_total", kCounter, 1,                                   \
    "Runs refused by the memory budget.")                                                         \
  X("open_runs", "palena_open_runs", kGauge, 1, "Runs of the general path under way.")            \
  X("entries", "palena_entries", kGauge, 1, "Keys in memory.")                                    \
  X("memory_bytes", "palena_memory_bytes", kGauge, 1, "Memory that keys and values use.")         \
  X("history_bytes", "palena_history_bytes", kGauge, 1,                                           \
    "Memory that older versions of ephemeral keys use.")                                          \
  X("expired_swept", "palena_expired_swept_total", kCounter, 1, "Expired keys removed.")          \
  X("persistent_evicted", "palena_persistent_evicted_total", kCounter, 1,                         \
    "Persistent keys that left memory; the disk has them.")                                       \
  X("ephemeral_evicted", "palena_ephemeral_evicted_total", kCounter, 1,                           \
    "Ephemeral keys dropped to make room.")                                                       \
  X("memory_refusals", "palena_memory_refusals_total", kCounter, 1,                               \
    "Writes refused by the memory budget.")                                                       \
  X("programs", "palena_programs", kGauge, 1, "Compiled scripts kept.")                           \
  X("program_bytes", "palena_program_bytes", kGauge, 1, "Memory that compiled scripts use.")      \
  X("programs_compiled", "palena_programs_compiled_total", kCounter, 1, "Scripts compiled.")      \
  X("programs_evicted", "palena_programs_evicted_total", kCounter, 1,                             \
    "Compiled scripts dropped to make room.")                                                     \
  X("log_commits", "palena_log_commits_total", kCounter, 1, "Commits written to the log.")        \
  X("log_batches", "palena_log_batches_total", kCounter, 1, "Synced writes of the log.")          \
  X("log_versions_trimmed", "palena_log_versions_trimmed_total", kCounter, 1,                     \
    "Older versions of persistent keys removed.")                                                 \
  X("log_sequence_durable", "palena_log_sequence_durable", kGauge, 1,                             \
    "Number of the latest durable commit.")                                                       \
  X("clock_ms", "palena_clock_seconds", kGauge, 1'000, "The node's clock, since the Unix epoch.") \
  X("clock_steps", "palena_clock_steps_total", kCounter, 1,                                       \
    "Steps of the system's clock, which the node did not follow.")                                \
  X("clock_last_step_ms", "palena_clock_last_step_seconds", kGauge, 1'000,                        \
    "The latest of these steps.")                                                                 \
  X("clock_offset_us", "palena_clock_offset_seconds", kGauge, 1'000'000,                          \
    "The node's clock minus the system's.")

// The numbers of one door's connections, by the word for it.
struct DoorMetrics {
  std::string_view door;
  net::ListenerStats stats;
};

struct HttpServerMetrics {
  std::string version;
  std::uint16_t node_id = 0;
  std::vector<DoorMetrics> doors;
  std::array<std::uint64_t, 6> responses{};  // by the first digit of the status
};

// A label's value, as it stands between the quotes.
std::string EscapeLabel(std::string_view value);

// The page.
class MetricsPage {
 public:
  void AddEngine(const std::vector<engine::Metric>& metrics);
  void AddServer(const HttpServerMetrics& metrics);
  // As many lines as there are limits; subjects are not among them, since nobody bounds those.
  void AddLimits(const std::vector<limits::LimitCounts>& limits);
  std::string Take() { return std::move(text_); }

  // HELP and TYPE of what follows.
  void Describe(std::string_view name, MetricType type, std::string_view help);
  // One number; `labels` as between the braces, empty for none.
  void Add(std::string_view name, std::string_view labels, std::string_view value);

 private:
  void AddConnections(const std::vector<DoorMetrics>& doors);

  std::string text_;
};

}  // namespace palena::server
