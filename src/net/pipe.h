#pragma once

// An in-memory connection: the second carrier of a session, for tests and for embedding a server
// and a client in one process. No descriptor, no kernel, and exact control over how bytes arrive.

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "net/loop.h"

namespace palena::net {

struct PipeOptions {
  // What fits on the way to the far end before the session has to wait.
  std::size_t capacity_bytes = std::size_t{64} << 10;
  // The session never gets more than this from one read: 1 delivers every byte by itself.
  std::size_t read_bytes_max = std::numeric_limits<std::size_t>::max();
};

struct PipeState;

// The far end. Any thread, one at a time; the loop must outlive it. Its end resets the session.
class PipePeer {
 public:
  PipePeer(Loop& loop, std::shared_ptr<PipeState> state);
  ~PipePeer();
  PipePeer(const PipePeer&) = delete;
  PipePeer& operator=(const PipePeer&) = delete;

  // Never blocks; dropped when the session is closed.
  void Send(std::string_view bytes);
  // Blocks until there are bytes; at most `bytes_max` of them, none when the session has ended.
  std::string Receive(std::size_t bytes_max);
  // Orderly: the session still can answer.
  void CloseSending();
  // The connection breaks.
  void Reset();

 private:
  void WakeReader();

  Loop& loop_;
  std::shared_ptr<PipeState> state_;
};

// Makes a session of the near end, served by `handler`, which outlives the loop's thread. Any
// thread.
std::unique_ptr<PipePeer> OpenPipe(Loop& loop, SessionHandler* handler,
                                   const SessionOptions& session, const PipeOptions& options = {});

}  // namespace palena::net
