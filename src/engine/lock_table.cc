#include "engine/lock_table.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"

namespace palena::engine {

bool LockBefore(const store::KeyView& a, const store::KeyView& b) {
  return std::tie(a.hash, a.durability, a.bytes) < std::tie(b.hash, b.durability, b.bytes);
}

bool LockTable::IsLocked(const store::KeyView& key) const {
  return !locks_.empty() && locks_.contains(key);
}

bool LockTable::Admits(const Lock& lock, bool exclusive) {
  return lock.holders.empty() || (!exclusive && !lock.exclusive);
}

void LockTable::Grant(Lock& lock, bool exclusive, Run* run) {
  lock.holders.push_back(run);
  lock.exclusive = exclusive;
}

bool LockTable::Acquire(const store::KeyView& key, bool exclusive, Run* run) {
  auto it = locks_.find(key);
  if (it == locks_.end()) {
    it = locks_.try_emplace(Name{std::string(key.bytes), key.durability, key.hash}).first;
  }
  Lock& lock = it->second;
  // Behind those who wait, even if it could share: a stream of readers must not starve a writer.
  if (lock.queue.empty() && Admits(lock, exclusive)) {
    Grant(lock, exclusive, run);
    return true;
  }
  lock.queue.push_back({run, exclusive});
  return false;
}

void LockTable::Release(const store::KeyView& key, Run* run, std::vector<Run*>& granted) {
  const auto it = locks_.find(key);
  PALENA_CHECK(it != locks_.end());
  PALENA_CHECK(std::erase(it->second.holders, run) == 1);
  LetIn(it, granted);
}

void LockTable::Cancel(const store::KeyView& key, Run* run, std::vector<Run*>& granted) {
  const auto it = locks_.find(key);
  PALENA_CHECK(it != locks_.end());
  const auto removed =
      std::erase_if(it->second.queue, [&](const Waiter& w) { return w.run == run; });
  PALENA_CHECK(removed == 1);
  LetIn(it, granted);
}

void LockTable::LetIn(Locks::iterator it, std::vector<Run*>& granted) {
  Lock& lock = it->second;
  while (!lock.queue.empty() && Admits(lock, lock.queue.front().exclusive)) {
    Grant(lock, lock.queue.front().exclusive, lock.queue.front().run);
    granted.push_back(lock.queue.front().run);
    lock.queue.pop_front();
  }
  if (lock.holders.empty() && lock.queue.empty()) locks_.erase(it);
}

}  // namespace palena::engine
