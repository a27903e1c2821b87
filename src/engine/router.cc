#include "engine/router.h"

namespace palena::engine {

std::optional<model::ScriptError> OwnerOf(const RunKeys& keys, unsigned shards, unsigned& owner) {
  if (keys.keys().empty()) return std::nullopt;
  owner = store::ShardOf(keys.keys().front().key.hash, shards);
  for (const RunKey& key : keys.keys()) {
    if (store::ShardOf(key.key.hash, shards) == owner) continue;
    return model::ScriptError{model::Code::kRuntime,
                              "A script over keys of several shards is not supported yet "
                              "(a node started with --shards 1 runs it)",
                              key.line, ""};
  }
  return std::nullopt;
}

model::ScriptError DrainingError() {
  return {model::Code::kDraining, "The node is shutting down", 0, ""};
}

model::ScriptError UnknownProgramError() {
  return {model::Code::kUnknownProgram, "Unknown program: send its text again", 0, ""};
}

}  // namespace palena::engine
