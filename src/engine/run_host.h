#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/run_keys.h"
#include "hlc/stamp.h"
#include "model/effect.h"
#include "script/host.h"
#include "store/commit_log.h"
#include "store/table.h"

namespace palena::engine {

// Says which commit a reader of an entry depends on (DurabilityGate::DependencyOf).
class Dependencies {
 public:
  virtual ~Dependencies() = default;
  virtual store::Sequence DependencyOf(const store::Entry* entry) const = 0;
};

// What a running script sees of its shard: committed heads, with its own buffered writes before
// them. Nothing reaches the table until the shard installs the writes. Belongs to one run;
// reusable.
class RunHost final : public script::Host {
 public:
  // A disk read that the run waits for after kBlocked.
  struct BlockedRead {
    RunKey* key = nullptr;
    std::int64_t revision = 0;
    store::Sequence after = 0;  // not before this is durable: the version may be on its way
    bool is_known = false;      // `version` has been filled in
    model::Version version;
  };

  // Before anything else: whose keys, on which shard.
  void Attach(RunKeys& keys, store::Table& table, const Dependencies& dependencies);
  // Keeps every entry found so far in memory until End(). Idempotent.
  void PinAll();
  // The run starts, with its stamp.
  void Begin(hlc::Stamp stamp) { stamp_ = stamp; }
  // The run is over: drops writes and pins.
  void End();

  script::HostStatus Get(script::KeySlot slot, model::VersionView& out) override;
  script::HostStatus GetAt(script::KeySlot slot, std::int64_t revision,
                           model::VersionView& out) override;
  script::HostStatus GetAsOf(script::KeySlot slot, std::int64_t time_ms,
                             model::VersionView& out) override;
  script::HostStatus List(script::KeySlot slot, script::Listing& out) override;
  script::HostStatus ListAsOf(script::KeySlot slot, std::int64_t time_ms,
                              script::Listing& out) override;
  script::HostStatus Set(script::KeySlot slot, const script::SetArguments& arguments,
                         script::WriteResult& out) override;
  script::HostStatus Delete(script::KeySlot slot, script::WriteResult& out) override;
  script::HostStatus Extend(script::KeySlot slot, std::int64_t expires_ms,
                            script::WriteResult& out) override;
  std::string_view KeyText(script::KeySlot slot) const override;
  const model::ScriptError& error() const override { return error_; }

  BlockedRead& blocked_read() { return blocked_; }
  // The highest sequence that anything the run has read depends on.
  store::Sequence depends_on() const { return depends_on_; }
  bool has_writes() const { return has_writes_; }
  bool has_persistent_writes() const { return has_persistent_writes_; }
  // False, with error() set, when the buffered writes do not (or no longer) fit the memory budget.
  bool MakeRoom() { return growth_bytes_ == 0 || MakeRoomForGrowth(); }

 private:
  // The head as the run sees it: its own write, or the committed one (noting the dependency).
  model::VersionView Head(RunKey& key);
  // False, with error() set, when the run's buffered values would exceed its memory.
  bool CountBuffered(const RunKey& key, const model::VersionView& version);
  script::HostStatus Buffer(RunKey& key, const model::VersionView& version,
                            script::WriteResult& out);
  bool MakeRoomForGrowth();
  script::HostStatus VersionOnDisk(RunKey& key, std::int64_t revision, model::VersionView& out);
  std::int64_t now_ms() const { return stamp_.time.ms(); }

  RunKeys* keys_ = nullptr;
  store::Table* table_ = nullptr;
  const Dependencies* dependencies_ = nullptr;
  hlc::Stamp stamp_;
  store::Sequence depends_on_ = 0;
  std::size_t growth_bytes_ = 0;
  int room_line_ = 0;               // where the script names the key that last needed room
  std::size_t buffered_bytes_ = 0;  // values of the buffered writes
  bool has_writes_ = false;
  bool has_persistent_writes_ = false;
  BlockedRead blocked_;
  model::ScriptError error_;
};

}  // namespace palena::engine
