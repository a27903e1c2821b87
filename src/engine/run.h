#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/program_cache.h"
#include "engine/reply.h"
#include "engine/run_host.h"
#include "engine/run_keys.h"
#include "model/request.h"
#include "script/vm.h"

namespace palena::engine {

// Calls that come from no shard's thread: embedders, tests.
inline constexpr unsigned kOutside = ~0U;

// One run of a program, from its request to its answer: everything that must survive a wait. Pooled
// by the shards, so that a warm run allocates nothing. On the fast path it lives for one turn.
class Run {
 public:
  // Takes over the request: parameters are copied (a frame does not outlive its turn) and put into
  // the program's slots; of duplicates the first wins, unknown ones are ignored.
  void Bind(ProgramPtr bound_program, const model::RequestView& request);
  // `timeout_ms` 0: the default; above the maximum: the maximum.
  void SetDeadline(const base::Clock& clock, std::int64_t timeout_ms);
  // Back to the pool: forgets, and gives back memory that only a large request needed.
  void Reset();

  ProgramPtr program;
  std::vector<std::optional<std::string_view>> parameters;  // by slot
  ReplyTo reply_to;
  unsigned origin = kOutside;    // shard whose thread gets the answer
  std::uint64_t lane = 0;        // runs of one lane start in order; 0: no lane
  bool is_abandoned = false;     // its caller is gone: it must not commit
  std::int64_t deadline_ns = 0;  // steady

  RunKeys keys;
  RunHost host;
  script::Vm vm;
  hlc::Stamp stamp;
  model::Result result;

  // General path only.
  enum class Step : std::uint8_t { kBegin, kLock, kSlice };
  Step next_step = Step::kBegin;          // what its turn in the ready queue is for
  std::vector<std::uint32_t> lock_order;  // indexes of keys
  std::size_t locks_held = 0;             // of lock_order
  bool is_waiting_for_lock = false;
  std::optional<model::ScriptError> fetch_error;

 private:
  std::string parameter_bytes_;
};

}  // namespace palena::engine
