#pragma once

// Options of a node, whether embedded (node.h) or a palenad.

#include <cstddef>
#include <cstdint>
#include <string>

namespace palena {

enum class Eviction { kNone, kLru };

enum class Threading {
  kThreads,  // a thread per shard, one that writes and one that reads the disk
  kInline,  // none: the thread that opens the node does all of its work (node.h); not for a palenad
};

struct NodeOptions {
  // Where persistent keys live; created when missing. Empty: persistent keys are kept in memory
  // only and lost with the node (tests, caches).
  std::string data_dir = {};
  Threading threading = Threading::kThreads;
  // Threads that own keys; 0: one per hardware thread. 1 to 256. With Threading::kInline 0 or 1.
  unsigned shards = 0;
  // Identifies the node in stamps; 1 to 65535.
  std::uint16_t node_id = 1;
  // Budget of keys and values in memory, all shards together. At least 1 MiB per shard.
  std::size_t memory_bytes_max = std::size_t{4} << 30;
  // Budget of superseded versions of ephemeral keys, all shards together.
  std::size_t ephemeral_history_bytes = std::size_t{64} << 20;
  // How long superseded versions of persistent keys stay readable (`at`, `as of`): the newest so
  // many of each key, the present one included, and those superseded less than so long ago; 0: no
  // bound. What either bound lets go is trimmed in the background, soon after.
  std::uint64_t revision_retention_count = 0;
  std::int64_t revision_retention_age_ms = 0;
  // What happens when the memory budget is used up: refuse writes that need more (kNone), or drop
  // the least recently used ephemeral keys (kLru).
  Eviction eviction = Eviction::kNone;
  // False: every run takes the general path. Answers are the same; for tests.
  bool fast_path = true;
};

}  // namespace palena
