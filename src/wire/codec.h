#pragma once

// Protobuf ↔ model, pure functions. The hot messages (Execute, Result) go through protobuf's coded
// streams without a heap allocation per field; the bytes are those the generated classes would make
// (tests compare). Rules for outside input: unknown fields are skipped, over-long varints, wrong
// wire types, truncated or trailing bytes and unknown enum values are refused.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"
#include "model/request.h"
#include "model/result.h"
#include "wire/limit_codec.h"

namespace palena::wire {

inline constexpr std::uint32_t kProtocolVersion = 1;
inline constexpr std::size_t kClientNameBytesMax = 64;  // of Hello, kept; the rest is cut

struct HelloRequest {
  std::uint32_t protocol_version = 0;
  std::string token;
  std::string client_name;
};
struct PrepareRequest {
  std::string_view script;
};
struct ExecuteRequest {
  model::RequestView request;  // parameters refer to the decoder's reused storage
};
struct ExecuteManyRequest {
  model::ManyRequestView request;  // refers to the decoder's reused storage
};
struct PingRequest {};
struct InfoRequest {};

struct ClientMessage {
  std::uint64_t id = 0;
  std::variant<std::monostate, HelloRequest, PrepareRequest, ExecuteRequest, ExecuteManyRequest,
               PingRequest, InfoRequest, TakeRequest, ListLimitsRequest, ResetLimitRequest>
      request;
};

// What decoded requests refer to; reused.
struct RequestStorage {
  std::vector<model::ParameterView> parameters;
  std::vector<model::CallView> calls;
  TakeStorage take;

  // Also gives back what only a large request needed.
  void Clear();
};

// Decodes client frames. Reuses its storage: a decoded message refers to the payload and to the
// decoder, until the next Decode.
class RequestDecoder {
 public:
  // InvalidArgument, naming what is wrong, for anything that is not a ClientFrame with a request.
  // `id` of `out` is filled in whenever it could be read, so that the refusal can carry it.
  base::Status Decode(std::string_view payload, ClientMessage& out);

 private:
  RequestStorage storage_;
};

// Client side: append one framed ClientFrame to `out`.
void AppendHello(std::string& out, std::uint64_t id, const HelloRequest& hello);
void AppendPrepare(std::string& out, std::uint64_t id, std::string_view script);
void AppendExecute(std::string& out, std::uint64_t id, const model::RequestView& request);
void AppendExecuteMany(std::string& out, std::uint64_t id, const model::ManyRequestView& request);
void AppendPing(std::string& out, std::uint64_t id);
void AppendInfo(std::string& out, std::uint64_t id);

struct HelloReply {
  std::string server_version;
  std::uint32_t node_id = 0;
  std::uint64_t boot_id = 0;
};
struct PrepareReply {
  model::ProgramId program_id{};
  std::vector<std::string> parameters;
};
struct PongReply {};
struct Metric {
  std::string name;
  std::int64_t value = 0;
  std::string text;
};
struct InfoReply {
  std::vector<Metric> metrics;
};

struct ServerMessage {
  std::uint64_t id = 0;
  std::variant<std::monostate, HelloReply, PrepareReply, model::Result, PongReply, InfoReply,
               model::TakeAnswer, LimitList>
      reply;
};

// Server side: append one framed ServerFrame to `out`. HelloReply's limits are those of
// base/limits.h. A result with `many` becomes a ManyResult.
void AppendHelloReply(std::string& out, std::uint64_t id, const HelloReply& reply);
void AppendPrepareReply(std::string& out, std::uint64_t id, const PrepareReply& reply);
void AppendResult(std::string& out, std::uint64_t id, const model::Result& result);
void AppendPong(std::string& out, std::uint64_t id);
void AppendInfoReply(std::string& out, std::uint64_t id, const InfoReply& reply);

// Bytes of the Result (or ManyResult) message as encoded, for base::kResultBytesMax.
std::size_t EncodedBytes(const model::Result& result);

// Client side. InvalidArgument for anything that is not a ServerFrame with a reply.
base::StatusOr<ServerMessage> DecodeReply(std::string_view payload);

}  // namespace palena::wire
