#pragma once

// script::Host: what a running script asks of the store. The engine implements it over a shard's
// tables with buffered writes; tests implement it over a std::map. The VM never sees a key's text,
// a lock or a clock: keys are slots of the program's footprint, time is the run's stamp.

#include <cstdint>
#include <span>
#include <string_view>

#include "model/result.h"
#include "model/version.h"
#include "script/footprint.h"

namespace palena::script {

enum class HostStatus : std::uint8_t {
  kDone,
  kBlocked,  // not known yet (a disk read): the VM suspends and asks again when it is resumed
  kFailed,   // error() says why; the run ends errored
};

struct SetArguments {
  model::ValueView value;                      // copied by the host
  std::int64_t expires_ms = model::kNoExpiry;  // absolute
  bool keep_ttl = false;                       // a live key keeps its expiry instead
  bool norev = false;
  bool nx = false;
  bool xx = false;
  bool has_cmp = false;
  bool has_cmprev = false;
  model::ValueView cmp;  // compared as text
  std::int64_t cmprev = 0;

  // Forgets what `ex`, `cmp` and `cmprev` said.
  void ClearOptions() {
    expires_ms = model::kNoExpiry;
    has_cmp = false;
    has_cmprev = false;
  }
};

struct WriteResult {
  bool took_effect = false;
  std::int64_t revision = model::kNoRevision;  // produced; of the head when it took no effect
  std::int64_t expires_ms = model::kNoExpiry;  // of the head afterwards
  std::int64_t last_modified_ms = 0;
};

struct ListedKey {
  std::string_view key;
  model::VersionView version;  // kValue
};

// What a bucket or scan read found: in byte order of the keys, at most base::kScanEntriesMax.
struct Listing {
  std::span<const ListedKey> entries;
  bool truncated = false;  // there were more
};

// Semantics of every call: language.md 6 and 7, seen from inside one run: the run's own writes are
// visible, time is the run's stamp, expired is absent. Views handed out stay valid until the next
// call that writes, or until the VM suspends, whichever is first.
class Host {
 public:
  virtual ~Host() = default;

  // The live head of the key: kValue, or kAbsent with revision -1 for never written, deleted and
  // expired alike. Serves `get`, `exists` and the conditions of guards.
  virtual HostStatus Get(KeySlot key, model::VersionView& out) = 0;
  // Exactly revision `revision` (not negative), whatever its expiry; kAbsent when it is not kept
  // or is a deletion mark.
  virtual HostStatus GetAt(KeySlot key, std::int64_t revision, model::VersionView& out) = 0;

  // The newest committed version with last-modified at most `time_ms` (positive), whatever this run
  // has written: kValue when it was visible then (for a time to come: is visible now), else
  // kAbsent. Fails with "History no longer kept" when that version was trimmed.
  virtual HostStatus GetAsOf(KeySlot key, std::int64_t time_ms, model::VersionView& out) = 0;

  // The live keys of a bucket or prefix of the footprint, the run's own writes among them.
  virtual HostStatus List(KeySlot range, Listing& out) = 0;
  // Those that were visible at `time_ms`, each as GetAsOf answers it.
  virtual HostStatus ListAsOf(KeySlot range, std::int64_t time_ms, Listing& out) = 0;

  virtual HostStatus Set(KeySlot key, const SetArguments& arguments, WriteResult& out) = 0;
  virtual HostStatus Delete(KeySlot key, WriteResult& out) = 0;
  // `expires_ms` absolute, or kNoExpiry to make the key permanent.
  virtual HostStatus Extend(KeySlot key, std::int64_t expires_ms, WriteResult& out) = 0;

  // The text of the key in this run, for results.
  virtual std::string_view KeyText(KeySlot key) const = 0;

  // After kFailed. The line is the VM's to add.
  virtual const model::ScriptError& error() const = 0;
};

}  // namespace palena::script
