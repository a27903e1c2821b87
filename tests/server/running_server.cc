#include "server/running_server.h"

#include <malloc.h>

#include <chrono>
#include <fstream>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/hostile.h"
#include "client/access.h"
#include "limits/limits_file.h"

namespace palena::server {
namespace {

// "VmRSS:     1234 kB" of /proc/self/status.
std::int64_t StatusBytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name;) {
    std::int64_t kib = 0;
    if (name == field + ":" && status >> kib) return kib * 1024;
  }
  return 0;
}

}  // namespace

RunningServer::RunningServer(const base::Clock& clock, const ServerSettings& settings) {
  NodeOptions options;
  options.shards = settings.shards;
  options.fast_path = settings.fast_path;
  auto runtime = node::Runtime::Open(options, clock, nullptr, base::TestCapacities());
  PALENA_CHECK(runtime.ok());
  runtime_ = *std::move(runtime);
  const std::vector<net::Loop*> loops = runtime_->loops();
  limits_ = std::make_unique<limits::LimitService>(
      runtime_->engine(), std::vector<base::Executor*>(loops.begin(), loops.end()));
  UseLimits(settings.limits);
  NativeServerOptions server_options;
  server_options.limits = limits_.get();
  server_options.address = {"127.0.0.1", 0};
  server_options.connections_max = settings.connections_max;
  auto server = NativeServer::Open(server_options, *runtime_);
  PALENA_CHECK(server.ok());
  server_ = *std::move(server);
}

RunningServer::~RunningServer() {
  server_->StopAccepting();
  runtime_->Stop(5'000);
}

void RunningServer::UseLimits(const std::string& text) {
  auto set = limits::ParseLimits(text, "limits.toml");
  PALENA_CHECK(set.ok());
  limits_->Install(*std::move(set));
}

std::uint64_t RunningServer::Closed(net::CloseReason reason) const {
  return stats().closed_by_reason.at(static_cast<std::size_t>(reason));
}

std::unique_ptr<Client> RunningServer::Connect() const {
  ClientOptions options;
  options.address = net::FormatAddress(address());
  options.call_timeout_ms = 60'000;
  auto client = client::Access::Connect(options, base::TestCapacities());
  PALENA_CHECK(client.ok());
  return *std::move(client);
}

std::int64_t RunningServer::Counter(Client& client, const std::string& name) {
  const auto counters = client.Info();
  PALENA_CHECK(counters.ok());
  for (const auto& [known, value] : *counters) {
    if (known == name) return std::stoll(value);
  }
  base::CheckFailed(__FILE__, __LINE__, "a known counter");
}

bool RunningServer::Await(Client& client, const std::function<bool()>& condition) {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::minutes(1)) {
    Counter(client, "runs");
    if (condition()) return true;
  }
  return false;
}

std::int64_t ResidentBytes() {
  malloc_trim(0);  // what is free and only kept by the allocator is not in use
  return StatusBytes("VmRSS");
}

std::int64_t PeakResidentBytes() {
  return StatusBytes("VmHWM");
}

void ResetPeak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace palena::server
