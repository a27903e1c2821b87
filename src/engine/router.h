#pragma once

#include <vector>

#include "engine/call.h"
#include "engine/program_cache.h"
#include "engine/run_keys.h"
#include "model/script_or.h"

namespace palena::engine {

// The shard at which a run begins; `by_default` when it has no keys. When its keys and ranges
// (which lie on all shards) are on several, these are left in `stops`, ascending; otherwise it
// stays empty.
unsigned PlanStops(const RunKeys& keys, unsigned shards, unsigned by_default,
                   std::vector<unsigned>& stops);

// The answer to a program id that this node has not (or no longer) in its cache.
model::ScriptError UnknownProgramError();

// The program of a Call or ProgramCall: its own, or from a shard's cache or the node's.
template <typename Cache, typename AnyCall>
auto FindProgram(Cache& cache, const AnyCall& call)
    -> decltype(cache.FindOrCompile(call.request.script)) {
  if (call.program != nullptr) return Cache::Lend(*call.program);
  const model::RequestView& request = call.request;
  if (!request.program_id.has_value()) return cache.FindOrCompile(request.script);
  if (auto program = cache.FindId(*request.program_id)) return program;
  return UnknownProgramError();
}

model::ScriptError DrainingError();

}  // namespace palena::engine
