#include "app/bench_redis.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/limits.h"

namespace palena::app {
namespace {

// No answer of a node is longer either.
constexpr std::size_t kReplyBytesMax = base::kResultBytesMax;

void AppendBulk(std::string& out, std::string_view text) {
  absl::StrAppend(&out, "$", text.size(), "\r\n");
  out += text;
  out += "\r\n";
}

void AppendCount(std::string& out, std::size_t count) {
  absl::StrAppend(&out, "*", count, "\r\n");
}

BenchProtocol::Step Bad(std::string error) {
  BenchProtocol::Step step;
  step.kind = BenchProtocol::StepKind::kBad;
  step.error = std::move(error);
  return step;
}

}  // namespace

// A plain command has nothing to prepare; the ping finds out whether this is a Redis at all.
void RedisProtocol::Start(std::string& out) {
  if (options_.script.empty()) {
    AppendCount(out, 1);
    AppendBulk(out, "PING");
    return;
  }
  AppendCount(out, 3);
  AppendBulk(out, "SCRIPT");
  AppendBulk(out, "LOAD");
  AppendBulk(out, options_.script);
}

BenchProtocol::Step RedisProtocol::Next(std::string_view input, std::string& /*out*/) {
  const RespReply reply = DecodeRespReply(input, kReplyBytesMax);
  if (reply.kind == RespReply::Kind::kNeedMore) {
    Step step;
    step.needed_bytes = reply.needed_bytes;
    return step;
  }
  if (reply.kind == RespReply::Kind::kBad) {
    return Bad("the server sent " + std::string(reply.text));
  }
  Step step = is_ready_ ? OnAnswer(reply) : OnStarted(reply);
  step.consumed_bytes = reply.consumed_bytes;
  return step;
}

BenchProtocol::Step RedisProtocol::OnStarted(const RespReply& reply) {
  if (reply.kind == RespReply::Kind::kError) return Bad(std::string(reply.text));
  if (options_.script.empty()) {
    if (reply.text != "PONG") return Bad("the server answered PING with another reply");
    AppendCount(request_begin_, options_.values_count);
  } else {
    if (reply.kind != RespReply::Kind::kBulk) {
      return Bad("the server answered SCRIPT LOAD with another reply");
    }
    AppendCount(request_begin_, 3 + options_.values_count);
    AppendBulk(request_begin_, "EVALSHA");
    AppendBulk(request_begin_, reply.text);
    AppendBulk(request_begin_, absl::StrCat(options_.script_keys));
  }
  is_ready_ = true;
  Step step;
  step.kind = StepKind::kReady;
  return step;
}

BenchProtocol::Step RedisProtocol::OnAnswer(const RespReply& reply) {
  if (unanswered_.empty()) return Bad("the server answered what nobody asked");
  Step step;
  step.kind = StepKind::kAnswer;
  step.answer.id = unanswered_.front();
  unanswered_.pop_front();
  step.answer.is_ok = reply.kind != RespReply::Kind::kError;
  step.answer.type = reply.type_name();
  (step.answer.is_ok ? step.answer.first_value : step.answer.reason) = reply.text;
  return step;
}

void RedisProtocol::AppendRequest(std::string& out, std::uint64_t id,
                                  std::span<const std::string> values) {
  out += request_begin_;
  for (const std::string& value : values) AppendBulk(out, value);
  unanswered_.push_back(id);
}

}  // namespace palena::app
