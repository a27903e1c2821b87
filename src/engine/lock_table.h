#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "store/key.h"

namespace palena::engine {

class Run;

// The locks of one shard's keys, for runs of the general path. Shared or exclusive, granted in the
// order in which they were asked for, so nobody starves. A run asks for its keys in one global
// order (LockBefore) and waits at the first that is taken, so runs wait for each other but never in
// a circle. Belongs to the shard's thread. Keys nobody locks cost nothing: the table is empty then.
class LockTable {
 public:
  bool empty() const { return locks_.empty(); }
  // Held or awaited by anybody.
  bool IsLocked(const store::KeyView& key) const;

  // True: granted now. False: queued; the run will be among those that a Release hands back.
  bool Acquire(const store::KeyView& key, bool exclusive, Run* run);
  // Gives up a held lock. Appends the runs that were granted by this to `granted`.
  void Release(const store::KeyView& key, Run* run, std::vector<Run*>& granted);
  // Leaves the queue of a lock that was not granted. May let others in, as Release.
  void Cancel(const store::KeyView& key, Run* run, std::vector<Run*>& granted);

 private:
  struct Waiter {
    Run* run;
    bool exclusive;
  };
  struct Lock {
    std::vector<Run*> holders;
    bool exclusive = false;
    std::deque<Waiter> queue;
  };
  struct Name {
    std::string bytes;
    model::Durability durability;
    std::uint64_t hash;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const Name& n) const { return n.hash; }
    std::size_t operator()(const store::KeyView& k) const { return k.hash; }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Name& a, const Name& b) const {
      return a.durability == b.durability && a.bytes == b.bytes;
    }
    bool operator()(const Name& a, const store::KeyView& b) const {
      return a.durability == b.durability && a.bytes == b.bytes;
    }
    bool operator()(const store::KeyView& a, const Name& b) const { return (*this)(b, a); }
  };
  using Locks = absl::flat_hash_map<Name, Lock, Hash, Equal>;

  static bool Admits(const Lock& lock, bool exclusive);
  static void Grant(Lock& lock, bool exclusive, Run* run);
  void LetIn(Locks::iterator it, std::vector<Run*>& granted);

  Locks locks_;
};

// The one order in which every run asks for its locks.
bool LockBefore(const store::KeyView& a, const store::KeyView& b);

}  // namespace palena::engine
