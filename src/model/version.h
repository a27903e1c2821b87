#pragma once

#include <cstdint>

#include "hlc/stamp.h"
#include "model/value.h"

namespace palena::model {

inline constexpr std::int64_t kNoRevision = -1;
inline constexpr std::int64_t kNoExpiry = 0;

enum class VersionKind : std::uint8_t {
  kAbsent,    // never written (or no longer known): revision -1
  kValue,     // a value
  kDeletion,  // a deletion mark, which consumed a revision
  // In history only, and in answers about it: versions up to this one were kept once and are not
  // any more. Revision and stamp are those of the newest of them; there is no value.
  kTrimmed,
};

// One version of a key. `expires_ms` is absolute (epoch ms, the node's clock), 0 for none. The
// value view belongs to the owner of the version.
struct VersionView {
  VersionKind kind = VersionKind::kAbsent;
  bool norev = false;  // not kept in history once superseded
  std::int64_t revision = kNoRevision;
  std::int64_t expires_ms = kNoExpiry;
  hlc::HybridTime stamp;  // when it was written, "last modified"; an extend leaves it
  ValueView value;

  // Alive up to and including its expiry millisecond.
  bool IsLive(std::int64_t now_ms) const {
    return kind == VersionKind::kValue && (expires_ms == kNoExpiry || now_ms <= expires_ms);
  }
};

// The same, owning its value.
struct Version {
  VersionKind kind = VersionKind::kAbsent;
  bool norev = false;
  std::int64_t revision = kNoRevision;
  std::int64_t expires_ms = kNoExpiry;
  hlc::HybridTime stamp;
  Value value;

  void Assign(const VersionView& v) {
    kind = v.kind;
    norev = v.norev;
    revision = v.revision;
    expires_ms = v.expires_ms;
    stamp = v.stamp;
    value.Assign(v.value);
  }
  VersionView view() const { return {kind, norev, revision, expires_ms, stamp, value.view()}; }
  static Version Copy(const VersionView& v) {
    return {v.kind, v.norev, v.revision, v.expires_ms, v.stamp, Value::Copy(v.value)};
  }
};

}  // namespace palena::model
