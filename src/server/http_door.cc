#include "server/http_door.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "server/lane.h"

namespace palena::server {

HttpDoor::HttpDoor(HttpNode& node, const base::Capacities& capacities, unsigned shard,
                   net::Loop& loop)
    : engine_(*node.engine),
      shard_(node.engine->shard(shard)),
      shard_index_(shard),
      capacities_(capacities),
      loop_(loop),
      api_(node, shard, loop, *this) {}

void HttpDoor::OnOpen(net::Session& session) {
  peers_.emplace(session.id(), std::make_unique<Peer>());
}

void HttpDoor::OnClose(net::Session& session, net::CloseReason reason) {
  const auto it = peers_.find(session.id());
  PALENA_CHECK(it != peers_.end());
  const bool is_answering = it->second->is_answering;
  peers_.erase(it);
  // A peer that broke off gets no answer: what it asked for and has not begun is dropped.
  if (is_answering && reason != net::CloseReason::kShutdown) {
    engine_.DropLane(LaneOf(shard_index_, session.id()));
  }
}

bool HttpDoor::OnInputEnd(net::Session& session) {
  Peer& peer = *peers_.at(session.id());
  peer.has_ended = true;
  return peer.is_answering;
}

void HttpDoor::OnInputStalled(net::Session& session) {
  Refuse(session, *peers_.at(session.id()),
         {HttpError::kRequestTimeout,
          absl::StrCat("The request was not complete within ", base::kHttpRequestTimeoutMs,
                       " ms of its first byte")});
}

net::InputVerdict HttpDoor::OnInput(net::Session& session, std::string_view input) {
  Peer& peer = *peers_.at(session.id());
  current_ = &session;
  shard_.BeginTurn();
  net::InputVerdict verdict = HandleRequests(session, peer, input);
  shard_.EndTurn();
  current_ = nullptr;
  peer.GoOn();
  verdict.close = peer.is_closing && !peer.is_answering;
  // The end of the turn may have brought the answer; nothing else would wake this session.
  if (verdict.pause && !peer.is_answering) {
    verdict.pause = false;
    verdict.needed_bytes = 1;
  }
  peer.is_paused = verdict.pause;
  return verdict;
}

net::InputVerdict HttpDoor::HandleRequests(net::Session& session, Peer& peer,
                                           std::string_view input) {
  net::InputVerdict verdict;
  const std::int64_t began_ns = shard_.clock().SteadyNs();
  for (std::size_t requests = 1; !peer.is_closing; ++requests) {
    peer.GoOn();
    switch (peer.parser.Parse(input.substr(verdict.consumed_bytes))) {
      case HttpParser::Step::kNeedMore:
        if (peer.parser.TakeContinue()) session.output() += "HTTP/1.1 100 Continue\r\n\r\n";
        verdict.needed_bytes = peer.parser.needed_bytes();
        return verdict;
      case HttpParser::Step::kRefused:
        Refuse(session, peer, peer.parser.failure());
        return verdict;
      case HttpParser::Step::kRequest:
        verdict.consumed_bytes += peer.parser.consumed_bytes();
        Handle(session, peer);
    }
    if (peer.is_answering) {
      verdict.pause = true;
      return verdict;
    }
    // Others on this thread have their turn, and what was made is sent before more is made.
    if (requests >= capacities_.frames_per_turn ||
        session.output().size() > capacities_.output_pause_bytes ||
        shard_.clock().SteadyNs() - began_ns > base::kSliceNs) {
      verdict.needed_bytes = 1;
      return verdict;
    }
  }
  return verdict;
}

void HttpDoor::Handle(net::Session& session, Peer& peer) {
  session.SetEstablished();
  peer.is_answering = true;
  api_.Handle(peer.parser.request(), {session.id(), LaneOf(shard_index_, session.id())});
}

void HttpDoor::OnAnswer(std::uint64_t session_id, HttpResponse& response) {
  net::Session* const session = current_ != nullptr && current_->id() == session_id
                                    ? current_
                                    : loop_.FindSession(session_id);
  if (session == nullptr) return;  // it went away meanwhile; what was applied stays applied
  const auto found = peers_.find(session_id);
  if (found == peers_.end()) return;
  Peer& peer = *found->second;
  const HttpRequest& request = peer.parser.request();
  Write(*session, peer, response,
        {request.is_http_1_0, request.method == "HEAD", request.keeps_alive, shard_.now_ms()});
  peer.is_answering = false;
  peer.is_answered = true;
  if (session == current_) return;  // its own turn flushes, and reads on by itself
  peer.GoOn();
  session->Flush();
  if (peer.is_closing || peer.has_ended) return session->CloseAfterFlush();
  if (std::exchange(peer.is_paused, false)) session->Resume();
}

// Nothing that follows on this connection can be told apart.
void HttpDoor::Refuse(net::Session& session, Peer& peer, const HttpFailure& failure) {
  HttpResponse response = HttpErrorResponse(failure);
  response.closes = true;
  Write(session, peer, response, {.now_ms = shard_.now_ms()});
}

void HttpDoor::Write(net::Session& session, Peer& peer, HttpResponse& response,
                     const HttpSending& sending) {
  AppendHttpResponse(response, sending, session.output());
  responses_[static_cast<std::size_t>(response.status / 100)].fetch_add(1,
                                                                        std::memory_order_relaxed);
  if (response.closes || !sending.keeps_alive) peer.is_closing = true;
}

}  // namespace palena::server
