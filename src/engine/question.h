#pragma once

// What a run may have to ask for while it runs, beyond the heads of its keys that it was given at
// its start: old versions, and what a bucket or prefix holds. Tables answer for what they hold,
// each on its shard's thread; for persistent keys the commit log answers for the rest, on the
// reader.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/status.h"
#include "model/key_range.h"
#include "store/commit_log.h"
#include "store/key.h"
#include "store/table.h"

namespace palena::engine {

// Says which commit a reader of an entry depends on (DurabilityGate::DependencyOf).
class Dependencies {
 public:
  virtual ~Dependencies() = default;
  virtual store::Sequence DependencyOf(const store::Entry* entry) const = 0;
};

struct Question {
  enum class Kind : std::uint8_t {
    kVersionAt,    // of `key`, revision `argument`
    kVersionAsOf,  // of `key`, at the time `argument`
    kRange,        // of `range`, live at now_ms
    kRangeAsOf,    // of `range`, visible at the time `argument`
  };
  Kind kind = Kind::kVersionAt;
  store::KeyView key;
  model::KeyRange range;
  std::int64_t argument = 0;
  std::int64_t now_ms = 0;
  std::size_t entries_max = 1;  // so many are enough; and more than a run can hold are, too

  bool IsAboutRange() const { return kind == Kind::kRange || kind == Kind::kRangeAsOf; }
  model::Durability durability() const {
    return IsAboutRange() ? range.durability : key.durability;
  }
  // Whether a version is among what is asked for. Never true of deletion marks and the like.
  bool Wants(const model::VersionView& version) const;
};

// The answer, or a table's part of it. Of a persistent range a table tells all heads that it has,
// dead ones too: they hide what the disk says of the same keys. A version of kind kTrimmed stands
// for "this table cannot tell" until the log was asked, and for "no longer kept" in the end.
struct Findings {
  std::vector<store::KeyedVersion> entries;  // in byte order of the keys; of a key: one, or none
  store::Sequence depends_on = 0;            // of anything that was looked at

  void Merge(Findings other);
};

// What a table knows. On its shard's thread.
Findings AskTable(const Question& question, store::Table& table, const Dependencies& dependencies);

// Completes what the tables know of a persistent question. Blocks; everything that they depend on
// must be durable.
base::Status AskLog(const Question& question, store::CommitLog& log, Findings& findings);

// How much of what a question wants has been found.
struct Amount {
  std::size_t entries = 0;
  std::size_t bytes = 0;

  void Count(const model::VersionView& version) {
    ++entries;
    bytes += version.value.bytes.size();
  }
  bool Suffices(const Question& question) const {
    return entries >= question.entries_max || bytes > base::kRunMemoryBytesMax;
  }
};

// Drops what the question does not want, and what is beyond entries_max. False when something is no
// longer kept.
bool Conclude(const Question& question, Findings& findings);

}  // namespace palena::engine
