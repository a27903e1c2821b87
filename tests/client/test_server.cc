#include "client/test_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/hostile.h"
#include "base/limits.h"
#include "wire/frame.h"

namespace palena::client {
namespace {

std::string Describe(const model::RequestView& request) {
  std::string text = request.program_id ? "program" : "text " + std::string(request.script);
  for (const model::ParameterView& p : request.parameters) {
    text += ' ' + (p.name.empty() ? std::to_string(p.slot) : std::string(p.name)) + '=' +
            std::string(p.value);
  }
  return text;
}

std::string Describe(const model::ManyRequestView& request) {
  std::string text = "many";
  for (const model::CallView& call : request.calls) text += " [" + Describe(call.request) + "]";
  for (const model::CallView& call : request.otherwise) text += " (" + Describe(call.request) + ")";
  return text;
}

}  // namespace

TestServer::TestServer(Answering answering, std::uint16_t port)
    : answering_(std::move(answering)), loop_(clock_, "test-server") {
  auto listener =
      net::Listener::Open({.address = {"127.0.0.1", port},
                           .session = net::SessionOptions{}.With(base::TestCapacities())},
                          {{&loop_, this}});
  EXPECT_TRUE(listener.ok()) << listener.status();
  listener_ = *std::move(listener);
}

TestServer::~TestServer() {
  listener_->StopAccepting();
  loop_.Stop();
}

std::vector<std::string> TestServer::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void TestServer::AwaitSeen(const std::string& prefix, std::size_t count) const {
  std::unique_lock lock(mutex_);
  noted_.wait(lock, [&] { return CountSeen(prefix) >= count; });
}

std::size_t TestServer::CountSeen(const std::string& prefix) const {
  return static_cast<std::size_t>(std::count_if(
      seen_.begin(), seen_.end(), [&](const std::string& s) { return s.starts_with(prefix); }));
}

void TestServer::Note(const std::string& request) {
  const std::lock_guard lock(mutex_);
  seen_.push_back(request);
  noted_.notify_all();
}

void TestServer::Echo(TestServer& server, const Run& run) {
  server.AnswerText(run, run.request);
}

void TestServer::Answer(const Run& run, const model::Result& result) {
  std::string bytes;
  wire::AppendResult(bytes, run.id, result);
  SendBytes(run, bytes);
}

void TestServer::AnswerText(const Run& run, const std::string& text) {
  model::Result result;
  result.values.push_back({});
  result.values.front().is_null = false;
  result.values.front().value = model::Value::Bytes(text);
  Answer(run, result);
}

void TestServer::Break(const Run& run) {
  if (net::Session* session = loop_.FindSession(run.session)) session->CloseAfterFlush();
}

void TestServer::SendBytes(const Run& run, const std::string& bytes) {
  net::Session* session = loop_.FindSession(run.session);
  if (session == nullptr) return;
  session->output() += bytes;
  session->Flush();
}

net::InputVerdict TestServer::OnInput(net::Session& session, std::string_view input) {
  net::InputVerdict verdict;
  for (;;) {
    const wire::FrameStep step =
        wire::DecodeFrame(input.substr(verdict.consumed_bytes), base::kRequestFrameBytesMax);
    if (step.kind != wire::FrameStep::Kind::kFrame) {
      verdict.needed_bytes = step.needed_bytes;
      return verdict;
    }
    verdict.consumed_bytes += step.consumed_bytes;
    wire::ClientMessage message;
    EXPECT_TRUE(decoder_.Decode(step.payload, message).ok());
    Handle(session, message);
  }
}

void TestServer::Handle(net::Session& session, const wire::ClientMessage& message) {
  const model::Result refusal =
      model::Result::Failure({model::Code::kUnauthenticated, "not today", 0, {}});
  if (std::holds_alternative<wire::HelloRequest>(message.request)) {
    Note("hello");
    if (refuses_handshakes_) return wire::AppendResult(session.output(), message.id, refusal);
    wire::AppendHelloReply(session.output(), message.id, {"1.2.3", 7, 99});
  } else if (const auto* prepare = std::get_if<wire::PrepareRequest>(&message.request)) {
    Note("prepare " + std::string(prepare->script));
    if (refuses_to_prepare_) return wire::AppendResult(session.output(), message.id, refusal);
    wire::AppendPrepareReply(session.output(), message.id, {{1}, parameters_});
  } else if (const auto* execute = std::get_if<wire::ExecuteRequest>(&message.request)) {
    const Run run{session.id(), message.id, Describe(execute->request)};
    Note(run.request);
    answering_(*this, run);
  } else if (const auto* many = std::get_if<wire::ExecuteManyRequest>(&message.request)) {
    const Run run{session.id(), message.id, Describe(many->request)};
    Note(run.request);
    answering_(*this, run);
  } else if (std::holds_alternative<wire::PingRequest>(message.request)) {
    Note("ping");
    wire::AppendPong(session.output(), message.id);
  } else {
    Note("info");
    wire::AppendInfoReply(session.output(), message.id,
                          {{{"runs", 12, ""}, {"server_version", 0, "1.2.3"}}});
  }
}

}  // namespace palena::client
