#include "app/bench_run.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace palena::app {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kPollNs = 50'000'000;
constexpr std::int64_t kForEverNs = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kDrainNsMax = 2 * kNsPerSecond;

std::int64_t ToNs(double seconds) {
  return static_cast<std::int64_t>(seconds * static_cast<double>(kNsPerSecond));
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
}

// Thread `i` of `n` gets its part of `total`; the first ones get what is left over.
std::size_t Share(std::size_t total, std::size_t n, std::size_t i) {
  return total / n + (i < total % n ? 1 : 0);
}

}  // namespace

BenchRun::BenchRun(const BenchOptions& options, const net::Address& address,
                   const std::string& script, Wait wait, std::ostream* progress)
    : options_(options),
      address_(address),
      script_(script),
      workload_(MakeWorkload(options_, script_)),
      wait_(std::move(wait)),
      progress_(progress) {}

base::StatusOr<BenchReport> BenchRun::Run() {
  PALENA_RETURN_IF_ERROR(Connect());
  const double warmup_seconds = options_.requests > 0 ? 0 : options_.warmup_seconds;
  const std::int64_t measure_from_ns = clock_.SteadyNs() + ToNs(warmup_seconds);
  for (const auto& load : loads_) load->Start(measure_from_ns);
  const Waited warmed_up = WaitUntil(measure_from_ns, "warm-up");
  if (warmed_up == Waited::kStoppedByUser) {
    return absl::CancelledError("stopped before anything was measured");
  }
  if (warmed_up == Waited::kDrained && options_.requests == 0) return LostAll();
  return Measure(measure_from_ns);
}

BenchReport BenchRun::Measure(std::int64_t start_ns) {
  BenchReport report;
  const double cpu_seconds = CpuSeconds();
  const std::int64_t until_ns =
      options_.requests > 0 ? kForEverNs : start_ns + ToNs(options_.seconds);
  const Waited waited = WaitUntil(until_ns, "measuring");
  for (const auto& load : loads_) load->Stop();
  std::int64_t end_ns = clock_.SteadyNs();
  report.cpu_seconds = CpuSeconds() - cpu_seconds;
  report.threads = options_.threads;
  Drain();
  for (const auto& load : loads_) report.tally.Merge(load->tally());
  // Whoever waited for the end saw it a little later.
  if (waited == Waited::kDrained && report.answers() > 0) end_ns = report.tally.last_answer_ns;
  report.seconds = static_cast<double>(end_ns - start_ns) / static_cast<double>(kNsPerSecond);
  report.has_lost_all = waited == Waited::kDrained &&
                        std::all_of(loads_.begin(), loads_.end(),
                                    [](const auto& load) { return load->has_lost_all(); });
  return report;
}

base::Status BenchRun::LostAll() {
  Drain();
  BenchTally tally;
  for (const auto& load : loads_) tally.Merge(load->tally());
  return absl::UnavailableError(
      absl::StrCat("all connections to ", net::FormatAddress(address_),
                   " were lost before anything was measured: ", tally.first_failure));
}

std::unique_ptr<BenchLoad> BenchRun::MakeLoad(std::size_t thread, BenchLoad::Events events) {
  BenchLoad::Options load;
  load.address = net::FormatAddress(address_);
  load.endpoints = endpoints_;
  load.connections = Share(options_.connections, options_.threads, thread);
  for (std::size_t i = 0; i < thread; ++i) {
    load.first_connection += Share(options_.connections, options_.threads, i);
  }
  load.depth = options_.pipeline;
  load.requests = Share(options_.requests, options_.threads, thread);
  load.rate = options_.rate / static_cast<double>(options_.threads);
  load.keys = options_.keys;
  load.seed = options_.seed + thread;
  load.workload = workload_;
  return std::make_unique<BenchLoad>(clock_, absl::StrCat("load-", thread), std::move(load),
                                     std::move(events));
}

base::Status BenchRun::Connect() {
  PALENA_ASSIGN_OR_RETURN(endpoints_, Resolve(address_));
  std::vector<std::future<base::Status>> ready;
  for (std::size_t thread = 0; thread < options_.threads; ++thread) {
    auto is_ready = std::make_shared<std::promise<base::Status>>();
    auto is_drained = std::make_shared<std::promise<void>>();
    ready.push_back(is_ready->get_future());
    drained_.push_back(is_drained->get_future());
    loads_.push_back(
        MakeLoad(thread, {[is_ready](const base::Status& status) { is_ready->set_value(status); },
                          [is_drained] { is_drained->set_value(); }}));
    loads_.back()->Connect();
  }
  for (std::future<base::Status>& one : ready) {
    while (one.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      if (wait_(kPollNs)) return absl::CancelledError("stopped while connecting");
    }
    PALENA_RETURN_IF_ERROR(one.get());
  }
  return base::Ok();
}

BenchRun::Waited BenchRun::WaitUntil(std::int64_t until_ns, const char* phase) {
  std::uint64_t before = Answered();
  std::int64_t show_ns = clock_.SteadyNs() + kNsPerSecond;
  for (std::int64_t now_ns = clock_.SteadyNs(); now_ns < until_ns; now_ns = clock_.SteadyNs()) {
    if (IsDrained()) return Waited::kDrained;
    if (wait_(std::min(until_ns - now_ns, kPollNs))) return Waited::kStoppedByUser;
    if (progress_ == nullptr || clock_.SteadyNs() < show_ns) continue;
    const std::uint64_t answered = Answered();
    *progress_ << absl::StrFormat("\r%s: %d/s", phase, answered - before);
    if (until_ns != kForEverNs) {
      *progress_ << absl::StrFormat(", %.0f s left   ",
                                    static_cast<double>(until_ns - clock_.SteadyNs()) / 1e9);
    }
    *progress_ << std::flush;
    before = answered;
    show_ns += kNsPerSecond;
  }
  return Waited::kToTheEnd;
}

bool BenchRun::IsDrained() const {
  return std::all_of(drained_.begin(), drained_.end(), [](const std::future<void>& one) {
    return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
}

// What is in flight may still come: a connection that is cut under a request would look like a
// fault of the server in its log.
void BenchRun::Drain() {
  if (progress_ != nullptr) *progress_ << '\n' << std::flush;
  const std::int64_t until_ns = clock_.SteadyNs() + kDrainNsMax;
  for (const std::future<void>& one : drained_) {
    one.wait_for(std::chrono::nanoseconds(std::max<std::int64_t>(until_ns - clock_.SteadyNs(), 0)));
  }
  for (const auto& load : loads_) load->Close();
}

std::uint64_t BenchRun::Answered() const {
  std::uint64_t answered = 0;
  for (const auto& load : loads_) answered += load->answered();
  return answered;
}

}  // namespace palena::app
