#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/hash.h"
#include "base/limits.h"
#include "model/request.h"
#include "model/script_or.h"
#include "script/program.h"

namespace palena::engine {

using ProgramPtr = std::shared_ptr<const script::Program>;

struct ProgramCacheOptions {
  std::size_t programs_max = base::kCachedProgramsMax;
  std::size_t bytes_max = base::kCachedProgramBytesMax;
};

// Programs by text or id. A text is found by a keyed hash and compared in full; an id is 16 bytes
// of a SHA-256, so nobody can make one program answer for another.
class ProgramMap {
 public:
  explicit ProgramMap(const base::KeyedHash& hash);

  // Null when it is not here. Both mark the program as used.
  const ProgramPtr* FindText(std::string_view text);
  const ProgramPtr* FindId(const model::ProgramId& id);
  void Insert(const ProgramPtr& program);
  // Drops the least recently used until both bounds hold, into `dropped`.
  void Trim(const ProgramCacheOptions& bounds, std::vector<ProgramPtr>& dropped);

  std::size_t size() const { return by_id_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  using List = std::list<ProgramPtr>;
  struct TextHash {
    base::KeyedHash hash;
    std::size_t operator()(std::string_view text) const { return hash(text); }
  };
  struct IdHash {
    // An id is a piece of a cryptographic hash: any eight bytes of it are one.
    std::size_t operator()(const model::ProgramId& id) const;
  };
  const ProgramPtr* Touch(List::iterator it);

  List by_use_;  // most recent first
  absl::flat_hash_map<std::string_view, List::iterator, TextHash> by_text_;
  absl::flat_hash_map<model::ProgramId, List::iterator, IdHash> by_id_;
  std::size_t bytes_ = 0;
};

// The programs of a node, shared by its shards. Any thread.
class ProgramCache {
 public:
  ProgramCache(const base::KeyedHash& hash, const ProgramCacheOptions& options)
      : options_(options), programs_(hash) {}

  // From the cache, or compiled and then cached. Programs that fail to compile are not kept.
  model::ScriptOr<ProgramPtr> FindOrCompile(std::string_view text);
  // Null when the id is unknown: the client has to send the text (again).
  ProgramPtr FindId(const model::ProgramId& id);
  static ProgramPtr Lend(const ProgramPtr& program) { return program; }

  struct Stats {
    std::size_t programs = 0;
    std::size_t bytes = 0;
    std::uint64_t compiled = 0;
    std::uint64_t evicted = 0;
  };
  Stats stats() const;

 private:
  const ProgramCacheOptions options_;
  mutable std::mutex mutex_;  // guards everything below
  ProgramMap programs_;
  std::uint64_t compiled_ = 0;
  std::uint64_t evicted_ = 0;
};

// A shard's own view of the cache: no lock on a hit, and no reference counted. What it finds is
// valid until EndTurn. Belongs to the shard's thread.
class LocalProgramCache {
 public:
  LocalProgramCache(ProgramCache& shared, const base::KeyedHash& hash,
                    const ProgramCacheOptions& options)
      : options_(options), shared_(shared), programs_(hash) {}

  model::ScriptOr<const script::Program*> FindOrCompile(std::string_view text);
  const script::Program* FindId(const model::ProgramId& id);
  static const script::Program* Lend(const ProgramPtr& program) { return program.get(); }
  void EndTurn() { dropped_.clear(); }

 private:
  const script::Program* Keep(const ProgramPtr& program);

  const ProgramCacheOptions options_;
  ProgramCache& shared_;
  ProgramMap programs_;
  std::vector<ProgramPtr> dropped_;  // in this turn: a run of it may still need them
};

}  // namespace palena::engine
