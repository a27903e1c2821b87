#include "net/session.h"

#include <utility>

#include "base/check.h"
#include "net/loop_impl.h"
#include "net/session_impl.h"
#include "net/split_stream.h"

namespace palena::net {
namespace {

// How long a peer may go on sending to a session that has said its last word.
constexpr std::int64_t kLingerNs = 1'000'000'000;

// An output buffer above `kept_bytes` is given back once it is empty.
void ClearOutput(std::string& output, std::size_t kept_bytes) {
  if (output.capacity() > kept_bytes) {
    output = std::string();
  } else {
    output.clear();
  }
}

bool HasPassed(std::int64_t since_ns, std::int64_t timeout_ms, std::int64_t now_ns) {
  return timeout_ms > 0 && now_ns - since_ns >= timeout_ms * 1'000'000;
}

}  // namespace

std::string_view CloseReasonName(CloseReason reason) {
  switch (reason) {
    case CloseReason::kPeerClosed:
      return "peer_closed";
    case CloseReason::kReset:
      return "reset";
    case CloseReason::kHandlerClosed:
      return "handler_closed";
    case CloseReason::kInputStalled:
      return "input_stalled";
    case CloseReason::kHandshakeLate:
      return "handshake_late";
    case CloseReason::kIdle:
      return "idle";
    case CloseReason::kOutputStalled:
      return "output_stalled";
    case CloseReason::kOutputOverflow:
      return "output_overflow";
    case CloseReason::kShutdown:
      return "shutdown";
  }
  base::CheckFailed(__FILE__, __LINE__, "a known close reason");
}

SessionOptions SessionOptions::With(const base::Capacities& capacities) const {
  SessionOptions options = *this;
  if (output_pause_bytes != 0) options.output_pause_bytes = capacities.output_pause_bytes;
  options.output_kept_bytes = capacities.output_kept_bytes;
  options.read_bytes = capacities.read_bytes;
  options.transfer_bytes_max = capacities.transfer_bytes_max;
  return options;
}

SessionImpl::SessionImpl(Loop::Impl& loop, std::uint64_t id, Setup setup)
    : loop_(loop),
      id_(id),
      stream_(SplitTransfers(std::move(setup.stream), setup.options.transfer_bytes_max)),
      handler_(setup.handler),
      options_(setup.options),
      counters_(std::move(setup.counters)),
      input_(options_.read_bytes),
      opened_ns_(loop.NowNs()) {
  stream_->SetUser(this);
}

SessionImpl::~SessionImpl() {
  if (counters_) --counters_->occupied;
}

void SessionImpl::Open() {
  Loop::Impl::Turn turn(loop_);
  handler_->OnOpen(*this);
  loop_.MarkDirty(*this);
}

void SessionImpl::Flush() {
  loop_.MarkDirty(*this);
}

void SessionImpl::Resume() {
  if (!paused_) return;
  paused_ = false;
  loop_.MarkDirty(*this);
}

void SessionImpl::CloseAfterFlush() {
  close_after_flush_ = true;
  loop_.MarkDirty(*this);
}

// ---- input

void SessionImpl::OnRead(Transfer transfer) {
  const Loop::Impl::Turn turn(loop_);
  read_open_ = false;
  if (state_ != State::kOpen) return DiscardInput(transfer);
  if (transfer.kind == Transfer::Kind::kBytes) {
    input_.Commit(transfer.bytes);
    if (input_.size() >= needed_bytes_ && !close_after_flush_) ShowInput();
  } else if (transfer.kind == Transfer::Kind::kEnd) {
    input_ended_ = true;
  } else {
    return Close(CloseReason::kReset);
  }
  loop_.MarkDirty(*this);
}

void SessionImpl::ShowInput() {
  const InputVerdict verdict = handler_->OnInput(*this, input_.view());
  input_.Consume(verdict.consumed_bytes);
  needed_bytes_ = verdict.needed_bytes;
  paused_ = verdict.pause;
  if (verdict.close) close_after_flush_ = true;
  const bool stopped_early = verdict.pause || needed_bytes_ > 0;
  show_again_ = stopped_early && !input_.empty() && input_.size() >= needed_bytes_;
  if (verdict.consumed_bytes > 0) message_began_ns_ = 0;
}

void SessionImpl::ShowAgain() {
  if (!show_again_ || close_after_flush_ || !MayReadOn()) return;
  ShowInput();
  loop_.MarkDirty(*this);
}

void SessionImpl::ReportInputEnd() {
  if (std::exchange(end_reported_, true)) return;
  if (!handler_->OnInputEnd(*this)) close_after_flush_ = true;
  loop_.MarkDirty(*this);
}

// Backpressure of either kind: the handler's, or that of a peer that reads slowly.
bool SessionImpl::MayReadOn() const {
  if (paused_) return false;
  return options_.output_pause_bytes == 0 || queued_bytes() <= options_.output_pause_bytes;
}

void SessionImpl::ContinueInput() {
  if (!MayReadOn()) {
    message_began_ns_ = 0;  // it is not the peer that keeps us waiting
  } else if (show_again_) {
    loop_.ShowAgainLater(*this);
  } else if (input_ended_) {
    ReportInputEnd();
  } else if (!read_open_) {
    read_open_ = true;
    loop_.ReadSoon(*this);
  }
}

void SessionImpl::ReadOn() {
  if (state_ != State::kClosed) return StartRead();
  read_open_ = false;  // closed between the wish and its turn
  loop_.SweepLater();
}

void SessionImpl::StartRead() {
  read_began_ns_ = loop_.NowNs();
  if (!input_.empty() && message_began_ns_ == 0) message_began_ns_ = read_began_ns_;
  const InputBuffer::Room room = input_.MakeRoom(needed_bytes_);
  read_open_ = true;
  stream_->StartRead(room.data, room.size);
}

// ---- output

void SessionImpl::Settle() {
  is_dirty_ = false;
  if (state_ != State::kOpen || !WriteOutput()) return;
  if (!close_after_flush_) return ContinueInput();
  if (!write_open_) EndOrderly();
}

bool SessionImpl::WriteOutput() {
  if (write_open_) {
    if (options_.output_close_bytes == 0 || output_.size() <= options_.output_close_bytes) {
      return true;
    }
    Close(CloseReason::kOutputOverflow);
    return false;
  }
  if (output_.empty()) return true;
  const Transfer transfer = stream_->WriteNow(output_);
  if (transfer.kind == Transfer::Kind::kBroken) {
    Close(CloseReason::kReset);
    return false;
  }
  if (transfer.bytes == output_.size()) {
    ClearOutput(output_, options_.output_kept_bytes);
    return true;
  }
  std::swap(output_, writing_);
  written_ = transfer.bytes;
  StartWrite();
  return true;
}

void SessionImpl::StartWrite() {
  write_moved_ns_ = loop_.NowNs();
  write_open_ = true;
  stream_->StartWrite(std::string_view(writing_).substr(written_));
}

void SessionImpl::OnWritten(Transfer transfer) {
  const Loop::Impl::Turn turn(loop_);
  write_open_ = false;
  if (state_ != State::kOpen) return loop_.SweepLater();
  if (transfer.kind != Transfer::Kind::kBytes) return Close(CloseReason::kReset);
  written_ += transfer.bytes;
  if (written_ < writing_.size()) return StartWrite();
  ClearOutput(writing_, options_.output_kept_bytes);
  written_ = 0;
  loop_.MarkDirty(*this);
}

// ---- the end

// Everything was sent. Closing a socket that has unread input resets the connection, and the reset
// may overtake the last reply; so the peer is told that this side is done, and gets a moment.
void SessionImpl::EndOrderly() {
  if (input_ended_) return Close(CloseReason::kPeerClosed);
  stream_->EndOutput();
  lingering_since_ns_ = loop_.NowNs();
  Leave(end_reason_, State::kLingering);
  input_.Clear();
  if (!read_open_) StartRead();
}

// A peer that waits for nothing but our refusal gets it, in the time that it has for any output.
void SessionImpl::EndStalled() {
  const std::size_t before = output_.size();
  handler_->OnInputStalled(*this);
  if (output_.size() == before) return Close(CloseReason::kInputStalled);
  end_reason_ = CloseReason::kInputStalled;
  CloseAfterFlush();
}

void SessionImpl::DiscardInput(Transfer transfer) {
  if (state_ == State::kLingering && transfer.kind == Transfer::Kind::kBytes) return StartRead();
  if (state_ == State::kLingering) {
    state_ = State::kClosed;
    stream_->Close();
  }
  loop_.SweepLater();
}

void SessionImpl::Close(CloseReason reason) {
  if (state_ != State::kOpen) return;
  stream_->Close();
  Leave(reason, State::kClosed);
}

void SessionImpl::Leave(CloseReason reason, State state) {
  state_ = state;
  if (counters_) {
    ++counters_->closed_by_reason[static_cast<std::size_t>(reason)];
    --counters_->open;
  }
  loop_.Detach(*this);
  handler_->OnClose(*this, reason);
}

std::optional<CloseReason> SessionImpl::OverdueReason(std::int64_t now_ns) const {
  if (!established_ && HasPassed(opened_ns_, options_.handshake_timeout_ms, now_ns)) {
    return CloseReason::kHandshakeLate;
  }
  if (read_open_ && message_began_ns_ != 0 && !close_after_flush_ &&
      HasPassed(message_began_ns_, options_.input_timeout_ms, now_ns)) {
    return CloseReason::kInputStalled;
  }
  if (read_open_ && message_began_ns_ == 0 &&
      HasPassed(read_began_ns_, options_.idle_timeout_ms, now_ns)) {
    return CloseReason::kIdle;
  }
  if (write_open_ && HasPassed(write_moved_ns_, options_.output_stall_timeout_ms, now_ns)) {
    return CloseReason::kOutputStalled;
  }
  return std::nullopt;
}

void SessionImpl::CloseIfOverdue(std::int64_t now_ns) {
  if (state_ == State::kLingering && now_ns - lingering_since_ns_ >= kLingerNs) {
    state_ = State::kClosed;
    stream_->Close();
    return loop_.SweepLater();
  }
  if (state_ != State::kOpen) return;
  const std::optional<CloseReason> reason = OverdueReason(now_ns);
  if (!reason) return;
  if (*reason == CloseReason::kInputStalled) return EndStalled();
  Close(*reason);
}

}  // namespace palena::net
