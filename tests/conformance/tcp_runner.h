#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/hostile.h"
#include "base/temp_dir.h"
#include "client/access.h"
#include "conformance/run_cases.h"
#include "conformance/ticking.h"
#include "node/runtime.h"
#include "palena/client.h"
#include "server/native_server.h"

namespace palena::conformance {

// A node in this process, on RocksDB, with a clock of the test's choice, and a client that talks to
// it over TCP.
class TcpRunner final : public Runner {
 public:
  // `manual`, when given, is the node's clock; otherwise time is real and Sleep waits.
  TcpRunner(unsigned shards, bool fast_path, base::ManualClock* manual) : manual_(manual) {
    NodeOptions options;
    options.data_dir = directory_.path();
    options.shards = shards;
    options.fast_path = fast_path;
    const base::Clock& clock =
        manual != nullptr ? static_cast<const base::Clock&>(*manual) : system_;
    auto runtime = node::Runtime::Open(options, clock, nullptr, base::TestCapacities());
    PALENA_CHECK(runtime.ok());
    runtime_ = *std::move(runtime);
    server::NativeServerOptions server_options;
    server_options.address = {"127.0.0.1", 0};
    auto server = server::NativeServer::Open(server_options, *runtime_);
    PALENA_CHECK(server.ok());
    server_ = *std::move(server);
    ClientOptions client_options;
    client_options.address = net::FormatAddress(server_->address());
    auto client = client::Access::Connect(client_options, base::TestCapacities());
    PALENA_CHECK(client.ok());
    client_ = *std::move(client);
  }
  ~TcpRunner() override {
    client_.reset();
    server_->StopAccepting();
    runtime_->Stop(5'000);
  }

  Answer Run(const Step& step) override {
    const Ticking ticking(manual_, step.script);
    const StatusOr<Result> result = client_->Execute(step.script, step.parameters);
    if (!result.ok()) return {"lost", {}, result.status().message()};
    return Answer::From(*result);
  }

  void Sleep(std::int64_t ms) override {
    if (manual_ != nullptr) {
      manual_->AdvanceMs(ms);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    }
  }

 private:
  base::TempDir directory_;
  base::ManualClock* const manual_;
  base::SystemClock system_;
  std::unique_ptr<node::Runtime> runtime_;
  std::unique_ptr<server::NativeServer> server_;
  std::unique_ptr<Client> client_;
};

}  // namespace palena::conformance
