#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/bench_load.h"
#include "app/bench_options.h"
#include "app/bench_report.h"
#include "app/bench_workload.h"
#include "base/clock.h"
#include "base/status.h"

namespace palena::app {

// Runs the loads of all threads through their phases: connect, warm up, measure, drain.
class BenchRun {
 public:
  // Waits up to this many nanoseconds; true when the user wants to stop.
  using Wait = std::function<bool(std::int64_t ns)>;

  // `progress`: gets a line a second; null for silence.
  BenchRun(const BenchOptions& options, const net::Address& address, const std::string& script,
           Wait wait, std::ostream* progress);

  // Unavailable without a connection, or when all were lost before anything was measured;
  // InvalidArgument when the server refuses the script, Cancelled when the user stopped before
  // anything was measured.
  base::StatusOr<BenchReport> Run();

 private:
  std::unique_ptr<BenchLoad> MakeLoad(std::size_t thread, BenchLoad::Events events);
  base::Status Connect();
  BenchReport Measure(std::int64_t start_ns);
  // Ends the loads; what the user is told.
  base::Status LostAll();
  enum class Waited { kToTheEnd, kStoppedByUser, kDrained };

  // Until then, or until the user wants to stop or all loads are drained: without --requests they
  // are only when no connection is left.
  Waited WaitUntil(std::int64_t until_ns, const char* phase);
  // True when nothing is in flight and nothing more will be sent.
  bool IsDrained() const;
  void Drain();
  std::uint64_t Answered() const;

  const BenchOptions options_;
  const net::Address address_;
  std::vector<BenchEndpoint> endpoints_;  // of the address
  const std::string script_;
  const BenchWorkload workload_;
  const Wait wait_;
  std::ostream* const progress_;
  const base::SystemClock clock_;
  std::vector<std::unique_ptr<BenchLoad>> loads_;
  std::vector<std::future<void>> drained_;
};

}  // namespace palena::app
