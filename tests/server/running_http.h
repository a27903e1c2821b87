#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/limits.h"
#include "limits/limit_service.h"
#include "node/runtime.h"
#include "server/http_client.h"
#include "server/http_server.h"

namespace palena::server {

struct HttpSettings {
  unsigned shards = 1;
  std::size_t connections_max = base::kHttpConnectionsMax;
  std::string limits = {};  // the text of a limits file
};

// A node with its HTTP server in this process, ready, on a port of 127.0.0.1, persistent keys in
// memory.
class RunningHttp {
 public:
  // `clock` outlives the server.
  RunningHttp(const base::Clock& clock, const HttpSettings& settings);
  ~RunningHttp();

  HttpServer& server() { return *server_; }
  node::Runtime& runtime() { return *runtime_; }
  // Answers what is in flight, refuses what comes.
  void Drain();
  HttpClient Connect() const { return HttpClient(server_->address()); }
  // The answer to a script, over a connection of its own.
  HttpAnswer Execute(const std::string& body) const {
    return Connect().Ask("POST", "/v1/execute", body);
  }

 private:
  std::unique_ptr<node::Runtime> runtime_;
  std::unique_ptr<limits::LimitService> limits_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace palena::server
