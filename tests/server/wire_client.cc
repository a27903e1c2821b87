#include "server/wire_client.h"

#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "wire/frame.h"

namespace palena::server {

WireClient WireClient::Greeted(const net::Address& address) {
  WireClient client(address);
  client.SendHello();
  const auto reply = client.Receive();
  PALENA_CHECK(reply.has_value() && std::holds_alternative<wire::HelloReply>(reply->reply));
  return client;
}

void WireClient::SendHello(std::uint32_t protocol_version, const std::string& token) {
  std::string bytes;
  wire::AppendHello(bytes, 1, {protocol_version, token, "wire-client"});
  Send(bytes);
}

void WireClient::SendExecute(std::uint64_t id, std::string_view script,
                             const Parameters& parameters) {
  Send(ExecuteFrame(id, script, parameters));
}

std::optional<wire::ServerMessage> WireClient::Receive() {
  const std::string header = peer_->ReceiveExactly(wire::kFrameHeaderBytes);
  if (header.size() < wire::kFrameHeaderBytes) return std::nullopt;
  const std::size_t bytes = base::LoadLittle<std::uint32_t>(header.data());
  const std::string payload = peer_->ReceiveExactly(bytes);
  if (payload.size() < bytes) return std::nullopt;
  auto message = wire::DecodeReply(payload);
  if (!message.ok()) return std::nullopt;
  return *std::move(message);
}

model::Result WireClient::ReceiveResult() {
  auto message = Receive();
  if (message.has_value()) {
    if (auto* result = std::get_if<model::Result>(&message->reply)) return std::move(*result);
  }
  return model::Result::Failure({model::Code::kAdmission, "closed", 0, ""});
}

model::Result WireClient::Execute(std::string_view script, const Parameters& parameters) {
  SendExecute(7, script, parameters);
  return ReceiveResult();
}

bool WireClient::Pings() {
  std::string bytes;
  wire::AppendPing(bytes, 99);
  Send(bytes);
  const auto reply = Receive();
  return reply.has_value() && std::holds_alternative<wire::PongReply>(reply->reply);
}

std::string Frame(std::string_view payload) {
  std::string frame;
  const std::size_t start = wire::BeginFrame(frame);
  frame.append(payload);
  wire::FinishFrame(frame, start);
  return frame;
}

std::string FrameHeader(std::uint32_t bytes) {
  std::string header;
  base::AppendLittle(header, bytes);
  return header;
}

std::string ExecuteFrame(std::uint64_t id, std::string_view script, const Parameters& parameters) {
  std::vector<model::ParameterView> views;
  views.reserve(parameters.size());
  for (const auto& [name, value] : parameters) views.push_back({name, -1, value});
  model::RequestView request;
  request.script = script;
  request.parameters = views;
  std::string bytes;
  wire::AppendExecute(bytes, id, request);
  return bytes;
}

}  // namespace palena::server
