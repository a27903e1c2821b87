#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/limits.h"
#include "limits/limit_service.h"
#include "net/session.h"
#include "node/runtime.h"
#include "palena/client.h"
#include "server/native_server.h"

namespace palena::server {

struct ServerSettings {
  unsigned shards = 1;
  bool fast_path = true;
  std::size_t connections_max = base::kConnectionsMax;
  std::string limits = {};  // text of a file of named limits
};

// A node with its native server in this process, on a port of 127.0.0.1, persistent keys in memory.
class RunningServer {
 public:
  // `clock` outlives the server.
  RunningServer(const base::Clock& clock, const ServerSettings& settings);
  ~RunningServer();

  net::Address address() const { return server_->address(); }
  net::ListenerStats stats() const { return server_->stats(); }
  std::uint64_t Closed(net::CloseReason reason) const;

  // Another file of named limits in the place of the present one.
  void UseLimits(const std::string& text);

  // A well-behaved client of it.
  std::unique_ptr<Client> Connect() const;
  // A counter of `info`, asked for by `client`. With one shard its answer also means that whatever
  // the loop began before has been done: a barrier.
  static std::int64_t Counter(Client& client, const std::string& name);
  // Asks again and again, each time after a barrier; false when it stays false for a minute.
  static bool Await(Client& client, const std::function<bool()>& condition);

 private:
  std::unique_ptr<node::Runtime> runtime_;
  std::unique_ptr<limits::LimitService> limits_;
  std::unique_ptr<NativeServer> server_;
};

// Memory of this process that is in use, and the most that was since the last ResetPeak.
std::int64_t ResidentBytes();
std::int64_t PeakResidentBytes();
void ResetPeak();

}  // namespace palena::server
