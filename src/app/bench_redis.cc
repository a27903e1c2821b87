#include "app/bench_redis.h"

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
  if (reply.kind == RespReply::Kind::kNeedMore) return Step::NeedMore(reply.needed_bytes);
  if (reply.kind == RespReply::Kind::kBad) {
    return Step::Bad("the server sent " + std::string(reply.text));
  }
  Step step = is_ready_ ? OnAnswer(reply) : OnStarted(reply);
  step.consumed_bytes = reply.consumed_bytes;
  return step;
}

BenchProtocol::Step RedisProtocol::OnStarted(const RespReply& reply) {
  if (reply.kind == RespReply::Kind::kError) return Step::Bad(std::string(reply.text));
  if (options_.script.empty()) {
    if (reply.text != "PONG") return Step::Bad("the server answered PING with another reply");
    AppendCount(request_begin_, options_.values_count);
  } else {
    if (reply.kind != RespReply::Kind::kBulk) {
      return Step::Bad("the server answered SCRIPT LOAD with another reply");
    }
    AppendCount(request_begin_, 3 + options_.values_count);
    AppendBulk(request_begin_, "EVALSHA");
    AppendBulk(request_begin_, reply.text);
    AppendBulk(request_begin_, absl::StrCat(options_.script_keys));
  }
  is_ready_ = true;
  return Step::Of(StepKind::kReady);
}

BenchProtocol::Step RedisProtocol::OnAnswer(const RespReply& reply) {
  if (unanswered_.empty()) return Step::Bad("the server answered what nobody asked");
  BenchAnswer answer;
  answer.id = unanswered_.front();
  unanswered_.pop_front();
  answer.is_ok = reply.kind != RespReply::Kind::kError;
  answer.type = reply.type_name();
  (answer.is_ok ? answer.first_value : answer.reason) = reply.text;
  return Step::Answer(answer);
}

void RedisProtocol::AppendRequest(std::string& out, std::uint64_t id,
                                  std::span<const std::string> values) {
  out += request_begin_;
  for (const std::string& value : values) AppendBulk(out, value);
  unanswered_.push_back(id);
}

}  // namespace palena::app
