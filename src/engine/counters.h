#pragma once

#include <cstdint>

namespace palena::engine {

// One row per counter of a shard: member, name in `info`, what it counts.
#define PALENA_SHARD_COUNTERS(X)                                                          \
  X(runs, "runs", "scripts run to an answer")                                             \
  X(fast_runs, "runs_fast_path", "of these, in one turn without locks")                   \
  X(lock_waits, "lock_waits", "runs that waited for a lock")                              \
  X(lock_timeouts, "lock_timeouts", "runs aborted while waiting for a lock")              \
  X(run_timeouts, "run_timeouts", "runs aborted by their timeout")                        \
  X(script_errors, "script_errors", "runs that ended errored")                            \
  X(admission_refusals, "admission_refusals", "transactions that got no slot in time")    \
  X(conflicts, "conflicts", "optimistic runs aborted because what they read had changed") \
  X(sleeps, "sleeps", "sleep statements")                                                 \
  X(multi_shard_runs, "runs_multi_shard", "runs over keys of several shards")             \
  X(slices, "slices", "turns that a run gave to others before its end")                   \
  X(disk_fetches, "disk_fetches", "times a run waited for the disk")                      \
  X(commits, "commits_persistent", "runs that wrote persistent keys")                     \
  X(hops, "hops", "requests handed to another shard")                                     \
  X(overload_refusals, "overload_refusals", "requests refused because a queue was full")  \
  X(out_of_memory, "out_of_memory", "runs refused by the memory budget")

struct ShardCounters {
#define X(member, name, meaning) std::uint64_t member = 0;
  PALENA_SHARD_COUNTERS(X)
#undef X
};

}  // namespace palena::engine
