#pragma once

// One way to a node from many callers at once. Another door is one more function of kDoors.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/temp_dir.h"
#include "net/loop.h"
#include "node/runtime.h"
#include "palena/client.h"
#include "palena/node.h"
#include "server/native_server.h"

namespace palena::limits {

// A caller: on one thread at a time.
class Caller {
 public:
  virtual ~Caller() = default;
  virtual Result Run(const std::string& script, const Parameters& parameters) = 0;
};

class Door {
 public:
  virtual ~Door() = default;
  virtual std::unique_ptr<Caller> NewCaller() = 0;
};

// palena::Node in this process, two shards, on disk.
class InProcess final : public Door {
 public:
  InProcess() : node_(*Node::Open({.data_dir = directory_ / "data", .shards = 2})) {}

  std::unique_ptr<Caller> NewCaller() override { return std::make_unique<Direct>(*node_); }

 private:
  class Direct final : public Caller {
   public:
    explicit Direct(Node& node) : node_(node) {}
    Result Run(const std::string& script, const Parameters& parameters) override {
      return node_.Execute(script, parameters);
    }

   private:
    Node& node_;
  };

  base::TempDir directory_;
  std::unique_ptr<Node> node_;
};

// A node with its native door, on disk or in memory; each caller has a connection.
class OverTcp final : public Door {
 public:
  explicit OverTcp(bool is_on_disk = true) {
    const std::string data_dir = is_on_disk ? directory_ / "data" : "";
    auto runtime = node::Runtime::Open({.data_dir = data_dir, .shards = 2}, clock_, nullptr);
    PALENA_CHECK(runtime.ok());
    runtime_ = *std::move(runtime);
    server::NativeServerOptions options;
    options.address = {"127.0.0.1", 0};
    auto server = server::NativeServer::Open(options, *runtime_);
    PALENA_CHECK(server.ok());
    server_ = *std::move(server);
  }
  ~OverTcp() override {
    server_->StopAccepting();
    runtime_->Stop(5'000);
  }

  std::unique_ptr<Caller> NewCaller() override {
    return std::make_unique<Connected>(net::FormatAddress(server_->address()));
  }

 private:
  class Connected final : public Caller {
   public:
    explicit Connected(const std::string& address)
        : client_(*Client::Connect({.address = address})) {}
    Result Run(const std::string& script, const Parameters& parameters) override {
      auto result = client_->Execute(script, parameters);
      PALENA_CHECK(result.ok());
      return *std::move(result);
    }

   private:
    std::unique_ptr<Client> client_;
  };

  base::TempDir directory_;
  base::SystemClock clock_;
  std::unique_ptr<node::Runtime> runtime_;
  std::unique_ptr<server::NativeServer> server_;
};

struct NamedDoor {
  std::string name;
  std::function<std::unique_ptr<Door>()> open;
};

inline const std::vector<NamedDoor>& Doors() {
  static const std::vector<NamedDoor> doors = {
      {"InProcess", [] { return std::make_unique<InProcess>(); }},
      {"OverTcp", [] { return std::make_unique<OverTcp>(); }},
  };
  return doors;
}

}  // namespace palena::limits
