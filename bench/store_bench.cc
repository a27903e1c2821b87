// The table beside absl::flat_hash_map, the same work on both: find a 43-byte key by its keyed
// hash, check the expiry, count up, refresh the expiry. And what a counter costs in memory.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/hash.h"
#include "store/table.h"

#include <unistd.h>

namespace palena::store {
namespace {

constexpr std::int64_t kNow = 1'750'000'000'000;
constexpr std::int64_t kTtlMs = 60'000;
constexpr std::size_t kKeyBytes = 43;
constexpr std::size_t kPicks = std::size_t{1} << 20;

const base::KeyedHash& Hash() {
  static const base::KeyedHash kHash({9, 8, 7});
  return kHash;
}

std::string KeyText(std::int64_t i) {
  std::string number = std::to_string(i);
  return "rl:tenant-042:user-" + std::string(kKeyBytes - 19 - number.size(), '0') + number;
}

KeyView KeyOf(std::string_view bytes) {
  return {model::Durability::kEphemeral, bytes, Hash()(bytes)};
}

std::vector<std::string> KeyTexts(std::int64_t count) {
  std::vector<std::string> keys;
  keys.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) keys.push_back(KeyText(i));
  return keys;
}

// Which key comes next: drawn before the measurement.
std::vector<std::uint32_t> Picks(std::int64_t keys) {
  std::mt19937_64 random(5);
  std::vector<std::uint32_t> picks(kPicks);
  for (auto& pick : picks)
    pick = static_cast<std::uint32_t>(random() % static_cast<std::uint64_t>(keys));
  return picks;
}

model::VersionView Counter(std::int64_t value, std::int64_t revision, std::int64_t now_ms) {
  // norev: the cost of history is measured apart.
  return {model::VersionKind::kValue,
          true,
          revision,
          now_ms + kTtlMs,
          hlc::HybridTime::FromMs(now_ms),
          model::ValueView::Integer(value)};
}

TableOptions Roomy() {
  return {.memory_bytes_max = std::size_t{8} << 30};
}

void Fill(Table& table, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) table.Install(KeyOf(key), nullptr, Counter(0, 0, kNow));
}

void CountOnTable(benchmark::State& state, bool with_history) {
  const auto keys = KeyTexts(state.range(0));
  const auto picks = Picks(state.range(0));
  Table table(Roomy());
  Fill(table, keys);
  std::size_t i = 0;
  for (auto _ : state) {
    const KeyView key = KeyOf(keys[picks[i++ % kPicks]]);
    Entry* const entry = table.Find(key);
    const model::VersionView head = HeadOf(*entry);
    if (!head.IsLive(kNow)) state.SkipWithError("a key has expired");
    model::VersionView next = Counter(head.value.integer + 1, head.revision + 1, kNow + 1);
    next.norev = !with_history;
    benchmark::DoNotOptimize(&table.Install(key, entry, next));
  }
}

void BM_TableFindAndUpdate(benchmark::State& state) {
  CountOnTable(state, false);
}
void BM_TableFindAndUpdateWithHistory(benchmark::State& state) {
  CountOnTable(state, true);
}

// The least that the same decision needs: the hash is computed once and handed in.
struct PlainCounter {
  std::int64_t value = 0;
  std::int64_t expires_ms = 0;
};
struct PlainHash {
  using is_transparent = void;
  std::size_t operator()(const KeyView& key) const { return key.hash; }
  std::size_t operator()(const std::string& key) const { return Hash()(key); }
};
struct PlainEqual {
  using is_transparent = void;
  bool operator()(const std::string& a, const KeyView& b) const { return a == b.bytes; }
  bool operator()(const std::string& a, const std::string& b) const { return a == b; }
};
using PlainMap = absl::flat_hash_map<std::string, PlainCounter, PlainHash, PlainEqual>;

void BM_FlatHashMapFindAndUpdate(benchmark::State& state) {
  const auto keys = KeyTexts(state.range(0));
  const auto picks = Picks(state.range(0));
  PlainMap map;
  for (const std::string& key : keys) map[key] = {0, kNow + kTtlMs};
  std::size_t i = 0;
  for (auto _ : state) {
    const auto found = map.find(KeyOf(keys[picks[i++ % kPicks]]));
    if (kNow > found->second.expires_ms) state.SkipWithError("a key has expired");
    ++found->second.value;
    found->second.expires_ms = kNow + 1 + kTtlMs;
    benchmark::DoNotOptimize(found->second);
  }
}

void BM_KeyedHashAlone(benchmark::State& state) {
  const auto keys = KeyTexts(state.range(0));
  const auto picks = Picks(state.range(0));
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(KeyOf(keys[picks[i++ % kPicks]]));
}

std::int64_t ResidentBytes() {
  std::int64_t pages = 0;
  std::int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident_pages;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

// Resident and accounted bytes of one 43-byte counter with a TTL. Keys are made one at a time, so
// that nothing but the table grows.
void BM_BytesPerCounter(benchmark::State& state) {
  double resident = 0;
  double accounted = 0;
  for (auto _ : state) {
    malloc_trim(0);
    const std::int64_t before = ResidentBytes();
    Table table(Roomy());
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      table.Install(KeyOf(KeyText(i)), nullptr, Counter(0, 0, kNow));
    }
    const auto keys = static_cast<double>(state.range(0));
    resident = static_cast<double>(ResidentBytes() - before) / keys;
    accounted = static_cast<double>(table.stats().memory_bytes) / keys;
  }
  state.counters["resident_bytes_per_key"] = resident;
  state.counters["accounted_bytes_per_key"] = accounted;
}

// A sweep step of 1,000 entries while a million expire together: the longest turn is what counts.
void BM_SweepOfExpiringMillion(benchmark::State& state) {
  constexpr std::size_t kBudget = 1000;
  const auto keys = KeyTexts(1'000'000);
  auto table = std::make_unique<Table>(Roomy());
  for (auto _ : state) {
    if (table->stats().entries == 0) {
      state.PauseTiming();
      table = std::make_unique<Table>(Roomy());
      Fill(*table, keys);
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(table->Sweep(kNow + kTtlMs + 1, kBudget));
  }
}

BENCHMARK(BM_KeyedHashAlone)->Arg(1000);
BENCHMARK(BM_FlatHashMapFindAndUpdate)->Arg(1000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(BM_TableFindAndUpdate)->Arg(1000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(BM_TableFindAndUpdateWithHistory)->Arg(1000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(BM_BytesPerCounter)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SweepOfExpiringMillion)->Iterations(2000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace palena::store
