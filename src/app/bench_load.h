#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "app/bench_connection.h"
#include "app/bench_poller.h"
#include "app/bench_schedule.h"
#include "app/bench_tally.h"
#include "app/bench_workload.h"
#include "base/clock.h"
#include "base/status.h"

namespace palena::app {

// One thread of a load generator, with its share of the connections. Public members belong to the
// thread that made it, but nothing is waited for: events tell how far it is.
class BenchLoad {
 public:
  struct Options {
    std::string address;                   // for messages
    std::vector<BenchEndpoint> endpoints;  // of it, tried one after the other
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

  BenchLoad(const base::Clock& clock, std::string name, Options options, Events events);
  ~BenchLoad();

  void Connect();
  // Begins to send; answers count from `measure_from_ns` (steady time) on.
  void Start(std::int64_t measure_from_ns);
  // Sends no more.
  void Stop() { Ask(Wanted::kStop); }
  // Ends the thread; then the tally is complete.
  void Close();

  // Answers so far, warm-up included. Any thread, any time.
  std::uint64_t answered() const { return answered_.load(std::memory_order_relaxed); }
  // After Close().
  const BenchTally& tally() const { return tally_; }
  bool has_lost_all() const { return turns_.empty(); }

 private:
  enum class Wanted : std::uint8_t { kConnect, kSend, kStop, kClose };
  enum class State : std::uint8_t { kConnecting, kReady, kSending, kStopped, kDrained };

  void Ask(Wanted wanted);
  void Run();
  std::int64_t WaitNs() const;
  // False when the thread shall end.
  bool DoWhatIsWanted();

  void ConnectMore();
  void ConnectOne(BenchConnection& connection);
  void OnEvents(BenchConnection& connection, std::uint32_t events);
  void OnConnectEnd(BenchConnection& connection);
  void OnReadable(BenchConnection& connection);
  // Understands all whole messages; false when the connection cannot go on.
  bool TakeAnswers(BenchConnection& connection, std::string_view bytes, std::int64_t now_ns);
  bool OnStep(BenchConnection& connection, const BenchProtocol::Step& step, std::int64_t now_ns);
  void OnAnswer(BenchConnection& connection, const BenchAnswer& answer, std::int64_t now_ns);
  void OnConnectionReady(BenchConnection& connection);
  void Fail(const base::Status& why);
  void Lose(BenchConnection& connection, const std::string& why);
  void LoseUnconnected(BenchConnection& connection, const base::Status& why);
  std::string WhyClosed() const;

  void Begin();
  bool MaySend() const { return options_.requests == 0 || running_ < options_.requests; }
  void Refill(BenchConnection& connection, std::int64_t now_ns);
  void AppendOne(BenchConnection& connection, std::int64_t since_ns);
  void Flush(BenchConnection& connection);
  void SendDue();
  BenchConnection* NextWithRoom();
  void EndIfDrained();

  const base::Clock& clock_;
  const std::string name_;
  const Options options_;
  const Events events_;

  std::atomic<Wanted> wanted_{Wanted::kConnect};
  std::atomic<std::uint64_t> answered_{0};
  std::atomic<std::int64_t> measure_from_ns_{0};
  BenchPoller poller_;

  // Everything below belongs to the load's thread.
  State state_ = State::kConnecting;
  std::mt19937_64 random_;
  std::uniform_int_distribution<std::uint64_t> key_;
  std::uint64_t running_ = 0;
  std::vector<std::string> values_;  // of the request that is being written
  std::vector<char> input_;          // of the connection that is being read
  std::string output_;               // for the connection that is being written
  std::size_t connecting_ = 0;       // begun and not yet ready
  std::size_t ready_ = 0;
  std::size_t in_flight_ = 0;
  BenchSchedule schedule_;
  std::vector<std::unique_ptr<BenchConnection>> connections_;  // null: lost
  std::vector<BenchConnection*> turns_;                        // whose turn it is, round and round
  std::size_t turn_ = 0;
  BenchTally tally_;

  std::thread thread_;
};

}  // namespace palena::app
