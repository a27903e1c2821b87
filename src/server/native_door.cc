#include "server/native_door.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "server/lane.h"
#include "server/limit_messages.h"
#include "wire/frame.h"

namespace palena::server {
namespace {

// Between two looks at the clock.
constexpr std::size_t kFramesPerLook = 16;

void AppendFailure(net::Session& session, std::uint64_t id, model::Code code, std::string message) {
  wire::AppendResult(session.output(), id,
                     model::Result::Failure({code, std::move(message), 0, ""}));
}

}  // namespace

NativeDoor::NativeDoor(const DoorOptions& options, engine::Engine& engine,
                       limits::LimitService& limits, unsigned shard, net::Loop& loop,
                       MetricSource metrics)
    : options_(options),
      engine_(engine),
      limits_(limits),
      shard_(engine.shard(shard)),
      shard_index_(shard),
      loop_(loop),
      metrics_(std::move(metrics)) {}

void NativeDoor::OnOpen(net::Session& session) {
  peers_.try_emplace(session.id());
}

void NativeDoor::OnClose(net::Session& session, net::CloseReason reason) {
  const auto it = peers_.find(session.id());
  PALENA_CHECK(it != peers_.end());
  const bool has_open_requests = it->second.in_flight > 0;
  peers_.erase(it);
  // A peer that broke off gets no answers: what it asked for and has not begun is dropped.
  if (has_open_requests && reason != net::CloseReason::kShutdown)
    engine_.DropLane(LaneOf(shard_index_, session.id()));
}

bool NativeDoor::OnInputEnd(net::Session& session) {
  Peer& peer = peers_.at(session.id());
  peer.has_ended = true;
  return peer.in_flight > 0;
}

net::InputVerdict NativeDoor::OnInput(net::Session& session, std::string_view input) {
  Peer& peer = peers_.at(session.id());
  current_ = &session;
  current_peer_ = &peer;
  shard_.BeginTurn();
  net::InputVerdict verdict = HandleFrames(session, peer, input);
  if (!verdict.close) BeginAwaiting(session, peer, input, verdict);
  shard_.EndTurn();
  current_ = nullptr;
  current_peer_ = nullptr;
  // The end of the turn may have answered enough already; nothing else would wake this session.
  if (verdict.pause && MayResume(peer)) {
    peer.is_paused = false;
    verdict.pause = false;
    verdict.needed_bytes = 1;
  }
  return verdict;
}

bool NativeDoor::IsFull(const Peer& peer) const {
  return peer.in_flight >= options_.capacities.requests_in_flight_max ||
         peer.large_bytes >= options_.capacities.large_request_bytes_in_flight_max;
}

bool NativeDoor::MayResume(const Peer& peer) const {
  return !IsFull(peer) && peer.in_flight <= options_.capacities.requests_in_flight_max / 2;
}

net::InputVerdict NativeDoor::HandleFrames(net::Session& session, Peer& peer,
                                           std::string_view input) {
  net::InputVerdict verdict;
  std::int64_t began_ns = 0;
  frames_ = 0;
  for (;;) {
    const std::size_t bytes_max =
        peer.is_established ? base::kRequestFrameBytesMax : base::kHandshakeFrameBytesMax;
    const wire::FrameStep step = wire::DecodeFrame(input.substr(verdict.consumed_bytes), bytes_max);
    if (step.kind == wire::FrameStep::Kind::kNeedMore) {
      verdict.needed_bytes = step.needed_bytes;
      return verdict;
    }
    if (step.kind != wire::FrameStep::Kind::kFrame) {
      RefuseFrame(session, step.announced_bytes, bytes_max);
      verdict.close = true;
      return verdict;
    }
    if (frames_ == 1) began_ns = shard_.clock().SteadyNs();  // most reads bring one frame
    frame_starts_[frames_++ % frame_starts_.size()] = verdict.consumed_bytes;
    verdict.consumed_bytes += step.consumed_bytes;
    if (!HandleMessage(session, peer, step.payload)) {
      verdict.close = true;
      return verdict;
    }
    if (IsFull(peer)) {
      peer.is_paused = true;
      verdict.pause = true;
      return verdict;
    }
    if (frames_ >= options_.capacities.frames_per_turn ||
        (frames_ % kFramesPerLook == 0 && shard_.clock().SteadyNs() - began_ns > base::kSliceNs)) {
      verdict.needed_bytes = 1;  // others on this thread have their turn first
      return verdict;
    }
    if (HasMuchOutput(session)) {
      verdict.needed_bytes = 1;
      return verdict;
    }
  }
}

// A few bytes may ask for many: what is made is sent before more is made.
bool NativeDoor::HasMuchOutput(net::Session& session) const {
  return session.output().size() > options_.capacities.output_pause_bytes;
}

void NativeDoor::BeginAwaiting(net::Session& session, Peer& peer, std::string_view input,
                               net::InputVerdict& verdict) {
  while (shard_.awaiting() > 0 && !HasMuchOutput(session)) shard_.AdmitNext();
  if (shard_.awaiting() == 0) return;
  const std::size_t first = frame_starts_[(frames_ - shard_.awaiting()) % frame_starts_.size()];
  Unread(peer, input.substr(first, verdict.consumed_bytes - first));
  shard_.DropAwaiting();
  verdict.consumed_bytes = first;
  verdict.needed_bytes = 1;
}

// These requests are not in flight after all.
void NativeDoor::Unread(Peer& peer, std::string_view frames) {
  while (!frames.empty()) {
    const wire::FrameStep step = wire::DecodeFrame(frames, base::kRequestFrameBytesMax);
    frames.remove_prefix(step.consumed_bytes);
    if (step.payload.size() >= kLargeRequestBytes) peer.large_bytes -= step.payload.size();
    peer.EndRequest();
  }
}

void NativeDoor::RefuseFrame(net::Session& session, std::uint32_t announced_bytes,
                             std::size_t bytes_max) {
  if (announced_bytes == 0) {
    return AppendFailure(session, 0, model::Code::kMalformed, "Malformed frame: length 0");
  }
  AppendFailure(session, 0, model::Code::kTooLarge,
                "Frame too large: " + std::to_string(announced_bytes) + " bytes, at most " +
                    std::to_string(bytes_max));
}

bool NativeDoor::HandleMessage(net::Session& session, Peer& peer, std::string_view payload) {
  const base::Status status = decoder_.Decode(payload, message_);
  const std::uint64_t id = message_.id;
  if (status.ok() && peer.is_established) {
    if (const auto* execute = std::get_if<wire::ExecuteRequest>(&message_.request)) {
      CountRequest(peer, payload.size());
      HandleExecute(session, id, execute->request);
      return true;
    }
    if (const auto* many = std::get_if<wire::ExecuteManyRequest>(&message_.request)) {
      CountRequest(peer, payload.size());
      HandleExecuteMany(session, id, many->request);
      return true;
    }
  }
  shard_.AdmitAll();  // see HandleExecute
  if (!status.ok()) {
    AppendFailure(session, id, model::Code::kMalformed,
                  "Malformed request: " + std::string(status.message()));
    return peer.is_established;
  }
  if (const auto* hello = std::get_if<wire::HelloRequest>(&message_.request)) {
    return HandleHello(session, peer, id, *hello);
  }
  if (!peer.is_established) {
    AppendFailure(session, id, model::Code::kUnauthenticated, "Hello must come first");
    return false;
  }
  if (payload.size() >= kLargeRequestBytes && IsTake()) peer.large_bytes += payload.size();
  HandleRequest(session, peer, id);
  return true;
}

bool NativeDoor::IsTake() const {
  return std::holds_alternative<wire::TakeRequest>(message_.request) ||
         std::holds_alternative<wire::ResetLimitRequest>(message_.request);
}

void NativeDoor::HandleRequest(net::Session& session, Peer& peer, std::uint64_t id) {
  const limits::ComesFrom from{shard_index_, LaneOf(shard_index_, session.id())};
  if (const auto* prepare = std::get_if<wire::PrepareRequest>(&message_.request)) {
    HandlePrepare(session, id, prepare->script);
  } else if (std::holds_alternative<wire::PingRequest>(message_.request)) {
    wire::AppendPong(session.output(), id);
  } else if (const auto* take = std::get_if<wire::TakeRequest>(&message_.request)) {
    ++peer.in_flight;
    limits_.Execute(take->request, from, {this, session.id(), id});
  } else if (const auto* reset = std::get_if<wire::ResetLimitRequest>(&message_.request)) {
    ++peer.in_flight;
    limits_.Reset(reset->wish, from, {this, session.id(), id});
  } else if (std::holds_alternative<wire::ListLimitsRequest>(message_.request)) {
    HandleListLimits(session, peer, id);
  } else {
    HandleInfo(session, peer, id);
  }
}

bool NativeDoor::HandleHello(net::Session& session, Peer& peer, std::uint64_t id,
                             const wire::HelloRequest& hello) {
  if (hello.protocol_version != wire::kProtocolVersion) {
    AppendFailure(session, id, model::Code::kMalformed,
                  "Unsupported protocol version: " + std::to_string(hello.protocol_version) +
                      ", this server speaks " + std::to_string(wire::kProtocolVersion));
    return false;
  }
  peer.is_established = true;
  session.SetEstablished();
  wire::AppendHelloReply(session.output(), id,
                         {options_.server_version, options_.node_id, options_.boot_id});
  return true;
}

void NativeDoor::HandlePrepare(net::Session& session, std::uint64_t id, std::string_view script) {
  const model::ScriptOr<engine::ProgramPtr> program = engine_.Prepare(script);
  if (!program.ok()) {
    wire::AppendResult(session.output(), id, model::Result::Failure(program.error()));
    return;
  }
  wire::PrepareReply reply;
  reply.program_id = (*program)->id();
  for (const std::string& name : (*program)->parameters()) reply.parameters.push_back(name);
  wire::AppendPrepareReply(session.output(), id, reply);
}

void NativeDoor::HandleExecute(net::Session& session, std::uint64_t id,
                               const model::RequestView& request) {
  const bool waits = shard_.Execute(
      engine::Call{request, {this, session.id(), id}, LaneOf(shard_index_, session.id())});
  // A frame that has its answer, or its run elsewhere, cannot be unread, nor can those before it.
  if (!waits) shard_.AdmitAll();
}

void NativeDoor::HandleExecuteMany(net::Session& session, std::uint64_t id,
                                   const model::ManyRequestView& request) {
  calls_.clear();
  for (const auto list : {request.calls, request.otherwise}) {
    for (const model::CallView& call : list) {
      calls_.push_back({call.request, nullptr, {}, call.is_required});
    }
  }
  const std::span<const engine::ProgramCall> calls = calls_;
  const bool waits = shard_.Execute(engine::ManyCall{calls.first(request.calls.size()),
                                                     calls.subspan(request.calls.size()),
                                                     request.timeout_ms,
                                                     {this, session.id(), id},
                                                     LaneOf(shard_index_, session.id())});
  if (!waits) shard_.AdmitAll();  // see HandleExecute
}

void NativeDoor::CountRequest(Peer& peer, std::size_t bytes) {
  ++peer.in_flight;
  if (bytes >= kLargeRequestBytes) peer.large_bytes += bytes;
}

void NativeDoor::HandleInfo(net::Session& session, Peer& peer, std::uint64_t id) {
  ++peer.in_flight;
  limits_.Collect([this, session_id = session.id(), id](const limits::LimitReport& report) {
    wire::InfoReply reply;
    metrics_(reply.metrics);
    std::vector<wire::Metric> limit_metrics;
    AddLimitMetrics(report, limit_metrics);
    engine_.CollectMetrics(
        [this, session_id, id, reply = std::move(reply),
         limit_metrics = std::move(limit_metrics)](std::vector<engine::Metric> metrics) mutable {
          for (engine::Metric& metric : metrics) {
            reply.metrics.push_back({std::move(metric.name), metric.value, ""});
          }
          std::move(limit_metrics.begin(), limit_metrics.end(), std::back_inserter(reply.metrics));
          AnswerLater(session_id, [id, reply = std::move(reply)](std::string& out) {
            wire::AppendInfoReply(out, id, reply);
          });
        });
  });
}

void NativeDoor::HandleListLimits(net::Session& session, Peer& peer, std::uint64_t id) {
  ++peer.in_flight;
  limits_.Collect([this, session_id = session.id(), id](limits::LimitReport report) {
    AnswerLater(session_id, [id, list = ToLimitList(*limits_.current(), std::move(report))](
                                std::string& out) { wire::AppendLimitList(out, id, list); });
  });
}

template <typename Append>
void NativeDoor::AnswerLater(std::uint64_t session_id, Append append) {
  loop_.Post([this, session_id, append = std::move(append)] { Answer(session_id, append); });
}

void NativeDoor::OnResult(std::uint64_t session_id, std::uint64_t request, model::Result& result) {
  Answer(session_id, [&](std::string& out) { wire::AppendResult(out, request, result); });
}

void NativeDoor::OnReset(std::uint64_t session_id, std::uint64_t request, model::Result& result) {
  OnResult(session_id, request, result);
}

// What could not be asked is refused like any other request.
void NativeDoor::OnTake(std::uint64_t session_id, std::uint64_t request,
                        model::TakeAnswer& answer) {
  const bool is_answer =
      answer.fault == model::TakeFault::kNone || answer.fault == model::TakeFault::kUndecided;
  if (is_answer) {
    return Answer(session_id,
                  [&](std::string& out) { wire::AppendTakeReply(out, request, answer); });
  }
  model::Result refusal = model::Result::Failure({answer.code, std::move(answer.reason), 0, ""});
  refusal.line = answer.line;
  OnResult(session_id, request, refusal);
}

template <typename Append>
void NativeDoor::Answer(std::uint64_t session_id, Append append) {
  if (current_ != nullptr && current_->id() == session_id) {
    append(current_->output());
    return Answered(*current_, *current_peer_);
  }
  net::Session* session = loop_.FindSession(session_id);
  if (session == nullptr) return;  // it went away meanwhile; what was applied stays applied
  const auto peer = peers_.find(session_id);
  if (peer == peers_.end()) return;
  append(session->output());
  Answered(*session, peer->second);
}

void NativeDoor::Answered(net::Session& session, Peer& peer) {
  peer.EndRequest();
  if (current_ == &session) return;  // its own turn flushes, and reads on by itself
  session.Flush();
  if (peer.has_ended && peer.in_flight == 0) return session.CloseAfterFlush();
  if (peer.is_paused && MayResume(peer)) {
    peer.is_paused = false;
    session.Resume();
  }
}

}  // namespace palena::server
