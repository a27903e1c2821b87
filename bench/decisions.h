#pragma once

// The fixed-window decision three ways, for the benchmarks that ask what the script engine costs:
// the recipe as a prepared program, the same decision by hand on store::Table, and by hand on
// absl::flat_hash_map. All three take the key, the limit and the window as text, hash the key with
// the same keyed hash, read the node's clock once and check the expiry.

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "base/hash.h"
#include "counter_key.h"
#include "engine/inline_engine.h"
#include "hlc/node_clock.h"
#include "hlc/shard_clock.h"
#include "store/table.h"

namespace palena::engine {

struct Decision {
  std::string_view key;
  std::string_view expires_ms;
  std::string_view limit;
};

inline std::vector<std::string> CounterKeys(std::size_t count) {
  std::vector<std::string> keys;
  keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) keys.push_back(CounterKey(i));
  return keys;
}

inline std::int64_t Number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  PALENA_CHECK(error == std::errc() && end == text.data() + text.size());
  return number;
}

class RecipeDecider {
 public:
  RecipeDecider() : program_(node_.Prepare(FixedWindow())) {}
  bool Decide(const Decision& decision) {
    parameters_[0].value = decision.key;
    parameters_[1].value = decision.expires_ms;
    parameters_[2].value = decision.limit;
    node_.Run(program_, parameters_);
    // Timers and the clock bound, as a loop would between its reads.
    if (++runs_ % 64 == 0) node_.RunReady();
    return true;
  }

 private:
  InlineEngine node_;
  model::ProgramId program_;
  std::vector<model::ParameterView> parameters_{{"", 0, ""}, {"", 1, ""}, {"", 2, ""}};
  std::uint64_t runs_ = 0;
};

// With stamps, revisions and history, because the table keeps them.
class TableDecider {
 public:
  bool Decide(const Decision& decision) {
    clock_.BeginTurn();
    const hlc::Stamp stamp = clock_.Next();
    const std::int64_t now_ms = stamp.time.ms();
    const store::KeyView key{model::Durability::kEphemeral, decision.key, hash_(decision.key)};
    store::Entry* const entry = table_.Find(key);
    model::VersionView head;
    if (entry != nullptr) head = store::HeadOf(*entry);
    const bool is_live = head.IsLive(now_ms);
    const std::int64_t count = is_live ? head.value.integer : 0;
    if (is_live && count >= Number(decision.limit)) return false;
    head.kind = model::VersionKind::kValue;
    ++head.revision;
    head.expires_ms = now_ms + Number(decision.expires_ms);
    head.stamp = stamp.time;
    head.value = model::ValueView::Integer(count + 1);
    table_.Install(key, entry, head);
    return true;
  }

 private:
  base::SystemClock system_clock_;
  hlc::NodeClock node_clock_{system_clock_, hlc::HybridTime{}};
  hlc::StampFloor floor_;
  hlc::ShardClock clock_{node_clock_, floor_, 1, true};
  base::KeyedHash hash_ = base::KeyedHash::WithRandomSecret();
  store::Table table_{store::TableOptions{}};
};

class FlatMapDecider {
 public:
  bool Decide(const Decision& decision) {
    const std::int64_t now_ms = node_clock_.NowNs() / 1'000'000;
    const HashedKey key{decision.key, hash_(decision.key)};
    const auto found = counters_.find(key);
    if (found == counters_.end()) {
      counters_.emplace(std::string(decision.key),
                        Counter{1, now_ms + Number(decision.expires_ms)});
      return true;
    }
    Counter& counter = found->second;
    const bool is_live = now_ms <= counter.expires_ms;
    if (is_live && counter.count >= Number(decision.limit)) return false;
    counter.count = is_live ? counter.count + 1 : 1;
    counter.expires_ms = now_ms + Number(decision.expires_ms);
    return true;
  }

 private:
  struct HashedKey {
    std::string_view bytes;
    std::uint64_t hash;
  };
  struct Counter {
    std::int64_t count;
    std::int64_t expires_ms;
  };
  struct Hash {
    using is_transparent = void;
    const base::KeyedHash* hash;
    std::size_t operator()(const HashedKey& key) const { return key.hash; }
    std::size_t operator()(const std::string& key) const { return (*hash)(key); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const std::string& a, const HashedKey& b) const { return a == b.bytes; }
    bool operator()(const std::string& a, const std::string& b) const { return a == b; }
  };

  base::SystemClock system_clock_;
  hlc::NodeClock node_clock_{system_clock_, hlc::HybridTime{}};
  base::KeyedHash hash_ = base::KeyedHash::WithRandomSecret();
  absl::flat_hash_map<std::string, Counter, Hash, Equal> counters_{0, Hash{&hash_}, Equal{}};
};

}  // namespace palena::engine
