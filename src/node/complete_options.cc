#include "node/complete_options.h"

#include <algorithm>
#include <string>
#include <thread>

namespace palena::node {
namespace {

constexpr unsigned kShardsMax = 256;
constexpr std::size_t kShardMemoryBytesMin = std::size_t{1} << 20;

unsigned DefaultShards(Threading threading) {
  if (threading == Threading::kInline) return 1;
  return std::clamp(std::thread::hardware_concurrency(), 1U, kShardsMax);
}

base::Status CheckShards(const NodeOptions& options) {
  const std::string shards = std::to_string(options.shards);
  if (options.shards > kShardsMax) {
    return absl::InvalidArgumentError("shards: " + shards + " is above the maximum of " +
                                      std::to_string(kShardsMax));
  }
  if (options.threading == Threading::kInline && options.shards != 1) {
    return absl::InvalidArgumentError(
        "shards: " + shards +
        " needs as many threads, and an inline node has only its caller's: use 1, or "
        "Threading::kThreads");
  }
  return base::Ok();
}

}  // namespace

base::StatusOr<NodeOptions> Complete(NodeOptions options) {
  if (options.shards == 0) options.shards = DefaultShards(options.threading);
  PALENA_RETURN_IF_ERROR(CheckShards(options));
  if (options.node_id == 0) {
    return absl::InvalidArgumentError("node id: 0 is not between 1 and 65535");
  }
  if (options.revision_retention_age_ms < 0) {
    return absl::InvalidArgumentError("revision_retention_age_ms (--revision-retention-age): " +
                                      std::to_string(options.revision_retention_age_ms) +
                                      " is below 0, which is for ever");
  }
  if (options.memory_bytes_max / options.shards < kShardMemoryBytesMin) {
    const std::string shards = std::to_string(options.shards);
    return absl::InvalidArgumentError(
        "memory_bytes_max (--max-memory): " + std::to_string(options.memory_bytes_max) +
        " bytes are too few for " + shards + " shards; give at least " +
        std::to_string(options.shards * kShardMemoryBytesMin) + ", 1 MiB for each");
  }
  return options;
}

}  // namespace palena::node
