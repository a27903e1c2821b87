#pragma once

// A node in process whose shards' threads are pinned to cores 0, 1, … No socket listens; persistent
// keys are kept in memory.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "base/thread_executor.h"
#include "engine/engine.h"
#include "hlc/node_clock.h"
#include "net/loop.h"
#include "store/memory_commit_log.h"

namespace palena::engine {

class PinnedNode {
 public:
  explicit PinnedNode(unsigned shards)
      : hash_(base::KeyedHash::WithRandomSecret()),
        log_thread_(clock_, "log"),
        log_(store::MakeMemoryCommitLog(log_thread_)),
        node_clock_(clock_, hlc::HybridTime{}) {
    EngineParts parts{&clock_, &node_clock_, log_.get(), &log_thread_, {}, hash_};
    for (unsigned i = 0; i < shards; ++i) {
      loops_.push_back(
          std::make_unique<net::Loop>(clock_, "shard-" + std::to_string(i), static_cast<int>(i)));
      parts.executors.push_back(loops_.back().get());
    }
    engine_ = std::make_unique<Engine>(EngineOptions{}, parts, nullptr);
    engine_->Start();
  }
  ~PinnedNode() {
    for (auto& loop : loops_) loop->Stop();
  }

  Engine& engine() { return *engine_; }
  net::Loop& loop(unsigned shard) { return *loops_[shard]; }
  unsigned OwnerOfKey(std::string_view key) const {
    return store::ShardOf(hash_(key), engine_->shards());
  }

 private:
  base::SystemClock clock_;
  base::KeyedHash hash_;
  base::ThreadExecutor log_thread_;
  std::unique_ptr<store::CommitLog> log_;
  hlc::NodeClock node_clock_;
  std::vector<std::unique_ptr<net::Loop>> loops_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace palena::engine
