#include "palena/named_limits.h"

#include <memory>
#include <utility>

#include "client/access.h"
#include "client/call.h"
#include "model/public_result.h"
#include "model/result.h"
#include "model/take.h"
#include "wire/codec.h"

namespace palena {
namespace {

using client::Access;
using client::Call;
using model::TakeMode;
using Reply = base::StatusOr<wire::ServerMessage>;

// What is asked.
struct Question {
  Call::Kind kind = Call::Kind::kTake;
  model::TakeMode mode = model::TakeMode::kTake;
  std::vector<LimitRequest> requests;
  std::int64_t timeout_ms = 0;
};

std::unique_ptr<Call> MakeCall(const Question& question, Call::Done done) {
  auto call = std::make_unique<Call>(question.kind, std::move(done));
  call->mode = question.mode;
  call->limits = question.requests;
  call->timeout_ms = question.timeout_ms;
  return call;
}

Reply Wait(Client& client, const Question& question) {
  return Access::Wait(client, [&](Call::Done done) { return MakeCall(question, std::move(done)); });
}

// What a Result says in the place of the answer that was asked for: the server refused, or broke
// the protocol.
Status Refused(const wire::ServerMessage& message) {
  const auto* refusal = std::get_if<model::Result>(&message.reply);
  if (refusal == nullptr) {
    return {StatusCode::kInternal, "the server answered with another kind of message"};
  }
  const bool is_callers_fault = TypeOfCode(refusal->code) == model::ResultType::kInvalidInput;
  return {is_callers_fault ? StatusCode::kInvalidArgument : StatusCode::kUnavailable,
          refusal->reason};
}

LimitRecord ToRecord(const model::TakeRecord& record) {
  return {record.limit,          record.is_allowed,  record.quota,     record.remaining,
          record.retry_after_ms, record.reset_at_ms, record.window_ms, record.is_shadow_refused};
}

StatusOr<TakeResult> ToTakeResult(const Reply& reply) {
  if (!reply.ok()) return model::ToPublic(reply.status());
  const auto* answer = std::get_if<model::TakeAnswer>(&reply->reply);
  if (answer == nullptr) return Refused(*reply);
  if (answer->records.empty() && answer->code == model::Code::kNone) {
    return Status{StatusCode::kInternal, "the server has decided nothing, and does not say why"};
  }
  TakeResult result;
  result.allowed = answer->is_allowed;
  result.retry_after_ms = answer->retry_after_ms;
  for (const model::TakeRecord& record : answer->records)
    result.records.push_back(ToRecord(record));
  result.code = model::CodeName(answer->code);
  result.reason = answer->reason;
  result.line = answer->line;
  const hlc::Stamp& stamp = answer->stamp;
  result.stamp = {stamp.time.ms(), stamp.time.counter(), stamp.node};
  result.applied = static_cast<Applied>(answer->applied);
  return result;
}

LimitInfo ToInfo(const wire::LimitInfo& info) {
  return {info.name,
          info.limiter,
          info.key,
          info.parameters,
          info.is_persistent,
          info.is_shadow,
          info.allows_on_error,
          info.has_leases,
          info.allowed,
          info.denied,
          info.shadow_denied,
          info.errors};
}

}  // namespace

StatusOr<TakeResult> Limits::TakeMany(const std::vector<LimitRequest>& requests) {
  return ToTakeResult(
      Wait(*client_, {Call::Kind::kTake, TakeMode::kTake, requests, options_.timeout_ms}));
}

void Limits::TakeManyAsync(const std::vector<LimitRequest>& requests, TakeCallback done) {
  const Question question{Call::Kind::kTake, TakeMode::kTake, requests, options_.timeout_ms};
  Access::Start(*client_, MakeCall(question, [done = std::move(done)](const Reply& reply) {
    done(ToTakeResult(reply));
  }));
}

StatusOr<TakeResult> Limits::PeekMany(const std::vector<LimitRequest>& requests) {
  return ToTakeResult(
      Wait(*client_, {Call::Kind::kTake, TakeMode::kPeek, requests, options_.timeout_ms}));
}

StatusOr<TakeResult> Limits::Renew(const LimitRequest& request) {
  return ToTakeResult(
      Wait(*client_, {Call::Kind::kTake, TakeMode::kRenew, {request}, options_.timeout_ms}));
}

StatusOr<TakeResult> Limits::Release(const LimitRequest& request) {
  return ToTakeResult(
      Wait(*client_, {Call::Kind::kTake, TakeMode::kRelease, {request}, options_.timeout_ms}));
}

StatusOr<bool> Limits::Reset(const LimitRequest& request) {
  const Reply reply = Wait(*client_, {Call::Kind::kResetLimit, TakeMode::kTake, {request}, 0});
  if (!reply.ok()) return model::ToPublic(reply.status());
  const auto* result = std::get_if<model::Result>(&reply->reply);
  if (result == nullptr || result->code != model::Code::kNone) return Refused(*reply);
  return result->type == model::ResultType::kDeleted;
}

StatusOr<LimitList> Limits::List() {
  const Reply reply = Wait(*client_, {Call::Kind::kListLimits, TakeMode::kTake, {}, 0});
  if (!reply.ok()) return model::ToPublic(reply.status());
  const auto* list = std::get_if<wire::LimitList>(&reply->reply);
  if (list == nullptr) return Refused(*reply);
  LimitList limits;
  limits.file = list->file;
  for (const wire::LimitInfo& info : list->limits) limits.limits.push_back(ToInfo(info));
  for (const wire::RefusedSubject& one : list->refused) {
    limits.refused.push_back({one.limit, one.subject, one.refused, one.over_by});
  }
  return limits;
}

}  // namespace palena
