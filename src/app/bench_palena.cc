#include "app/bench_palena.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/limits.h"
#include "palena/result.h"
#include "wire/frame.h"

namespace palena::app {
namespace {

constexpr std::uint64_t kHelloId = std::uint64_t{1} << 32;
constexpr std::uint64_t kPrepareId = kHelloId + 1;

bool IsOk(model::ResultType type) {
  Result result;
  result.type = static_cast<ResultType>(type);
  return result.ok();
}

}  // namespace

void PalenaProtocol::Start(std::string& out) {
  wire::AppendHello(out, kHelloId, {wire::kProtocolVersion, "", "palena-bench"});
}

BenchProtocol::Step PalenaProtocol::Next(std::string_view input, std::string& out) {
  const wire::FrameStep frame = wire::DecodeFrame(input, base::kReplyFrameBytesMax);
  if (frame.kind == wire::FrameStep::Kind::kNeedMore) return Step::NeedMore(frame.needed_bytes);
  if (frame.kind != wire::FrameStep::Kind::kFrame) return Step::Bad("the server sent a bad frame");
  auto message = wire::DecodeReply(frame.payload);
  if (!message.ok()) return Step::Bad(std::string(message.status().message()));
  message_ = *std::move(message);
  Step step = Understand(out);
  step.consumed_bytes = frame.consumed_bytes;
  return step;
}

BenchProtocol::Step PalenaProtocol::Understand(std::string& out) {
  if (const auto* result = std::get_if<model::Result>(&message_.reply)) {
    return is_ready_ ? OnResult(*result) : Step::Bad(result->reason);
  }
  if (const auto* prepared = std::get_if<wire::PrepareReply>(&message_.reply)) {
    return OnPrepared(*prepared);
  }
  if (is_ready_ || !std::holds_alternative<wire::HelloReply>(message_.reply)) {
    return Step::Bad("the server answered with another kind of message");
  }
  wire::AppendPrepare(out, kPrepareId, script_);
  return Step::Of(StepKind::kPreparing);
}

BenchProtocol::Step PalenaProtocol::OnPrepared(const wire::PrepareReply& reply) {
  for (const std::string& parameter : reply.parameters) {
    const auto name = std::find(names_.begin(), names_.end(), parameter);
    if (name == names_.end()) {
      return Step::Bad(absl::StrCat("the script needs -p ", parameter, "=…"));
    }
    const int slot = static_cast<int>(parameters_.size());
    template_of_slot_.push_back(static_cast<std::size_t>(name - names_.begin()));
    parameters_.push_back({{}, slot, {}});
  }
  request_.program_id = reply.program_id;
  request_.parameters = parameters_;
  is_ready_ = true;
  return Step::Of(StepKind::kReady);
}

BenchProtocol::Step PalenaProtocol::OnResult(const model::Result& result) {
  BenchAnswer answer;
  answer.id = message_.id;
  answer.is_ok = IsOk(result.type);
  answer.type = model::ResultTypeName(result.type);
  answer.reason = result.reason;
  if (!result.values.empty() && !result.values.front().is_null) {
    const model::Value& value = result.values.front().value;
    if (value.is_integer) first_value_ = value.view().ToText();
    answer.first_value = value.is_integer ? std::string_view(first_value_) : value.bytes;
  }
  return Step::Answer(answer);
}

void PalenaProtocol::AppendRequest(std::string& out, std::uint64_t id,
                                   std::span<const std::string> values) {
  for (std::size_t slot = 0; slot < parameters_.size(); ++slot) {
    parameters_[slot].value = values[template_of_slot_[slot]];
  }
  wire::AppendExecute(out, id, request_);
}

}  // namespace palena::app
