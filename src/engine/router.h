#pragma once

#include <optional>

#include "engine/call.h"
#include "engine/program_cache.h"
#include "engine/run_keys.h"
#include "model/script_or.h"

namespace palena::engine {

// The shard that owns all keys of a run; `owner` stays as it is when there are none. Keys of
// several shards are refused for now, with the line that names the first key elsewhere.
std::optional<model::ScriptError> OwnerOf(const RunKeys& keys, unsigned shards, unsigned& owner);

// The answer to a program id that this node has not (or no longer) in its cache.
model::ScriptError UnknownProgramError();

// The program of a call: its own, or from a shard's cache or the node's.
template <typename Cache>
auto FindProgram(Cache& cache, const Call& call)
    -> decltype(cache.FindOrCompile(call.request.script)) {
  if (call.program != nullptr) return Cache::Lend(*call.program);
  const model::RequestView& request = call.request;
  if (!request.program_id.has_value()) return cache.FindOrCompile(request.script);
  if (auto program = cache.FindId(*request.program_id)) return program;
  return UnknownProgramError();
}

model::ScriptError DrainingError();

}  // namespace palena::engine
