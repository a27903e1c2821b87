// The table beside absl::flat_hash_map, the same work on both: find a 43-byte key by its keyed
// hash, check the expiry, count up, refresh the expiry. And what a counter costs in memory.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/hash.h"
#include "base/inline_executor.h"
#include "store/rocks_commit_log.h"
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

class IgnoringListener final : public CommitLogListener {
 public:
  void OnDurable(Sequence, hlc::HybridTime) override {}
  void OnFailed(const base::Status& cause) override {
    std::fprintf(stderr, "the log failed: %s\n", cause.ToString().c_str());
    std::abort();
  }
};

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
// that nothing but the table grows, and far apart in their order, which fills the nodes of an index
// worst.
void MeasureBytes(benchmark::State& state, std::string (*name)(std::int64_t)) {
  constexpr std::int64_t kStride = 7'919;  // prime, and no divisor of the number of keys
  double resident = 0;
  double accounted = 0;
  for (auto _ : state) {
    malloc_trim(0);
    const std::int64_t before = ResidentBytes();
    Table table(Roomy());
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      table.Install(KeyOf(name(i * kStride % state.range(0))), nullptr, Counter(0, 0, kNow));
    }
    const auto keys = static_cast<double>(state.range(0));
    resident = static_cast<double>(ResidentBytes() - before) / keys;
    accounted = static_cast<double>(table.stats().memory_bytes) / keys;
  }
  state.counters["resident_bytes_per_key"] = resident;
  state.counters["accounted_bytes_per_key"] = accounted;
}

std::string KeyTextInBucket(std::int64_t i) {
  std::string key = KeyText(i);
  key[13] = '/';
  return key;
}

void BM_BytesPerCounter(benchmark::State& state) {
  MeasureBytes(state, KeyText);
}
void BM_BytesPerCounterInBucket(benchmark::State& state) {
  MeasureBytes(state, KeyTextInBucket);
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

// ---- ranges: a bucket of 100 keys, and what lies beside it

enum class Others : std::int64_t { kNone, kFlat, kInnerBuckets };
constexpr std::int64_t kOthers = 1'000'000;
constexpr int kInRange = 100;

std::string OtherKey(Others others, std::int64_t i) {
  if (others == Others::kFlat) return KeyText(i);
  return "bucket/sub" + std::to_string(i % 1000) + "/" + KeyText(i);
}

// The 100 keys are made among the others, so that they do not lie together in memory.
void FillAround(Table& table, Others others) {
  const std::int64_t count = others == Others::kNone ? kInRange : kOthers;
  for (std::int64_t i = 0; i < count; ++i) {
    if (others != Others::kNone) {
      table.Install(KeyOf(OtherKey(others, i)), nullptr, Counter(0, 0, kNow));
    }
    if (i % (count / kInRange) != 0) continue;
    table.Install(KeyOf("bucket/" + KeyText(i)), nullptr, Counter(0, 0, kNow));
  }
}

void ReadRange(benchmark::State& state, const model::KeyRange& range) {
  Table table(Roomy());
  FillAround(table, static_cast<Others>(state.range(0)));
  std::size_t seen = 0;
  for (auto _ : state) {
    seen = 0;
    table.ForEachIn(range, [&seen](Entry& entry) {
      benchmark::DoNotOptimize(HeadOf(entry));
      return ++seen < kInRange;
    });
  }
  if (seen != kInRange) state.SkipWithError("the range does not hold its keys");
}

void BM_ReadBucketOf100(benchmark::State& state) {
  ReadRange(state, {model::Durability::kEphemeral, model::RangeKind::kBucket, "bucket"});
}
void BM_ReadPrefixOf100(benchmark::State& state) {
  ReadRange(state, {model::Durability::kEphemeral, model::RangeKind::kPrefix, "bucket/"});
}

// A key that comes and goes again, in random places of the order, beside so many others.
void CreateAndRemove(benchmark::State& state, const std::string& bucket) {
  constexpr std::size_t kAtOnce = 1000;
  const std::int64_t others = state.range(0);
  std::mt19937_64 random(5);
  Table table(Roomy());
  model::VersionView head = Counter(0, 0, kNow);
  head.expires_ms = model::kNoExpiry;
  for (std::int64_t i = 0; i < others; ++i) {
    table.Install(KeyOf(bucket + KeyText(2 * i)), nullptr, head);
  }
  std::int64_t now_ms = kNow;
  std::vector<std::string> keys(kAtOnce);
  for (auto _ : state) {
    state.PauseTiming();
    for (std::size_t i = 0; i < kAtOnce; ++i) {  // by distinct remainders, so none comes twice
      const std::uint64_t at = random() % static_cast<std::uint64_t>(others);
      keys[i] = bucket + KeyText(static_cast<std::int64_t>(2 * at + 1)) + std::to_string(i);
    }
    state.ResumeTiming();
    for (const std::string& key : keys) {
      table.Install(KeyOf(key), nullptr, Counter(0, 0, now_ms));
    }
    now_ms += kTtlMs + 1;
    while (table.Sweep(now_ms, kAtOnce)) {
    }
  }
  state.counters["per_key"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kAtOnce),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void BM_CreateAndRemove(benchmark::State& state) {
  CreateAndRemove(state, "");
}
void BM_CreateAndRemoveInBucket(benchmark::State& state) {
  CreateAndRemove(state, "bucket/");
}

// ---- a persistent key as of a time, on disk

void BM_ReadAsOf(benchmark::State& state) {
  const auto name = "palena-store-bench-" + std::to_string(getpid());
  const std::string directory = std::filesystem::temp_directory_path() / name;
  const base::SystemClock clock;
  base::InlineExecutor writer(clock);
  auto log = OpenRocksCommitLog({.directory = directory}, writer).value();
  IgnoringListener listener;
  log->SetListener(&listener);
  model::Version before;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    model::Version head = model::Version::Copy(Counter(i, i, kNow + i));
    model::Commit commit;
    commit.stamp.time = head.stamp;
    commit.effects.push_back({model::Durability::kPersistent, "key", head, before});
    log->Append(std::move(commit));
    before = std::move(head);
  }
  log->Start();
  writer.RunReady();
  std::mt19937_64 random(5);
  for (auto _ : state) {
    const auto back =
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(state.range(0)));
    const auto version = log->ReadAsOf("key", kNow + back);
    if (version->revision != back) state.SkipWithError("another version answered");
  }
  log.reset();
  std::filesystem::remove_all(directory);
}

BENCHMARK(BM_ReadBucketOf100)->DenseRange(0, 2);
BENCHMARK(BM_ReadPrefixOf100)->DenseRange(0, 1);
BENCHMARK(BM_CreateAndRemove)->Arg(1000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(BM_CreateAndRemoveInBucket)->Arg(1000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(BM_ReadAsOf)->Arg(10)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_KeyedHashAlone)->Arg(1000);
BENCHMARK(BM_FlatHashMapFindAndUpdate)->Arg(1000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(BM_TableFindAndUpdate)->Arg(1000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(BM_TableFindAndUpdateWithHistory)->Arg(1000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(BM_BytesPerCounter)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BytesPerCounterInBucket)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SweepOfExpiringMillion)->Iterations(2000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace palena::store
