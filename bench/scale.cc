// What a second shard brings, and what a hop to it costs.
//
//   scale [ROUNDS]
//
// A node of one shard and one of two, in process, every shard's thread pinned to a core of its own.
// Each shard is driven from its own thread by 16 callers, whose completion starts their next
// decision, all on keys of that shard: what is lost against twice the one shard is what shards
// share. Then the same callers on the first shard with keys of the second: every decision hops
// there and back. Rounds alternate; medians.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/read_file.h"
#include "counter_key.h"
#include "pinned_node.h"
#include "rounds.h"

namespace palena::engine {
namespace {

constexpr std::size_t kCallers = 16;
constexpr std::size_t kKeysPerCaller = 5'000;
constexpr std::chrono::milliseconds kWarmup{200};
constexpr std::chrono::milliseconds kMeasured{1'000};

// Callers on the thread of shard `home`, over keys of shard `owner`.
class Callers final : private ReplySink {
 public:
  Callers(PinnedNode& node, unsigned home, unsigned owner)
      : loop_(node.loop(home)), shard_(node.engine().shard(home)) {
    const std::string recipe =
        base::ReadFile(PALENA_SOURCE_DIR "/scripts/recipes/fixed_window.pal");
    program_ = (*node.engine().Prepare(recipe))->id();
    for (std::size_t i = 0; keys_.size() < kCallers * kKeysPerCaller; ++i) {
      std::string key = CounterKey(i);
      if (node.OwnerOfKey(key) == owner) keys_.push_back(std::move(key));
    }
  }

  void Start() {
    loop_.Post([this] {
      in_flight_ = ready_ = kCallers;
      StartReady();
    });
  }
  // Decisions since Start. Any thread.
  std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  // Waits until no decision is in flight.
  void Stop() {
    loop_.Post([this] { is_stopping_ = true; });
    stopped_.get_future().wait();
  }

 private:
  void OnResult(std::uint64_t, std::uint64_t, model::Result& result) override {
    PALENA_CHECK(result.code == model::Code::kNone);
    done_.store(done() + 1, std::memory_order_relaxed);
    // The caller's next decision starts in the next turn, as it would from a socket.
    if (ready_++ == 0) loop_.Post([this] { StartReady(); });
  }

  void StartReady() {
    const std::size_t starting = std::exchange(ready_, 0);
    if (is_stopping_) {
      in_flight_ -= starting;
      if (in_flight_ == 0) stopped_.set_value();
      return;
    }
    shard_.BeginTurn();
    for (std::size_t i = 0; i < starting; ++i) StartOne();
    shard_.EndTurn();
  }

  void StartOne() {
    random_ = random_ * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
    parameters_[0].value = keys_[(random_ >> 33) % keys_.size()];
    model::RequestView request;
    request.program_id = program_;
    request.parameters = parameters_;
    shard_.Execute({request, {this, 0, 0}, 0});
  }

  net::Loop& loop_;
  Shard& shard_;
  model::ProgramId program_{};
  std::vector<std::string> keys_;
  std::array<model::ParameterView, 3> parameters_{
      {{"", 0, ""}, {"", 1, "600000"}, {"", 2, "1000000000"}}};
  std::uint64_t random_ = 1;
  std::size_t ready_ = 0;  // callers whose decision is done
  std::size_t in_flight_ = 0;
  bool is_stopping_ = false;
  std::atomic<std::uint64_t> done_{0};
  std::promise<void> stopped_;
};

struct Drive {
  unsigned home;
  unsigned owner;
};

// Decisions a second of all drives together.
double Measure(unsigned shards, const std::vector<Drive>& drives) {
  PinnedNode node(shards);
  std::vector<std::unique_ptr<Callers>> all;
  for (const Drive& drive : drives) {
    all.push_back(std::make_unique<Callers>(node, drive.home, drive.owner));
  }
  const auto sum = [&] {
    std::uint64_t done = 0;
    for (const auto& callers : all) done += callers->done();
    return done;
  };
  for (const auto& callers : all) callers->Start();
  std::this_thread::sleep_for(kWarmup);
  const std::uint64_t before = sum();
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(kMeasured);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const double rate = static_cast<double>(sum() - before) / seconds;
  for (const auto& callers : all) callers->Stop();
  return rate;
}

void Report(std::size_t rounds) {
  std::vector<double> one, two, ratio, hops;
  for (std::size_t i = 0; i < rounds; ++i) {
    one.push_back(Measure(1, {{0, 0}}));
    two.push_back(Measure(2, {{0, 0}, {1, 1}}));
    hops.push_back(Measure(2, {{0, 1}}));
    ratio.push_back(two.back() / one.back());
  }
  std::printf("one shard            %10.0f decisions/s\n", Median(one));
  std::printf("two shards           %10.0f decisions/s\n", Median(two));
  std::printf("ratio                %10.2f (median of %zu rounds)\n", Median(ratio), rounds);
  std::printf("every decision hops  %10.0f decisions/s, %.0f ns more each than on its own shard\n",
              Median(hops), 1e9 / Median(hops) - 1e9 / Median(one));
}

}  // namespace
}  // namespace palena::engine

int main(int argc, char** argv) {
  const std::optional<std::size_t> rounds = palena::ParseRounds(argc, argv);
  if (!rounds) return 2;
  palena::engine::Report(*rounds);
}
