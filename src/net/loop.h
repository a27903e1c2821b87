#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/capacities.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/limits.h"
#include "base/status.h"
#include "net/session.h"

namespace palena::net {

struct Address {
  std::string host;  // a literal IPv4 or IPv6 address, or a name
  std::uint16_t port = 0;
};
// "127.0.0.1:7400", "[::1]:7400", "localhost:7400". InvalidArgument naming the text otherwise.
base::StatusOr<Address> ParseAddress(std::string_view text);
// True for 127.0.0.0/8, ::1 and "localhost".
bool IsLoopback(const Address& address);
std::string FormatAddress(const Address& address);

// One thread with sockets and timers: a shard's thread, or a client's. Tasks posted from other
// threads arrive in batches, with one wake-up per batch.
class Loop final : public base::Executor {
 public:
  // `name`: at most 15 characters, shown by debuggers. `cpu`: pin to this core; -1: do not pin.
  Loop(const base::Clock& clock, const std::string& name, int cpu = -1);
  // Stop() and join.
  ~Loop() override;

  void Post(base::Task task) override;
  void PostAfter(std::int64_t delay_ns, base::Task task) override;
  bool IsCurrent() const override;

  // Closes all sessions (kShutdown) and ends the thread; tasks not yet run are dropped. Any thread
  // but the loop's own.
  void Stop();

  // Outgoing connection; `done` gets the session (its handler has seen OnOpen), or Unavailable
  // naming the address. Any thread. `done` is not called when the loop stops first.
  void Connect(const Address& address, SessionHandler* handler, const SessionOptions& options,
               std::function<void(base::StatusOr<Session*>)> done);

  // The session with this id, or null when it is gone. On the loop's thread.
  Session* FindSession(std::uint64_t id);

  class Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

struct ListenerStats {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;  // above connections_max: closed at once
  std::int64_t open = 0;
  std::vector<std::uint64_t> closed_by_reason;  // indexed by CloseReason
};

// Accepts on one address and spreads connections over loops, each to the one with the fewest.
// Several may share the same loops: each brings the handlers and options of its own sessions.
class Listener {
 public:
  struct Options {
    Address address;
    SessionOptions session = {};  // of every connection
    std::size_t connections_max = base::kConnectionsMax;
    std::size_t accepted_per_turn = base::Capacities().accepted_per_turn;
  };
  // A loop that connections may come to, and what serves them there, on the loop's thread. Neither
  // is owned; the loop outlives the listener, the handler the loop's thread.
  struct Place {
    Loop* loop = nullptr;
    SessionHandler* handler = nullptr;
  };
  // Unavailable naming address and errno text when it cannot be bound ("address already in use").
  // Blocks while a host name is resolved.
  static base::StatusOr<std::unique_ptr<Listener>> Open(const Options& options,
                                                        std::vector<Place> places);
  // Stops accepting; sessions live on.
  ~Listener();

  // With the port that was picked when 0 was asked for.
  Address address() const;
  ListenerStats stats() const;
  void StopAccepting();

 private:
  class Impl;
  explicit Listener(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace palena::net
