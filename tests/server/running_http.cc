#include "server/running_http.h"

#include <future>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/hostile.h"
#include "limits/limits_file.h"

namespace palena::server {

RunningHttp::RunningHttp(const base::Clock& clock, const HttpSettings& settings) {
  NodeOptions options;
  options.shards = settings.shards;
  options.fast_path = !base::IsHostile();
  auto runtime = node::Runtime::Open(options, clock, nullptr, base::TestCapacities());
  PALENA_CHECK(runtime.ok());
  runtime_ = *std::move(runtime);
  const std::vector<net::Loop*> loops = runtime_->loops();
  limits_ = std::make_unique<limits::LimitService>(
      runtime_->engine(), std::vector<base::Executor*>(loops.begin(), loops.end()));
  auto set = limits::ParseLimits(settings.limits, "limits.toml");
  PALENA_CHECK(set.ok());
  limits_->Install(*std::move(set));
  HttpServerOptions server_options;
  server_options.address = {"127.0.0.1", 0};
  server_options.connections_max = settings.connections_max;
  server_options.server_version = "1.2.3";
  auto server = HttpServer::Open(server_options, *runtime_, *limits_);
  PALENA_CHECK(server.ok());
  server_ = *std::move(server);
  server_->SetReady(true);
}

void RunningHttp::Drain() {
  std::promise<void> drained;
  runtime_->engine().Drain([&] { drained.set_value(); });
  drained.get_future().wait();
}

RunningHttp::~RunningHttp() {
  server_->StopAccepting();
  runtime_->Stop(5'000);
}

}  // namespace palena::server
