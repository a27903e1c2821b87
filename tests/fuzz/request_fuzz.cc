// Claims about wire::RequestDecoder, differentially against the generated classes: what it accepts
// they accept, with the same meaning; what it accepts and encodes again has the same meaning still,
// for both; every view that it hands out lies inside the payload; a refusal is InvalidArgument and
// holds no request.
//
// Input: the payload of a client's frame.

#include <palena/v1/palena.pb.h>

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "base/check.h"
#include "base/limits.h"
#include "fuzz/input.h"
#include "wire/codec.h"
#include "wire/payload.h"

namespace palena::wire {
namespace {

bool LiesInside(std::string_view part, std::string_view whole) {
  if (part.empty()) return true;
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

std::string_view TextOf(const model::ProgramId& id) {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

void CheckParameter(const model::ParameterView& p, const v1::Parameter& generated,
                    std::string_view payload) {
  PALENA_CHECK(LiesInside(p.name, payload) && LiesInside(p.value, payload));
  PALENA_CHECK(p.value == generated.value());
  PALENA_CHECK(p.name == generated.name());
  if (p.name.empty()) {
    PALENA_CHECK(p.slot >= 0 && static_cast<std::uint32_t>(p.slot) == generated.slot());
  } else {
    PALENA_CHECK(p.slot == -1);
  }
}

// `generated`: an Execute or a Call.
template <typename Generated>
void CheckProgram(const model::RequestView& request, const Generated& generated,
                  std::string_view payload) {
  PALENA_CHECK(LiesInside(request.script, payload));
  PALENA_CHECK(request.program_id.has_value() == generated.has_program_id());
  if (request.program_id) {
    PALENA_CHECK(request.script.empty() && TextOf(*request.program_id) == generated.program_id());
  } else {
    PALENA_CHECK(generated.has_script() && request.script == generated.script());
  }
  PALENA_CHECK(static_cast<int>(request.parameters.size()) == generated.parameters_size());
  for (int i = 0; i < generated.parameters_size(); ++i) {
    CheckParameter(request.parameters[static_cast<std::size_t>(i)], generated.parameters(i),
                   payload);
  }
}

void CheckWish(const model::TakeWish& wish, const v1::Wish& generated, std::string_view payload) {
  PALENA_CHECK(LiesInside(wish.limit, payload) && wish.limit == generated.limit());
  PALENA_CHECK(LiesInside(wish.owner, payload) && wish.owner == generated.owner());
  PALENA_CHECK(wish.cost >= 0);
  const std::uint64_t cost = generated.has_cost() ? generated.cost() : 1;
  PALENA_CHECK(static_cast<std::uint64_t>(wish.cost) == cost);
  PALENA_CHECK(static_cast<int>(wish.parts.size()) == generated.parts_size());
  for (int i = 0; i < generated.parts_size(); ++i) {
    const model::TakePart& part = wish.parts[static_cast<std::size_t>(i)];
    PALENA_CHECK(LiesInside(part.name, payload) && LiesInside(part.value, payload));
    PALENA_CHECK(part.name == generated.parts(i).name());
    PALENA_CHECK(part.value == generated.parts(i).value());
  }
}

void CheckTake(const model::TakeRequest& take, const v1::Take& generated,
               std::string_view payload) {
  PALENA_CHECK(static_cast<int>(take.mode) == static_cast<int>(generated.mode()));
  PALENA_CHECK(take.timeout_ms >= 0);
  PALENA_CHECK(static_cast<std::uint64_t>(take.timeout_ms) == generated.timeout_ms());
  PALENA_CHECK(static_cast<int>(take.wishes.size()) == generated.wishes_size());
  for (int i = 0; i < generated.wishes_size(); ++i) {
    CheckWish(take.wishes[static_cast<std::size_t>(i)], generated.wishes(i), payload);
  }
}

void CheckTimeout(std::int64_t timeout_ms, std::uint64_t generated) {
  PALENA_CHECK(timeout_ms >= 0 && static_cast<std::uint64_t>(timeout_ms) == generated);
}

void CheckExecute(const model::RequestView& request, const v1::Execute& generated,
                  std::string_view payload) {
  CheckProgram(request, generated, payload);
  CheckTimeout(request.timeout_ms, generated.timeout_ms());
}

template <typename GeneratedCalls>
void CheckCalls(std::span<const model::CallView> calls, const GeneratedCalls& generated,
                std::string_view payload) {
  PALENA_CHECK(calls.size() <= base::kCallsMax);
  PALENA_CHECK(static_cast<int>(calls.size()) == generated.size());
  for (int i = 0; i < generated.size(); ++i) {
    const model::CallView& call = calls[static_cast<std::size_t>(i)];
    CheckProgram(call.request, generated.Get(i), payload);
    PALENA_CHECK(call.is_required == !generated.Get(i).not_required());
  }
}

void CheckMany(const model::ManyRequestView& request, const v1::ExecuteMany& generated,
               std::string_view payload) {
  CheckCalls(request.calls, generated.calls(), payload);
  CheckCalls(request.otherwise, generated.otherwise(), payload);
  CheckTimeout(request.timeout_ms, generated.timeout_ms());
}

void CheckHello(const HelloRequest& hello, const v1::Hello& generated) {
  PALENA_CHECK(hello.protocol_version == generated.protocol_version());
  PALENA_CHECK(hello.token == generated.token());
  PALENA_CHECK(hello.client_name.size() <= kClientNameBytesMax);
  PALENA_CHECK(std::string_view(generated.client_name()).starts_with(hello.client_name));
  // Only what is too long is cut, and by less than a character.
  PALENA_CHECK(hello.client_name.size() == generated.client_name().size() ||
               hello.client_name.size() + 4 > kClientNameBytesMax);
}

// That both decoders see the same message.
void CheckSame(const ClientMessage& message, const v1::ClientFrame& generated,
               std::string_view payload) {
  PALENA_CHECK(message.id == generated.id());
  if (const auto* hello = std::get_if<HelloRequest>(&message.request)) {
    PALENA_CHECK(generated.has_hello());
    CheckHello(*hello, generated.hello());
  } else if (const auto* prepare = std::get_if<PrepareRequest>(&message.request)) {
    PALENA_CHECK(generated.has_prepare() && LiesInside(prepare->script, payload));
    PALENA_CHECK(prepare->script == generated.prepare().script());
  } else if (const auto* execute = std::get_if<ExecuteRequest>(&message.request)) {
    PALENA_CHECK(generated.has_execute());
    CheckExecute(execute->request, generated.execute(), payload);
  } else if (const auto* many = std::get_if<ExecuteManyRequest>(&message.request)) {
    PALENA_CHECK(generated.has_execute_many());
    CheckMany(many->request, generated.execute_many(), payload);
  } else if (std::holds_alternative<PingRequest>(message.request)) {
    PALENA_CHECK(generated.has_ping());
  } else if (const auto* take = std::get_if<TakeRequest>(&message.request)) {
    PALENA_CHECK(generated.has_take());
    CheckTake(take->request, generated.take(), payload);
  } else if (const auto* reset = std::get_if<ResetLimitRequest>(&message.request)) {
    PALENA_CHECK(generated.has_reset_limit() && generated.reset_limit().has_wish());
    CheckWish(reset->wish, generated.reset_limit().wish(), payload);
  } else if (std::holds_alternative<ListLimitsRequest>(message.request)) {
    PALENA_CHECK(generated.has_list_limits());
  } else {
    PALENA_CHECK(std::holds_alternative<InfoRequest>(message.request) && generated.has_info());
  }
}

std::string Encode(const ClientMessage& message) {
  std::string framed;
  if (const auto* hello = std::get_if<HelloRequest>(&message.request)) {
    AppendHello(framed, message.id, *hello);
  } else if (const auto* prepare = std::get_if<PrepareRequest>(&message.request)) {
    AppendPrepare(framed, message.id, prepare->script);
  } else if (const auto* execute = std::get_if<ExecuteRequest>(&message.request)) {
    AppendExecute(framed, message.id, execute->request);
  } else if (const auto* many = std::get_if<ExecuteManyRequest>(&message.request)) {
    AppendExecuteMany(framed, message.id, many->request);
  } else if (std::holds_alternative<PingRequest>(message.request)) {
    AppendPing(framed, message.id);
  } else if (const auto* take = std::get_if<TakeRequest>(&message.request)) {
    AppendTake(framed, message.id, take->request);
  } else if (const auto* reset = std::get_if<ResetLimitRequest>(&message.request)) {
    AppendResetLimit(framed, message.id, reset->wish);
  } else if (std::holds_alternative<ListLimitsRequest>(message.request)) {
    AppendListLimits(framed, message.id);
  } else {
    AppendInfo(framed, message.id);
  }
  return framed;
}

// Encoded again, the message has the same meaning for both decoders, and then keeps its bytes.
void CheckEncodedAgain(const ClientMessage& message, const v1::ClientFrame& generated) {
  const std::string framed = Encode(message);
  const std::string_view payload = PayloadOf(framed);
  RequestDecoder decoder;
  ClientMessage again;
  PALENA_CHECK(decoder.Decode(payload, again).ok());
  CheckSame(again, MustParse<v1::ClientFrame>(payload), payload);
  CheckSame(again, generated, payload);
  PALENA_CHECK(Encode(again) == framed);
}

}  // namespace
}  // namespace palena::wire

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace palena;
  const std::string_view payload = fuzz::TextOf(data, size);
  wire::RequestDecoder decoder;
  wire::ClientMessage message;
  const base::Status status = decoder.Decode(payload, message);
  if (!status.ok()) {
    PALENA_CHECK(status.code() == base::StatusCode::kInvalidArgument);
    PALENA_CHECK(!status.message().empty());
    PALENA_CHECK(std::holds_alternative<std::monostate>(message.request));
    return 0;
  }
  const v1::ClientFrame generated = wire::MustParse<v1::ClientFrame>(payload);
  wire::CheckSame(message, generated, payload);
  wire::CheckEncodedAgain(message, generated);
  return 0;
}
