#pragma once

// The bytes below a session, whatever carries them: a socket (socket_stream.h) or memory (pipe.h).
// Private to net. Operations complete rather than announce readiness, because that is what both a
// reactor and a ring can do.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace palena::net {

// How a read or a write ended.
struct Transfer {
  enum class Kind : std::uint8_t {
    kBytes,       // `bytes` were moved, at least one
    kWouldBlock,  // WriteNow only: nothing fits at the moment
    kEnd,         // reads only: the peer closed its sending side
    kBroken,      // nothing will be moved any more; also what Close makes of open operations
  };
  Kind kind = Kind::kBroken;
  std::size_t bytes = 0;
};

// What a stream tells its owner.
class StreamUser {
 public:
  virtual void OnRead(Transfer transfer) = 0;
  virtual void OnWritten(Transfer transfer) = 0;

 protected:
  ~StreamUser() = default;
};

// All calls on the loop's thread; completions come there too, never from inside a call. The user
// and the buffers must outlive the operations that were started, also after Close.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Before anything else.
  virtual void SetUser(StreamUser* user) = 0;
  // Reads what is there, at most `size` bytes; completes by OnRead. One at a time.
  virtual void StartRead(char* data, std::size_t size) = 0;
  // Writes what fits at once.
  virtual Transfer WriteNow(std::string_view bytes) = 0;
  // Writes some of `bytes` as soon as some fit; completes by OnWritten. One at a time.
  virtual void StartWrite(std::string_view bytes) = 0;
  // No more will be written: the peer's reads end.
  virtual void EndOutput() = 0;
  virtual void Close() = 0;
};

}  // namespace palena::net
