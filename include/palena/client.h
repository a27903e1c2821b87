#pragma once

// palena::Client: scripts over TCP to a palenad.
//
//   auto client = palena::Client::Connect({.address = "127.0.0.1:7400"});
//   auto result = (*client)->Execute("eset @k 1 nx  return 1", {{"@k", "hello"}});
//
// A client owns one connection and one thread. Requests are pipelined: any number of threads may
// call at the same time, and answers come back as they are ready. Scripts are prepared by
// themselves: the first call of a text sends it, later ones send 16 bytes. When the connection
// breaks, the client reconnects with growing pauses; calls that were in flight fail with
// kUnavailable (whether they were applied is unknown: the client never repeats a call that may have
// been applied), calls made meanwhile wait for the connection up to their timeout.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "palena/many.h"
#include "palena/result.h"
#include "palena/status.h"

namespace palena {

namespace client {
struct Access;
}

struct ClientOptions {
  std::string address = "127.0.0.1:7400";  // HOST:PORT
  std::string name = "palena-client";      // sent at connecting; the server keeps it nowhere
  std::int64_t connect_timeout_ms = 5'000;
  // How long a call waits for its answer before it fails with kDeadlineExceeded; 0: for ever. The
  // run itself has its own limit (ExecuteOptions::timeout_ms).
  std::int64_t call_timeout_ms = 30'000;
};

struct ExecuteOptions {
  std::int64_t timeout_ms = 0;  // of the run on the server; 0: the server's default of 5 s
};

struct ServerInfo {
  std::string server_version;
  std::uint32_t node_id = 0;
  std::uint64_t boot_id = 0;  // another boot: ephemeral keys are gone
};

class Client {
 public:
  using ResultCallback = std::function<void(StatusOr<Result>)>;
  using ManyCallback = std::function<void(StatusOr<ManyResult>)>;

  // Connects and shakes hands; kUnavailable naming the address when nobody answers.
  static StatusOr<std::unique_ptr<Client>> Connect(const ClientOptions& options);
  // Fails what is in flight with kUnavailable and closes. Not from a callback.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Runs a script and waits. Any thread but a callback's.
  StatusOr<Result> Execute(std::string_view script, const Parameters& parameters = {},
                           const ExecuteOptions& options = {});
  // Runs a script; `done` is called exactly once, on the client's thread, and must not block.
  void ExecuteAsync(std::string_view script, const Parameters& parameters, ResultCallback done,
                    const ExecuteOptions& options = {});

  // Runs several scripts as one, all or none (many.h). Blocking, and with a callback, as above.
  StatusOr<ManyResult> ExecuteMany(const Many& many);
  void ExecuteManyAsync(const Many& many, ManyCallback done);

  // Round trip without a script, in microseconds.
  StatusOr<std::int64_t> Ping();
  // The node's counters: name and value (text for what is not a number), in the server's order.
  StatusOr<std::vector<std::pair<std::string, std::string>>> Info();
  // Of the current connection's handshake.
  ServerInfo server() const;
  // False from the moment that a break was noticed until the client has reconnected: a call made
  // meanwhile waits. Any thread.
  bool is_connected() const;

 private:
  friend struct client::Access;
  class Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace palena
