// What a transaction over two keys costs, on one shard and on two.
//
//   transactions [ROUNDS]
//
// A node in process, every shard's thread pinned to a core of its own. On each shard's thread 32
// callers move one from a key to another, as an application that is called back would: the end of
// one transaction starts the next. As a plain script and as begin … commit end. Keys are ephemeral
// and many, so that a caller seldom waits for another's lock. Medians of rounds that alternate.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <future>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "counter_key.h"
#include "pinned_node.h"
#include "rounds.h"

namespace palena::engine {
namespace {

constexpr std::size_t kCallers = 32;
constexpr std::size_t kKeysPerShard = 20'000;
constexpr std::chrono::milliseconds kWarmup{200};
constexpr std::chrono::milliseconds kMeasured{1'000};

constexpr std::string_view kMove =
    "let a = eget @a\nlet b = eget @b\neset @a to_int(a) - 1\neset @b to_int(b) + 1\n";

std::string Plain() {
  return std::string(kMove) + "return 1";
}
std::string Transaction() {
  return "begin\n" + std::string(kMove) + "commit end";
}

// Of one shard each.
using Keys = std::vector<std::vector<std::string>>;

Keys KeysOf(const PinnedNode& node, unsigned shards) {
  Keys keys(shards);
  std::size_t full = 0;
  for (std::size_t i = 0; full < shards; ++i) {
    std::string key = CounterKey(i);
    std::vector<std::string>& owned = keys[node.OwnerOfKey(key)];
    if (owned.size() == kKeysPerShard) continue;
    owned.push_back(std::move(key));
    full += owned.size() == kKeysPerShard ? 1 : 0;
  }
  return keys;
}

// So that every key holds a number.
class Filler final : private ReplySink {
 public:
  explicit Filler(const Keys& keys)
      : left_(static_cast<std::ptrdiff_t>(keys.size() * kKeysPerShard)) {}

  void Fill(PinnedNode& node, const Keys& keys) {
    for (const auto& owned : keys) {
      for (const std::string& key : owned) {
        const model::ParameterView parameter{"@k", -1, key};
        model::RequestView request;
        request.script = "eset @k 1000000";
        request.parameters = {&parameter, 1};
        node.engine().ExecuteFromOutside({request, {this, 0, 0}, 0});
      }
    }
    left_.wait();
  }

 private:
  void OnResult(std::uint64_t, std::uint64_t, model::Result&) override { left_.count_down(); }

  std::latch left_;
};

struct Load {
  std::string script;
  bool spans_shards;  // the second key lies on the next shard
};

// Callers on the thread of shard `home`.
class Callers final : private ReplySink {
 public:
  Callers(PinnedNode& node, const Keys& keys, unsigned home, const Load& load)
      : loop_(node.loop(home)),
        shard_(node.engine().shard(home)),
        from_(keys[home]),
        to_(keys[load.spans_shards ? (home + 1) % keys.size() : home]),
        program_((*node.engine().Prepare(load.script))->id()),
        random_(home + 1) {}

  void Start() {
    loop_.Post([this] {
      in_flight_ = ready_ = kCallers;
      StartReady();
    });
  }
  // Transactions since Start. Any thread.
  std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  // Waits until none is in flight.
  void Stop() {
    loop_.Post([this] {
      is_stopping_ = true;
      if (ready_ == in_flight_) StartReady();
    });
    stopped_.get_future().wait();
  }
  // Why the first that was refused was; empty: none. After Stop.
  const std::string& refusal() const { return refusal_; }

 private:
  void OnResult(std::uint64_t, std::uint64_t, model::Result& result) override {
    if (result.code == model::Code::kNone) {
      done_.store(done() + 1, std::memory_order_relaxed);
    } else if (refusal_.empty()) {
      refusal_ = result.reason;
    }
    // The caller's next transaction starts in the next turn, as it would from a socket.
    if (ready_++ == 0) loop_.Post([this] { StartReady(); });
  }

  void StartReady() {
    const std::size_t starting = std::exchange(ready_, 0);
    if (is_stopping_) {
      in_flight_ -= starting;
      if (in_flight_ == 0 && !std::exchange(has_stopped_, true)) stopped_.set_value();
      return;
    }
    shard_.BeginTurn();
    for (std::size_t i = 0; i < starting; ++i) StartOne();
    shard_.EndTurn();
  }

  void StartOne() {
    random_ = random_ * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
    const std::size_t first = (random_ >> 33) % kKeysPerShard;
    parameters_[0].value = from_[first];
    parameters_[1].value = to_[(first + 1) % kKeysPerShard];
    model::RequestView request;
    request.program_id = program_;
    request.parameters = parameters_;
    shard_.Execute({request, {this, 0, 0}, 0});
  }

  net::Loop& loop_;
  Shard& shard_;
  const std::vector<std::string>& from_;
  const std::vector<std::string>& to_;
  const model::ProgramId program_;
  std::array<model::ParameterView, 2> parameters_{{{"", 0, ""}, {"", 1, ""}}};
  std::uint64_t random_;
  std::size_t ready_ = 0;  // callers whose transaction is done
  std::size_t in_flight_ = 0;
  bool is_stopping_ = false;
  bool has_stopped_ = false;
  std::string refusal_;
  std::atomic<std::uint64_t> done_{0};
  std::promise<void> stopped_;
};

struct Measured {
  double per_second = 0;
  std::string refusal;
};

double RateOf(const std::vector<std::unique_ptr<Callers>>& all) {
  const auto sum = [&] {
    std::uint64_t done = 0;
    for (const auto& callers : all) done += callers->done();
    return done;
  };
  std::this_thread::sleep_for(kWarmup);
  const std::uint64_t before = sum();
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(kMeasured);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return static_cast<double>(sum() - before) / seconds;
}

Measured Measure(unsigned shards, const Load& load) {
  PinnedNode node(shards);
  auto program = node.engine().Prepare(load.script);
  if (!program.ok()) return {0, program.error().message};
  const Keys keys = KeysOf(node, shards);
  Filler(keys).Fill(node, keys);
  std::vector<std::unique_ptr<Callers>> all;
  for (unsigned home = 0; home < shards; ++home) {
    all.push_back(std::make_unique<Callers>(node, keys, home, load));
  }
  for (const auto& callers : all) callers->Start();
  Measured measured{RateOf(all), ""};
  for (const auto& callers : all) {
    callers->Stop();
    if (measured.refusal.empty()) measured.refusal = callers->refusal();
  }
  return measured;
}

struct Row {
  const char* name;
  unsigned shards;
  Load load;
};

void Report(std::size_t rounds) {
  const std::vector<Row> rows = {
      {"plain script, node of one shard", 1, {Plain(), false}},
      {"plain script, each on one of two", 2, {Plain(), false}},
      {"plain script, each over both", 2, {Plain(), true}},
      {"begin commit, node of one shard", 1, {Transaction(), false}},
      {"begin commit, each on one of two", 2, {Transaction(), false}},
      {"begin commit, each over both", 2, {Transaction(), true}},
  };
  std::vector<std::vector<double>> rates(rows.size());
  std::vector<std::string> refusals(rows.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Measured measured = Measure(rows[i].shards, rows[i].load);
      rates[i].push_back(measured.per_second);
      refusals[i] = std::move(measured.refusal);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("%-34s %10.0f transactions/s%s%s\n", rows[i].name, Median(rates[i]),
                refusals[i].empty() ? "" : "; refused: ", refusals[i].c_str());
  }
}

}  // namespace
}  // namespace palena::engine

int main(int argc, char** argv) {
  const std::optional<std::size_t> rounds = palena::ParseRounds(argc, argv);
  if (!rounds) return 2;
  palena::engine::Report(*rounds);
}
