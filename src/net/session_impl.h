#pragma once

// The session behind session.h, over any byte stream. Private to net.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "net/byte_stream.h"
#include "net/input_buffer.h"
#include "net/loop.h"
#include "net/session.h"

namespace palena::net {

inline constexpr std::size_t kCloseReasons = static_cast<std::size_t>(CloseReason::kShutdown) + 1;

// What a listener knows about its connections; shared with their sessions, on all loops.
struct ConnectionCounters {
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::int64_t> open{0};      // sessions whose handler has not seen OnClose
  std::atomic<std::int64_t> occupied{0};  // the same and those that still hold a descriptor
  std::atomic<std::uint64_t> closed_by_reason[kCloseReasons]{};
};

// Owned by its loop. It is closed (the handler's OnClose is behind it, the loop no longer finds it)
// some time before it is gone (no operation of its stream refers to it).
class SessionImpl final : public Session, public StreamUser {
 public:
  struct Setup {
    std::unique_ptr<ByteStream> stream;
    SessionHandler* handler = nullptr;
    SessionOptions options;
    std::shared_ptr<ConnectionCounters> counters;  // null: not from a listener
  };

  SessionImpl(Loop::Impl& loop, std::uint64_t id, Setup setup);
  ~SessionImpl() override;

  std::uint64_t id() const override { return id_; }
  std::string& output() override { return output_; }
  void Flush() override;
  void SetEstablished() override { established_ = true; }
  void Resume() override;
  void CloseAfterFlush() override;

  void OnRead(Transfer transfer) override;
  void OnWritten(Transfer transfer) override;

  // For the loop.
  void Open();
  // True when the session was not yet on the list of sessions to settle.
  bool MarkDirty() { return !std::exchange(is_dirty_, true); }
  // The end of a turn that touched this session: write, then read on, or end.
  void Settle();
  // Starts the read that the session asked for by ReadSoon.
  void ReadOn();
  // A turn of its own for input that was shown before and not taken.
  void ShowAgain();
  void Close(CloseReason reason);
  void CloseIfOverdue(std::int64_t now_ns);
  bool is_gone() const { return state_ == State::kClosed && !read_open_ && !write_open_; }

 private:
  enum class State : std::uint8_t {
    kOpen,
    kLingering,  // the handler is done; input is thrown away so that the last reply arrives
    kClosed,
  };

  void ShowInput();
  void ReportInputEnd();
  void ContinueInput();
  bool MayReadOn() const;
  void StartRead();
  // False when the session was closed by it.
  bool WriteOutput();
  void StartWrite();
  void EndOrderly();
  void EndStalled();
  void Leave(CloseReason reason, State state);
  void DiscardInput(Transfer transfer);
  std::optional<CloseReason> OverdueReason(std::int64_t now_ns) const;
  std::size_t queued_bytes() const { return output_.size() + writing_.size() - written_; }

  Loop::Impl& loop_;
  const std::uint64_t id_;
  std::unique_ptr<ByteStream> stream_;
  SessionHandler* const handler_;
  const SessionOptions options_;
  const std::shared_ptr<ConnectionCounters> counters_;

  State state_ = State::kOpen;
  bool is_dirty_ = false;  // on the loop's list of sessions to settle
  bool established_ = false;
  bool close_after_flush_ = false;
  CloseReason end_reason_ = CloseReason::kHandlerClosed;  // of closing after the flush

  InputBuffer input_;
  std::size_t needed_bytes_ = 0;
  bool read_open_ = false;  // asked for, or under way
  bool paused_ = false;
  bool show_again_ = false;  // what is left makes sense to the handler as it is
  bool input_ended_ = false;
  bool end_reported_ = false;

  // Double buffering: the handler appends to output_ while writing_ is under way.
  std::string output_;
  std::string writing_;
  std::size_t written_ = 0;  // of writing_
  bool write_open_ = false;

  std::int64_t opened_ns_ = 0;
  std::int64_t read_began_ns_ = 0;
  std::int64_t message_began_ns_ = 0;  // 0: no part of a message is waiting for the rest
  std::int64_t write_moved_ns_ = 0;
  std::int64_t lingering_since_ns_ = 0;
};

}  // namespace palena::net
