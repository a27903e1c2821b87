#include "store/entry_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "store/table_fixture.h"

namespace palena::store {
namespace {

TEST(EntryPoolTest, AnEntryHoldsItsKey) {
  EntryPool pool;
  for (const std::size_t size : {1, 2, 3, 4, 11, 43, 1023, 1024}) {
    const std::string key(size, 'k');
    EXPECT_EQ(pool.Create(KeyOf(key)).key(), key);
  }
}

TEST(EntryPoolTest, ACounterOf43BytesTakes104) {
  EntryPool pool;
  pool.Create(KeyOf(std::string(43, 'k')));
  EXPECT_EQ(pool.bytes(), 104U);
}

TEST(EntryPoolTest, AHandleNamesItsEntry) {
  EntryPool pool;
  std::set<EntryHandle> handles;
  for (int i = 0; i < 5000; ++i) {
    Entry& entry = pool.Create(KeyOf("key" + std::to_string(i)));
    const EntryHandle handle = pool.HandleOf(entry);
    EXPECT_EQ(&pool.At(handle), &entry);
    EXPECT_TRUE(handle != kNoEntry && handle < EntryPool::kHandleEnd);
    EXPECT_TRUE(handles.insert(handle).second);
  }
}

TEST(EntryPoolTest, EntriesStayIntactWhileOthersComeAndGo) {
  EntryPool pool;
  std::mt19937 random(3);
  std::map<std::string, Entry*> alive;
  std::size_t bytes = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string key = std::to_string(random() % 2000) + std::string(random() % 3 * 300, 'x');
    const auto found = alive.find(key);
    if (found == alive.end()) {
      alive[key] = &pool.Create(KeyOf(key));
      bytes += Entry::BytesFor(key.size());
    } else {
      ASSERT_EQ(found->second->key(), key);
      pool.Destroy(*found->second);
      bytes -= Entry::BytesFor(key.size());
      alive.erase(found);
    }
    ASSERT_EQ(pool.bytes(), bytes);
  }
}

TEST(EntryPoolTest, ReusesTheSlotOfADestroyedEntry) {
  EntryPool pool;
  pool.Create(KeyOf("stays"));
  Entry& first = pool.Create(KeyOf("first"));
  pool.Destroy(first);
  EXPECT_EQ(&pool.Create(KeyOf("other")), &first);
}

}  // namespace
}  // namespace palena::store
