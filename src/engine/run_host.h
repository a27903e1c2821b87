#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/question.h"
#include "engine/run_keys.h"
#include "hlc/stamp.h"
#include "model/effect.h"
#include "script/host.h"
#include "store/commit_log.h"
#include "store/table.h"

namespace palena::engine {

// What a running script sees of its shard: committed heads, with its own buffered writes before
// them. Nothing reaches the table until the shard installs the writes. Belongs to one run;
// reusable.
class RunHost final : public script::Host {
 public:
  // Before anything else: whose keys, on which shard.
  void Attach(RunKeys& keys, store::Table& table, const Dependencies& dependencies,
              bool is_only_shard);
  // What the run asked for after kBlocked, and how it is answered: once the findings of all tables
  // (and of the log) are there, IsAnswered tells the run to go on.
  const Question& question() const { return question_; }
  Findings& findings() { return findings_; }
  void SetAnswered() { is_answered_ = true; }
  // Takes the heads found so far with it, away from their shard.
  void Capture(RunKey& key);
  // The same for all keys, and holds on to nothing here any more: the run goes on without locks.
  void CaptureAll();
  // Keeps every entry found so far in memory until End(). Idempotent.
  void PinAll();
  // The run starts, with its stamp.
  void Begin(hlc::Stamp stamp) { stamp_ = stamp; }
  // Forgets what the run has written so far.
  void DropWrites();
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

  // The highest sequence that anything the run has read depends on.
  store::Sequence depends_on() const { return depends_on_; }
  bool has_writes() const { return has_writes_; }
  bool has_persistent_writes() const { return has_persistent_writes_; }
  bool has_ephemeral_writes() const;
  // False, with error() set, when the buffered writes do not (or no longer) fit the memory budget.
  bool MakeRoom() {
    return (growth_bytes_ == 0 || MakeRoomForGrowth()) && (!grows_elsewhere_ || FitsElsewhere());
  }

 private:
  // The head as the run sees it: its own write, or the committed one.
  model::VersionView Head(RunKey& key) {
    return key.has_write ? key.write.view() : CommittedHead(key);
  }
  // Notes what the reader depends on.
  model::VersionView CommittedHead(RunKey& key) {
    if (key.is_captured) return CapturedHead(key);
    key.was_read = true;
    if (key.entry == nullptr) return {};
    depends_on_ = std::max(depends_on_, dependencies_->DependencyOf(key.entry));
    return store::HeadOf(*key.entry);
  }
  model::VersionView CapturedHead(RunKey& key);
  // True when `question` has been answered: `findings_` hold what it wants.
  bool Ask(const Question& question);
  script::HostStatus ShowVersion(const Question& question, model::VersionView& out);
  script::HostStatus ShowRange(Question question, bool has_own_writes, script::Listing& out);
  script::HostStatus FailTrimmed();
  bool IsAtHand(const Question& question) const;
  // Of the writes, all but the keys' own.
  void ForgetWrites() {
    growth_bytes_ = 0;
    grows_elsewhere_ = false;
    buffered_bytes_ = 0;
    has_writes_ = false;
    has_persistent_writes_ = false;
  }
  void ListOwnWrites(const model::KeyRange& range);
  std::size_t OwnWritesIn(const model::KeyRange& range) const;
  // False, with error() set, when the run's buffered values would exceed its memory.
  bool CountBuffered(const RunKey& key, const model::VersionView& version);
  script::HostStatus Buffer(RunKey& key, const model::VersionView& version,
                            script::WriteResult& out);
  bool MakeRoomForGrowth();
  bool FitsElsewhere();
  bool RefuseRoom(int line);
  std::int64_t now_ms() const { return stamp_.time.ms(); }

  RunKeys* keys_ = nullptr;
  store::Table* table_ = nullptr;
  const Dependencies* dependencies_ = nullptr;
  hlc::Stamp stamp_;
  store::Sequence depends_on_ = 0;
  std::size_t growth_bytes_ = 0;
  int room_line_ = 0;               // where the script names the key that last needed room
  std::size_t buffered_bytes_ = 0;  // values of the buffered writes
  bool grows_elsewhere_ = false;    // some write makes a captured key larger
  bool is_only_shard_ = true;
  bool has_writes_ = false;
  bool has_persistent_writes_ = false;
  Question question_;
  Findings findings_;
  bool is_asked_ = false;     // `question_` is the run's
  bool is_answered_ = false;  // and has been answered
  std::vector<script::ListedKey> listed_;
  model::ScriptError error_;
};

}  // namespace palena::engine
