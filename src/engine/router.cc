#include "engine/router.h"

namespace palena::engine {

unsigned PlanStops(const RunKeys& keys, unsigned shards, unsigned by_default,
                   std::vector<unsigned>& stops) {
  if (shards == 1) return 0;
  unsigned owner = by_default;
  bool is_spread = !keys.ranges().empty();
  if (!keys.keys().empty()) owner = store::ShardOf(keys.keys().front().key.hash, shards);
  for (const RunKey& key : keys.keys()) {
    is_spread |= store::ShardOf(key.key.hash, shards) != owner;
  }
  if (!is_spread) return owner;
  std::vector<bool> is_stop(shards, !keys.ranges().empty());
  for (const RunKey& key : keys.keys()) is_stop[store::ShardOf(key.key.hash, shards)] = true;
  for (unsigned shard = 0; shard < shards; ++shard) {
    if (is_stop[shard]) stops.push_back(shard);
  }
  return stops.front();
}

model::ScriptError DrainingError() {
  return {model::Code::kDraining, "The node is shutting down", 0, ""};
}

model::ScriptError UnknownProgramError() {
  return {model::Code::kUnknownProgram, "Unknown program: send its text again", 0, ""};
}

}  // namespace palena::engine
