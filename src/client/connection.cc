#include "client/connection.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/limits.h"
#include "wire/frame.h"

namespace palena::client {
namespace {

// Nothing else is in flight while shaking hands, and ids of calls start above.
constexpr std::uint64_t kHelloId = 0;
constexpr std::int64_t kPauseMsMin = 50;
constexpr std::int64_t kPauseMsMax = 5'000;
constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace

Connection::Connection(net::Loop& loop, Options options, Events events)
    : loop_(loop), options_(std::move(options)), events_(std::move(events)) {}

void Connection::Open() {
  state_ = State::kConnecting;
  const std::uint64_t attempt = ++attempt_;
  net::SessionOptions session_options;
  session_options.output_stall_timeout_ms = base::kOutputStallTimeoutMs;
  loop_.PostAfter(options_.connect_timeout_ms * kNsPerMs, [this, attempt] {
    if (attempt == attempt_ && !is_ready()) GiveUpAttempt();
  });
  loop_.Connect(options_.address, this, session_options.With(options_.capacities),
                [this, attempt](base::StatusOr<net::Session*> connected) {
                  OnConnected(attempt, std::move(connected));
                });
}

void Connection::GiveUpAttempt() {
  net::Session* session = std::exchange(session_, nullptr);
  Break(absl::StrCat("no handshake within ", options_.connect_timeout_ms, " ms"));
  if (session != nullptr) session->CloseAfterFlush();
}

void Connection::Close() {
  state_ = State::kClosed;
  ++attempt_;
  if (net::Session* session = std::exchange(session_, nullptr)) session->CloseAfterFlush();
}

void Connection::OnConnected(std::uint64_t attempt, base::StatusOr<net::Session*> connected) {
  if (attempt != attempt_) {
    if (connected.ok()) (*connected)->CloseAfterFlush();
    return;
  }
  if (!connected.ok()) {
    return BreakAs(absl::UnavailableError(
        absl::StrCat(connected.status().message(), "; is palenad running there? Start it first")));
  }
  session_ = *connected;
  state_ = State::kShaking;
  wire::AppendHello(session_->output(), kHelloId,
                    {wire::kProtocolVersion, "", options_.client_name});
  session_->Flush();
}

void Connection::OnOpen(net::Session& /*session*/) {}  // OnConnected does the work

net::InputVerdict Connection::OnInput(net::Session& session, std::string_view input) {
  net::InputVerdict verdict;
  while (&session == session_) {
    const wire::FrameStep step =
        wire::DecodeFrame(input.substr(verdict.consumed_bytes), base::kReplyFrameBytesMax);
    if (step.kind == wire::FrameStep::Kind::kNeedMore) {
      verdict.needed_bytes = step.needed_bytes;
      return verdict;
    }
    if (step.kind != wire::FrameStep::Kind::kFrame) {
      Break(absl::StrCat("the server sent a frame of ", step.announced_bytes, " bytes; 1 to ",
                         base::kReplyFrameBytesMax, " are allowed"));
      break;
    }
    verdict.consumed_bytes += step.consumed_bytes;
    if (base::Status status = OnPayload(step.payload); !status.ok())
      Break(std::string(status.message()));
  }
  verdict.close = true;
  return verdict;
}

base::Status Connection::OnPayload(std::string_view payload) {
  PALENA_ASSIGN_OR_RETURN(wire::ServerMessage message, wire::DecodeReply(payload));
  if (state_ == State::kShaking) return OnHandshakeReply(message);
  events_.on_message(std::move(message));
  return base::Ok();
}

base::Status Connection::OnHandshakeReply(const wire::ServerMessage& message) {
  if (const auto* refusal = std::get_if<model::Result>(&message.reply)) {
    return absl::UnavailableError(absl::StrCat("the server refused: ", refusal->reason));
  }
  const auto* hello = std::get_if<wire::HelloReply>(&message.reply);
  if (hello == nullptr) return absl::UnavailableError("the server did not shake hands");
  state_ = State::kReady;
  pause_ms_ = 0;
  session_->SetEstablished();
  events_.on_ready(*hello);
  return base::Ok();
}

bool Connection::OnInputEnd(net::Session& /*session*/) {
  return false;
}  // then comes OnClose

void Connection::OnClose(net::Session& session, net::CloseReason reason) {
  if (&session != session_) return;
  if (state_ == State::kShaking) {
    // So it looks when there is no room for one more: the server says nothing to whom it refuses.
    Break(
        "the server closed the connection before the handshake, its connection limit may be "
        "reached; try again later");
  } else {
    Break(absl::StrCat("the connection was closed (", std::string(net::CloseReasonName(reason)),
                       ")"));
  }
}

void Connection::Break(const std::string& why) {
  BreakAs(absl::UnavailableError(absl::StrCat(net::FormatAddress(options_.address), ": ", why)));
}

void Connection::BreakAs(const base::Status& status) {
  if (state_ == State::kClosed || state_ == State::kPausing) return;
  ++attempt_;
  session_ = nullptr;
  state_ = State::kPausing;
  loop_.PostAfter(NextPauseMs() * kNsPerMs, [this, attempt = attempt_] {
    if (attempt == attempt_) Open();
  });
  events_.on_broken(status);
}

// Doubles, and takes off up to a quarter at random, so that the clients of a server that restarts
// do not come back in step.
std::int64_t Connection::NextPauseMs() {
  pause_ms_ = std::clamp(pause_ms_ * 2, kPauseMsMin, kPauseMsMax);
  return pause_ms_ - static_cast<std::int64_t>(base::RandomUint64() % (pause_ms_ / 4 + 1));
}

}  // namespace palena::client
