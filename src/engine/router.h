#pragma once

#include <optional>

#include "engine/run_keys.h"
#include "model/result.h"

namespace palena::engine {

// The shard that owns all keys of a run; `owner` stays as it is when there are none. Keys of
// several shards are refused for now, with the line that names the first key elsewhere.
std::optional<model::ScriptError> OwnerOf(const RunKeys& keys, unsigned shards, unsigned& owner);

// The answer to a program id that this node has not (or no longer) in its cache.
model::ScriptError UnknownProgramError();

}  // namespace palena::engine
