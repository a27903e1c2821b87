// Claims about wire::DecodeReply, differentially against the generated classes: what it accepts
// they accept, with the same meaning; a result that it accepts and encodes again has the same
// meaning still, as many bytes as EncodedBytes says, and keeps them; a refusal is InvalidArgument.
//
// Input: the payload of a server's frame.

#include <palena/v1/palena.pb.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/check.h"
#include "fuzz/input.h"
#include "wire/codec.h"
#include "wire/payload.h"

namespace palena::wire {
namespace {

template <typename Generated>
std::uint64_t Number(Generated value) {
  return static_cast<std::uint64_t>(value);
}

void CheckValue(const model::ResultValue& value, const v1::Value& generated) {
  PALENA_CHECK(value.key == generated.key());
  PALENA_CHECK(value.is_null == !generated.has_value());
  PALENA_CHECK(value.is_null || value.value.view().ToText() == generated.value());
  PALENA_CHECK(value.revision == generated.revision());
  PALENA_CHECK(value.expires_ms >= 0 && Number(value.expires_ms) == generated.expires_ms());
  PALENA_CHECK(value.last_modified_ms >= 0);
  PALENA_CHECK(Number(value.last_modified_ms) == generated.last_modified_ms());
}

void CheckResult(const model::Result& result, const v1::Result& generated) {
  PALENA_CHECK(Number(result.type) == Number(generated.type()));
  PALENA_CHECK(Number(result.code) == Number(generated.code()));
  PALENA_CHECK(Number(result.applied) == Number(generated.applied()));
  PALENA_CHECK(result.reason == generated.reason());
  PALENA_CHECK(result.line >= 0 && Number(result.line) == generated.line());
  PALENA_CHECK(result.truncated == generated.truncated());
  PALENA_CHECK(Number(result.stamp.time.ms()) == generated.stamp().ms());
  PALENA_CHECK(result.stamp.time.counter() == generated.stamp().counter());
  PALENA_CHECK(result.stamp.node == generated.stamp().node());
  PALENA_CHECK(static_cast<int>(result.values.size()) == generated.values_size());
  for (int i = 0; i < generated.values_size(); ++i) {
    CheckValue(result.values[static_cast<std::size_t>(i)], generated.values(i));
  }
}

template <typename GeneratedResults>
void CheckResults(const std::vector<model::Result>& results, const GeneratedResults& generated) {
  PALENA_CHECK(static_cast<int>(results.size()) == generated.size());
  for (int i = 0; i < generated.size(); ++i) {
    CheckResult(results[static_cast<std::size_t>(i)], generated.Get(i));
  }
}

void CheckMany(const model::Result& result, const v1::ManyResult& generated) {
  CheckResult(result, generated.verdict());
  CheckResults(result.many->calls, generated.calls());
  CheckResults(result.many->otherwise, generated.otherwise());
  PALENA_CHECK(result.many->refused ==
               std::vector<std::uint32_t>(generated.refused().begin(), generated.refused().end()));
  PALENA_CHECK(result.many->failed + 1 == static_cast<int>(generated.failed_call()));
}

void CheckHello(const HelloReply& hello, const v1::HelloReply& generated) {
  PALENA_CHECK(hello.server_version == generated.server_version());
  PALENA_CHECK(hello.node_id == generated.node_id());
  PALENA_CHECK(hello.boot_id == generated.boot_id());
}

void CheckPrepare(const PrepareReply& prepare, const v1::PrepareReply& generated) {
  const std::string_view id(reinterpret_cast<const char*>(prepare.program_id.data()),
                            prepare.program_id.size());
  PALENA_CHECK(id == generated.program_id());
  PALENA_CHECK(static_cast<int>(prepare.parameters.size()) == generated.parameters_size());
  for (int i = 0; i < generated.parameters_size(); ++i) {
    PALENA_CHECK(prepare.parameters[static_cast<std::size_t>(i)] == generated.parameters(i));
  }
}

void CheckInfo(const InfoReply& info, const v1::InfoReply& generated) {
  PALENA_CHECK(static_cast<int>(info.metrics.size()) == generated.metrics_size());
  for (int i = 0; i < generated.metrics_size(); ++i) {
    const Metric& metric = info.metrics[static_cast<std::size_t>(i)];
    PALENA_CHECK(metric.name == generated.metrics(i).name());
    PALENA_CHECK(metric.value == generated.metrics(i).value());
    PALENA_CHECK(metric.text == generated.metrics(i).text());
  }
}

void CheckRecord(const model::TakeRecord& record, const v1::LimitRecord& generated) {
  PALENA_CHECK(record.limit == generated.limit());
  PALENA_CHECK(record.is_allowed == generated.allowed());
  PALENA_CHECK(record.quota == generated.quota());
  PALENA_CHECK(record.remaining == generated.remaining());
  PALENA_CHECK(record.retry_after_ms == generated.retry_after_ms());
  PALENA_CHECK(record.reset_at_ms == generated.reset_at_ms());
  PALENA_CHECK(record.window_ms == generated.window_ms());
  PALENA_CHECK(record.is_shadow_refused == generated.shadow_refused());
}

void CheckTake(const model::TakeAnswer& answer, const v1::TakeReply& generated) {
  PALENA_CHECK(answer.is_allowed == generated.allowed());
  PALENA_CHECK(answer.retry_after_ms == generated.retry_after_ms());
  PALENA_CHECK(Number(answer.code) == Number(generated.code()));
  PALENA_CHECK((answer.fault == model::TakeFault::kNone) == (answer.code == model::Code::kNone));
  PALENA_CHECK(answer.reason == generated.reason());
  PALENA_CHECK(answer.line >= 0 && Number(answer.line) == generated.line());
  PALENA_CHECK(Number(answer.stamp.time.ms()) == generated.stamp().ms());
  PALENA_CHECK(Number(answer.applied) == Number(generated.applied()));
  PALENA_CHECK(static_cast<int>(answer.records.size()) == generated.records_size());
  for (int i = 0; i < generated.records_size(); ++i) {
    CheckRecord(answer.records[static_cast<std::size_t>(i)], generated.records(i));
  }
}

void CheckLimit(const LimitInfo& limit, const v1::LimitInfo& generated) {
  PALENA_CHECK(limit.name == generated.name() && limit.limiter == generated.limiter());
  PALENA_CHECK(limit.key == generated.key());
  PALENA_CHECK(limit.is_persistent == generated.persistent());
  PALENA_CHECK(limit.is_shadow == generated.shadow());
  PALENA_CHECK(limit.allows_on_error == generated.allows_on_error());
  PALENA_CHECK(limit.has_leases == generated.has_leases());
  PALENA_CHECK(limit.allowed == generated.allowed() && limit.denied == generated.denied());
  PALENA_CHECK(limit.shadow_denied == generated.shadow_denied());
  PALENA_CHECK(limit.errors == generated.errors());
  PALENA_CHECK(static_cast<int>(limit.parameters.size()) == generated.parameters_size());
  for (int i = 0; i < generated.parameters_size(); ++i) {
    const auto& [name, value] = limit.parameters[static_cast<std::size_t>(i)];
    PALENA_CHECK(name == generated.parameters(i).name());
    PALENA_CHECK(value == generated.parameters(i).value());
  }
}

void CheckLimits(const LimitList& list, const v1::LimitList& generated) {
  PALENA_CHECK(list.file == generated.file());
  PALENA_CHECK(static_cast<int>(list.limits.size()) == generated.limits_size());
  for (int i = 0; i < generated.limits_size(); ++i) {
    CheckLimit(list.limits[static_cast<std::size_t>(i)], generated.limits(i));
  }
  PALENA_CHECK(static_cast<int>(list.refused.size()) == generated.refused_size());
  for (int i = 0; i < generated.refused_size(); ++i) {
    const RefusedSubject& one = list.refused[static_cast<std::size_t>(i)];
    PALENA_CHECK(one.limit == generated.refused(i).limit());
    PALENA_CHECK(one.subject == generated.refused(i).subject());
    PALENA_CHECK(one.refused == generated.refused(i).refused());
    PALENA_CHECK(one.over_by == generated.refused(i).over_by());
  }
}

// That both decoders see the same message.
void CheckSame(const ServerMessage& message, const v1::ServerFrame& generated) {
  PALENA_CHECK(message.id == generated.id());
  if (const auto* hello = std::get_if<HelloReply>(&message.reply)) {
    PALENA_CHECK(generated.has_hello());
    CheckHello(*hello, generated.hello());
  } else if (const auto* prepare = std::get_if<PrepareReply>(&message.reply)) {
    PALENA_CHECK(generated.has_prepare());
    CheckPrepare(*prepare, generated.prepare());
  } else if (const auto* result = std::get_if<model::Result>(&message.reply)) {
    PALENA_CHECK(result->many.has_value() ? generated.has_many() : generated.has_result());
    result->many.has_value() ? CheckMany(*result, generated.many())
                             : CheckResult(*result, generated.result());
  } else if (const auto* info = std::get_if<InfoReply>(&message.reply)) {
    PALENA_CHECK(generated.has_info());
    CheckInfo(*info, generated.info());
  } else if (const auto* answer = std::get_if<model::TakeAnswer>(&message.reply)) {
    PALENA_CHECK(generated.has_take());
    CheckTake(*answer, generated.take());
  } else if (const auto* list = std::get_if<LimitList>(&message.reply)) {
    PALENA_CHECK(generated.has_limit_list());
    CheckLimits(*list, generated.limit_list());
  } else {
    PALENA_CHECK(std::holds_alternative<PongReply>(message.reply) && generated.has_pong());
  }
}

std::string Encode(const ServerMessage& message) {
  std::string framed;
  if (const auto* hello = std::get_if<HelloReply>(&message.reply)) {
    AppendHelloReply(framed, message.id, *hello);
  } else if (const auto* prepare = std::get_if<PrepareReply>(&message.reply)) {
    AppendPrepareReply(framed, message.id, *prepare);
  } else if (const auto* result = std::get_if<model::Result>(&message.reply)) {
    AppendResult(framed, message.id, *result);
  } else if (const auto* info = std::get_if<InfoReply>(&message.reply)) {
    AppendInfoReply(framed, message.id, *info);
  } else if (const auto* answer = std::get_if<model::TakeAnswer>(&message.reply)) {
    AppendTakeReply(framed, message.id, *answer);
  } else if (const auto* list = std::get_if<LimitList>(&message.reply)) {
    AppendLimitList(framed, message.id, *list);
  } else {
    AppendPong(framed, message.id);
  }
  return framed;
}

// Encoded again, the message has the same meaning for both decoders, and then keeps its bytes.
void CheckEncodedAgain(const ServerMessage& message, const v1::ServerFrame& generated) {
  const std::string framed = Encode(message);
  const std::string_view payload = PayloadOf(framed);
  const base::StatusOr<ServerMessage> again = DecodeReply(payload);
  PALENA_CHECK(again.ok());
  const auto generated_again = MustParse<v1::ServerFrame>(payload);
  CheckSame(*again, generated_again);
  CheckSame(*again, generated);
  PALENA_CHECK(Encode(*again) == framed);
  if (const auto* result = std::get_if<model::Result>(&message.reply)) {
    const std::size_t bytes = result->many.has_value() ? generated_again.many().ByteSizeLong()
                                                       : generated_again.result().ByteSizeLong();
    PALENA_CHECK(EncodedBytes(*result) == bytes);
  }
}

}  // namespace
}  // namespace palena::wire

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace palena;
  const std::string_view payload = fuzz::TextOf(data, size);
  const base::StatusOr<wire::ServerMessage> message = wire::DecodeReply(payload);
  if (!message.ok()) {
    PALENA_CHECK(message.status().code() == base::StatusCode::kInvalidArgument);
    return 0;
  }
  const v1::ServerFrame generated = wire::MustParse<v1::ServerFrame>(payload);
  wire::CheckSame(*message, generated);
  wire::CheckEncodedAgain(*message, generated);
  return 0;
}
