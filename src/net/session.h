#pragma once

// Sessions: one connection each, owned by one loop, without knowledge of any message.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/capacities.h"

namespace palena::net {

// Why a session ended.
enum class CloseReason : std::uint8_t {
  kPeerClosed,      // orderly: the peer closed its sending side and everything was answered
  kReset,           // the connection broke
  kHandlerClosed,   // the handler asked
  kInputStalled,    // part of a message, and the rest did not come in time
  kHandshakeLate,   // no completed handshake in time
  kIdle,            // nothing was asked for a long time
  kOutputStalled,   // the peer reads nothing
  kOutputOverflow,  // the peer reads too slowly for what it asks
  kShutdown,        // the loop stops
};
std::string_view CloseReasonName(CloseReason reason);

// What the handler made of the input it was shown.
struct InputVerdict {
  std::size_t consumed_bytes = 0;  // taken off the front; what is left is shown again with more
  // Length the rest must reach before it makes sense to show it; 0: unknown, show it with whatever
  // comes next. A rest that has this length already is shown again in a later turn, once the peer
  // has read enough output: so a handler whose output() grows large can stop in between.
  std::size_t needed_bytes = 0;
  bool close = false;  // send what is queued, then close
  bool pause = false;  // show no more until Resume (too much in flight)
};

class Session {
 public:
  virtual ~Session() = default;

  virtual std::uint64_t id() const = 0;  // unique in its loop, never reused
  // Where replies are written: append to it, on the loop's thread. What was appended goes out when
  // the current turn ends, in one write where possible.
  virtual std::string& output() = 0;
  // Outside a turn of this session's own input: says that output() has grown. Once per turn is
  // enough; it is written when the turn (a read, or a batch of posted tasks) ends.
  virtual void Flush() = 0;
  // The handshake deadline no longer applies.
  virtual void SetEstablished() = 0;
  // After a verdict with `pause`: what is left is shown again, and reading goes on, in a later
  // turn.
  virtual void Resume() = 0;
  // Sends what is queued, then closes. No further input is shown.
  virtual void CloseAfterFlush() = 0;
};

// What a protocol is to net: one per loop serves all sessions of that loop, on its thread.
class SessionHandler {
 public:
  virtual ~SessionHandler() = default;
  virtual void OnOpen(Session& session) = 0;
  // Called with everything unconsumed, once per read: handle all complete messages in it.
  virtual InputVerdict OnInput(Session& session, std::string_view input) = 0;
  // The peer closed its sending side: no further input; answers still in flight are welcome.
  // True when there are answers in flight (the handler calls CloseAfterFlush itself when they are
  // written), false to close after the flush.
  virtual bool OnInputEnd(Session& session) = 0;
  // Part of a message is there and the rest did not come in time: the session ends, behind what is
  // written here.
  virtual void OnInputStalled(Session& /*session*/) {}
  // The session is gone after this call.
  virtual void OnClose(Session& session, CloseReason reason) = 0;
};

struct SessionOptions {
  std::int64_t handshake_timeout_ms = 0;  // 0: none (clients)
  std::int64_t input_timeout_ms = 0;      // for the rest of a message that has begun; 0: none
  std::int64_t idle_timeout_ms = 0;       // between messages; 0: none
  std::int64_t output_stall_timeout_ms = 0;
  std::size_t output_pause_bytes = 0;  // reading is paused while more than this is queued; 0: never
  std::size_t output_close_bytes = 0;  // queued beyond the reply being sent: closed; 0: never
  // First size of the input buffer; what stays of an output buffer that is empty; of one transfer
  // (split_stream.h).
  std::size_t read_bytes = base::Capacities().read_bytes;
  std::size_t output_kept_bytes = base::Capacities().output_kept_bytes;
  std::size_t transfer_bytes_max = base::Capacities().transfer_bytes_max;

  // With the parts of `capacities` that are a session's; one that never pauses goes on so.
  SessionOptions With(const base::Capacities& capacities) const;
};

}  // namespace palena::net
