#pragma once

// Internal capacities: how much is done in one go, and how much is kept for reuse. Nobody can tell
// them by an answer: whatever they are, the same scripts give the same results, and the limits of
// limits.h and their errors stay what they are. The composition root hands them down.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/limits.h"

namespace palena::base {

inline constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

struct Capacities {
  // Compiled programs that are kept, by the node and again by each shard; and how many a client
  // remembers by id.
  std::size_t programs_max = kCachedProgramsMax;

  // Runs: steps of the fast path, steps of a slice, steps between two looks at the clock within a
  // slice, and runs that the ready queue gives one turn.
  std::uint64_t fast_path_steps = kFastPathSteps;
  std::uint64_t slice_steps = kSliceSteps;
  std::uint64_t steps_per_look = 4'096;
  std::size_t ready_runs_per_turn = kUnbounded;
  // Up to here every key of a run is compared with every other; above, an index is built.
  std::size_t pairwise_keys_max = 16;
  // What stays for the next run: run objects of a shard, and in each what a large one needed. More
  // keys than scripts by hand ever name, less than a generated one may.
  std::size_t pooled_runs_max = 1'024;
  std::size_t kept_keys_max = 256;
  std::size_t kept_parameter_bytes = std::size_t{16} << 10;
  std::size_t kept_value_bytes = std::size_t{4} << 10;

  // Answers on their way to other shards, above which no further run begins. Mails with at least
  // `large_mail_bytes` of them count until they have been handled; smaller ones are not worth the
  // way back.
  std::size_t mailed_bytes_max = std::size_t{4} << 20;
  std::size_t large_mail_bytes = std::size_t{64} << 10;
  // Whether a shard asks the log's memory for persistent keys that it does not hold, before it asks
  // the reader.
  bool peeks_into_log = true;
  // Dead entries removed in one go, so that a million keys expiring together stall nobody: each is
  // some microseconds of search in the ordered index.
  std::size_t swept_entries_per_turn = 256;
  // Commits that share a synced write.
  std::size_t commits_per_batch = kUnbounded;

  // Keys and versions looked at in one step of the trimming of history.
  std::size_t trimmed_per_step = 512;

  // Connections: requests in flight before the rest waits in the socket (a client sends no more
  // than that), bytes of the large ones among them, frames of one turn, output that pauses reading,
  // output buffer kept for the next turn, first size of the input buffer, bytes of one transfer,
  // connections accepted in one turn.
  std::size_t requests_in_flight_max = kRequestsInFlightMax;
  std::size_t large_request_bytes_in_flight_max = std::size_t{8} << 20;
  std::size_t frames_per_turn = kUnbounded;
  std::size_t output_pause_bytes = kOutputPauseBytes;
  std::size_t output_kept_bytes = std::size_t{256} << 10;
  std::size_t read_bytes = std::size_t{64} << 10;
  std::size_t transfer_bytes_max = kUnbounded;
  std::size_t accepted_per_turn = 64;

  // As little of everything as still works: every wait, hand-over and eviction that a busy node
  // sees now and then happens all the time. For tests (docs/testing.md).
  static constexpr Capacities Hostile() {
    Capacities least;
    least.programs_max = 1;
    least.fast_path_steps = 1;
    least.slice_steps = 1;
    least.steps_per_look = 1;
    least.ready_runs_per_turn = 1;
    least.pairwise_keys_max = 0;
    least.pooled_runs_max = 1;
    least.kept_keys_max = 0;
    least.kept_parameter_bytes = 0;
    least.kept_value_bytes = 0;
    least.mailed_bytes_max = 0;
    least.large_mail_bytes = 1;
    least.peeks_into_log = false;
    least.swept_entries_per_turn = 1;
    least.commits_per_batch = 1;
    least.trimmed_per_step = 1;
    least.requests_in_flight_max = 2;  // one that runs and one behind it; a call and its Prepare
    least.large_request_bytes_in_flight_max = 1;
    least.frames_per_turn = 1;
    least.output_pause_bytes = 1;
    least.output_kept_bytes = 0;
    least.read_bytes = 1;
    least.transfer_bytes_max = 1;
    least.accepted_per_turn = 1;
    return least;
  }
};

}  // namespace palena::base
