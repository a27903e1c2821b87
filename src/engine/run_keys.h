#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/capacities.h"
#include "base/hash.h"
#include "model/key_range.h"
#include "model/script_or.h"
#include "model/version.h"
#include "script/program.h"
#include "store/commit_log.h"
#include "store/entry.h"
#include "store/key.h"

namespace palena::engine {

// One key of a run: where it is, and what the run wants to make of it.
struct RunKey {
  store::KeyView key;
  bool writes = false;            // some statement may write it: locked exclusively
  bool reads_now = true;          // false: only its past is read
  int line = 0;                   // where the script names it first
  store::Entry* entry = nullptr;  // what the table knows; null: nothing
  bool is_pinned = false;         // the run keeps `entry` in memory
  bool has_write = false;
  model::Version write;  // the head that the commit installs, when has_write

  // The run is elsewhere than the key, or takes no lock on it: it goes by a copy of the head, and
  // `entry` is for the key's shard alone.
  bool is_captured = false;
  bool was_read = false;
  model::Version captured;
  store::Sequence captured_depends_on = 0;
  std::size_t captured_room = 0;  // bytes by which its shard's table may grow
};

// A bucket or prefix of a run.
struct RunRange {
  model::KeyRange range;
  bool reads_now = true;
};

// The footprint of a program with the parameters of one run: the distinct keys, and which of them
// each slot means. Two slots that name one key (by parameters of equal value) share its RunKey, so
// a script sees its own writes whatever it calls them. Reusable; keeps its memory.
class RunKeys {
 public:
  explicit RunKeys(const base::Capacities& capacities = {});
  ~RunKeys();

  using Parameters = std::span<const std::optional<std::string_view>>;

  // Of a fresh or cleared object, or of one with the footprints of other programs: then the slots
  // of this one come behind theirs, over the keys of all. Those of the first are in use. Fails with
  // the line of the statement for a missing parameter, and for a key that is empty or longer than
  // base::kKeyBytesMax. Keys refer to the program's and the parameters' bytes.
  std::optional<model::ScriptError> Resolve(const script::Program& program, Parameters parameters,
                                            const base::KeyedHash& hash);
  // How many slots all programs so far have.
  std::size_t slots() const { return places_.size(); }
  // The slots that begin there are meant from now on.
  void UseSlots(std::size_t first_slot) { slots_ = places_.data() + first_slot; }
  void DropWrites();
  void Clear();

  std::span<RunKey> keys() { return {keys_.data(), count_}; }
  std::span<const RunKey> keys() const { return {keys_.data(), count_}; }
  RunKey& at(script::KeySlot slot) { return keys_[slots_[slot]]; }
  const RunKey& at(script::KeySlot slot) const { return keys_[slots_[slot]]; }
  std::span<const RunRange> ranges() const { return ranges_; }
  const RunRange& range_at(script::KeySlot slot) const { return ranges_[slots_[slot]]; }

 private:
  struct Index;

  // The place of a key among the first count_, or count_ when it is new.
  std::size_t Find(const store::KeyView& key) const;
  void BuildIndex();
  void Add(const store::KeyView& key, const script::FootprintKey& named);
  void AddRange(std::string_view text, const script::FootprintKey& named);

  const std::size_t pairwise_max_;
  const std::size_t kept_max_;
  const std::size_t kept_value_bytes_;  // of each key's write
  std::vector<RunKey> keys_;            // the first count_ are in use, the others keep their memory
  std::size_t count_ = 0;
  std::unique_ptr<Index> index_;  // of many keys; null: they are compared one by one
  std::vector<RunRange> ranges_;
  std::vector<std::uint32_t> places_;  // in keys_ or ranges_, by slot, of one program after another
  const std::uint32_t* slots_ = nullptr;  // those of the program that runs
};

}  // namespace palena::engine
