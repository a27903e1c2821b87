// What a rate-limit decision costs an embedder: scripts/recipes/fixed_window.pal as a prepared
// program of an inline node, beside the same decision written by hand on the same table and clock.

#include <benchmark/benchmark.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/read_file.h"
#include "hlc/node_clock.h"
#include "hlc/shard_clock.h"
#include "palena/node.h"
#include "store/table.h"

namespace palena {
namespace {

std::vector<std::string> Keys(std::int64_t count) {
  std::vector<std::string> keys;
  for (std::int64_t i = 0; i < count; ++i) {
    keys.push_back("rate-limit/api/user-" + std::to_string(1'000'000 + i) + "/1718391900");
  }
  return keys;
}

// Which key comes next, without a pattern that a cache could follow.
class Picker {
 public:
  explicit Picker(const std::vector<std::string>& keys) : keys_(keys) {}
  std::string_view Next() {
    state_ = state_ * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
    return keys_[(state_ >> 33) % keys_.size()];
  }

 private:
  const std::vector<std::string>& keys_;
  std::uint64_t state_ = 1;
};

// The recipe in C++: hash, look up, judge, write. Parameters come as text, as they do to a script.
class HandWritten {
 public:
  bool Take(std::string_view key_text, std::string_view ttl_ms, std::string_view limit) {
    shard_clock_.BeginTurn();
    const hlc::Stamp stamp = shard_clock_.Next();
    const store::KeyView key{model::Durability::kEphemeral, key_text, hash_(key_text)};
    store::Entry* entry = table_.Find(key);
    model::VersionView next;
    next.kind = model::VersionKind::kValue;
    next.revision = 0;
    next.stamp = stamp.time;
    next.expires_ms = stamp.time.ms() + Integer(ttl_ms);
    next.value = model::ValueView::Integer(1);
    if (entry != nullptr) {
      const model::VersionView head = store::HeadOf(*entry);
      next.revision = head.revision + 1;
      if (head.IsLive(stamp.time.ms())) {
        if (head.value.integer >= Integer(limit)) return false;
        next.value = model::ValueView::Integer(head.value.integer + 1);
      }
    }
    if (!table_.MakeRoom(table_.GrowthOf(key, entry, next), stamp.time.ms())) return false;
    table_.Install(key, entry, next);
    shard_clock_.Settle();
    return true;
  }

 private:
  static std::int64_t Integer(std::string_view text) {
    std::int64_t integer = 0;
    std::from_chars(text.data(), text.data() + text.size(), integer);
    return integer;
  }

  base::SystemClock clock_;
  hlc::NodeClock node_clock_{clock_, hlc::HybridTime{}};
  hlc::StampFloor floor_;
  hlc::ShardClock shard_clock_{node_clock_, floor_, 1};
  base::KeyedHash hash_ = base::KeyedHash::WithRandomSecret();
  store::Table table_{store::TableOptions{}};
};

void BM_FixedWindowByHand(benchmark::State& state) {
  HandWritten limiter;
  const std::vector<std::string> keys = Keys(state.range(0));
  Picker picker(keys);
  for (auto _ : state) {
    benchmark::DoNotOptimize(limiter.Take(picker.Next(), "60000", "1000000000"));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_FixedWindowByHand)->Arg(1'000)->Arg(100'000);

void BM_FixedWindowPrepared(benchmark::State& state) {
  auto node = *Node::Open({.threading = Threading::kInline});
  const PreparedProgram take =
      *node->Prepare(base::ReadFile(PALENA_SOURCE_DIR "/scripts/recipes/fixed_window.pal"));
  const std::vector<std::string> keys = Keys(state.range(0));
  Picker picker(keys);
  Result result;
  for (auto _ : state) {
    node->Execute(take, {picker.Next(), "60000", "1000000000"}, result);
    PALENA_CHECK(result.ok());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_FixedWindowPrepared)->Arg(1'000)->Arg(100'000);

}  // namespace
}  // namespace palena
