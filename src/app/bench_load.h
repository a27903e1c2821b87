#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "app/bench_connection.h"
#include "app/bench_tally.h"
#include "app/bench_workload.h"
#include "base/clock.h"
#include "base/status.h"
#include "net/loop.h"

namespace palena::app {

// One thread of a load generator, with its share of the connections. Public members belong to the
// thread that made it, but nothing is waited for: events tell how far it is.
class BenchLoad final : public net::SessionHandler {
 public:
  struct Options {
    net::Address address;
    std::size_t connections = 1;
    std::uint64_t first_connection = 0;  // number of the first one, for {c}
    std::size_t depth = 1;
    std::uint64_t requests = 0;  // sends so many in all, then is drained by itself; 0: until Stop()
    double rate = 0;             // requests a second of this thread; 0: closed loop
    std::uint64_t keys = 1;
    std::uint64_t seed = 1;
    BenchWorkload workload;
  };
  struct Events {  // on the load's own thread, each at most once
    std::function<void(const base::Status&)> on_ready;  // all connections are, or one failed
    std::function<void()> on_drained;                   // sends no more, and nothing is in flight
  };

  BenchLoad(const base::Clock& clock, const std::string& name, Options options, Events events);
  ~BenchLoad() override;

  void Connect();
  // Begins to send; answers count from `measure_from_ns` (steady time) on.
  void Start(std::int64_t measure_from_ns);
  // Sends no more.
  void Stop();
  // Ends the thread; then the tally is complete.
  void Close() { loop_.Stop(); }

  // Answers so far, warm-up included. Any thread, any time.
  std::uint64_t answered() const { return answered_.load(std::memory_order_relaxed); }
  // After Close().
  const BenchTally& tally() const { return tally_; }

  void OnOpen(net::Session& /*session*/) override {}
  net::InputVerdict OnInput(net::Session& session, std::string_view input) override;
  bool OnInputEnd(net::Session& /*session*/) override { return false; }
  void OnClose(net::Session& session, net::CloseReason reason) override;

 private:
  using Connections = absl::flat_hash_map<std::uint64_t, std::unique_ptr<BenchConnection>>;

  void OnConnected(std::uint64_t index, base::StatusOr<net::Session*> connected);
  void OnConnectionReady();
  void Fail(const base::Status& why);
  // Handles one message; false when the connection cannot go on.
  bool OnStep(BenchConnection& connection, const BenchProtocol::Step& step, std::int64_t now_ns);
  void OnAnswer(BenchConnection& connection, const BenchAnswer& answer, std::int64_t now_ns);
  void Begin();
  bool MaySend() const { return options_.requests == 0 || running_ < options_.requests; }
  void Refill(BenchConnection& connection, std::int64_t now_ns);
  void SendOne(BenchConnection& connection, std::int64_t since_ns);
  void SendDue(std::int64_t now_ns);
  void ScheduleNextDue(std::int64_t now_ns);
  BenchConnection* NextWithRoom();
  void EndIfDrained();

  const base::Clock& clock_;
  const Options options_;
  const Events events_;
  enum class State : std::uint8_t { kConnecting, kReady, kSending, kStopped, kDrained };
  State state_ = State::kConnecting;
  std::mt19937_64 random_;
  std::uniform_int_distribution<std::uint64_t> key_;
  std::uint64_t running_ = 0;
  std::vector<std::string> values_;  // of the request that is being written
  std::int64_t measure_from_ns_ = 0;
  std::size_t ready_ = 0;
  std::size_t in_flight_ = 0;
  // The schedule of an open loop: request number due_ leaves at start_ns_ + due_ / rate.
  std::int64_t start_ns_ = 0;
  std::uint64_t due_ = 0;
  std::vector<BenchConnection*> turns_;  // whose turn it is, round and round
  std::size_t turn_ = 0;
  BenchTally tally_;
  std::atomic<std::uint64_t> answered_{0};
  Connections connections_;  // by session id
  net::Loop loop_;
};

}  // namespace palena::app
