#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "server/http_take.h"

namespace palena::server {
namespace {

using model::TakeAnswer;
using model::TakeFault;
using model::TakeMode;
using model::TakeRecord;

// A client that is told too few would ask again too early.
std::int64_t SecondsUp(std::int64_t ms) {
  return ms / 1'000 + (ms % 1'000 > 0 ? 1 : 0);
}

const char* Word(bool truth) {
  return truth ? "true" : "false";
}

// A name as a string of structured fields, which holds printable ASCII only.
std::string FieldText(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c >= ' ' && c <= '~' ? c : '?';
  }
  return text + '"';
}

// Until more is there for this caller: until the same take would pass, or else until all is back.
std::int64_t WaitMs(const TakeRecord& record, std::int64_t now_ms) {
  if (record.retry_after_ms > 0) return record.retry_after_ms;
  return std::max<std::int64_t>(record.reset_at_ms - now_ms, 0);
}

// The two fields of the IETF draft, with one member for each limit.
void AddLimitHeaders(const TakeAnswer& answer, HttpResponse& response) {
  const std::int64_t now_ms = answer.stamp.time.ms();
  std::string policy;
  std::string state;
  for (const TakeRecord& record : answer.records) {
    const char* const comma = policy.empty() ? "" : ", ";
    const std::string name = FieldText(record.limit);
    absl::StrAppend(&policy, comma, name, ";q=", record.quota);
    if (record.window_ms > 0) absl::StrAppend(&policy, ";w=", SecondsUp(record.window_ms));
    absl::StrAppend(&state, comma, name, ";r=", record.remaining,
                    ";t=", SecondsUp(WaitMs(record, now_ms)));
  }
  response.AddHeader("RateLimit-Policy", policy);
  response.AddHeader("RateLimit", state);
}

void AddRetryAfter(const TakeAnswer& answer, HttpResponse& response) {
  if (answer.is_allowed || answer.retry_after_ms == model::kNeverFits) return;
  const std::int64_t seconds = std::max<std::int64_t>(SecondsUp(answer.retry_after_ms), 1);
  response.AddHeader("Retry-After", std::to_string(seconds));
}

std::string RecordJson(const TakeRecord& record, bool is_allowed) {
  std::string json = absl::StrCat(
      "{\"allowed\":", Word(is_allowed), ",\"limit\":", record.quota,
      ",\"remaining\":", record.remaining, ",\"retry_after_ms\":", record.retry_after_ms,
      ",\"reset_at_ms\":", record.reset_at_ms, ",\"name\":", JsonText(record.limit));
  if (record.is_shadow_refused) json += ",\"shadow_refused\":true";
  return json + "}";
}

std::string ManyJson(const TakeAnswer& answer) {
  std::string refused;
  std::string records;
  for (const TakeRecord& record : answer.records) {
    absl::StrAppend(&records, records.empty() ? "" : ",", RecordJson(record, record.is_allowed));
    if (record.is_allowed) continue;
    absl::StrAppend(&refused, refused.empty() ? "" : ",", JsonText(record.limit));
  }
  return absl::StrCat("{\"allowed\":", Word(answer.is_allowed),
                      ",\"retry_after_ms\":", answer.retry_after_ms, ",\"refused\":[", refused,
                      "],\"limits\":[", records, "]}");
}

HttpResponse LeaseResponse(const TakeAnswer& answer, TakeMode mode) {
  HttpResponse response;
  const bool is_held = answer.records.front().is_allowed;
  if (mode == TakeMode::kRenew && !is_held) response.status = 409;
  response.body = absl::StrCat("{\"held\":", Word(is_held),
                               ",\"name\":", JsonText(answer.records.front().limit), "}");
  return response;
}

// What the limits' on_error makes of it; the reason is in the body.
HttpResponse UndecidedResponse(const TakeAnswer& answer, const TakeShape& shape) {
  HttpResponse response;
  if (!answer.is_allowed) {
    response.status = shape.has_deny_status ? shape.deny_status : 503;
  }
  const std::string error = HttpErrorBody(model::CodeName(answer.code), answer.reason);
  response.body = absl::StrCat("{\"allowed\":", Word(answer.is_allowed),
                               ",\"retry_after_ms\":", answer.retry_after_ms, ",",
                               absl::string_view(error).substr(1));
  response.closes = answer.code == model::Code::kDraining;
  AddRetryAfter(answer, response);
  return response;
}

HttpResponse FaultResponse(const TakeAnswer& answer, const TakeShape& shape) {
  if (answer.fault == TakeFault::kUnknownLimit) {
    return HttpErrorResponse({HttpError::kUnknownLimit, answer.reason});
  }
  if (answer.fault == TakeFault::kBadRequest) {
    return HttpErrorResponse({HttpError::kMalformed, answer.reason});
  }
  return UndecidedResponse(answer, shape);
}

}  // namespace

HttpResponse TakeResponse(const TakeAnswer& answer, const TakeShape& shape) {
  if (answer.fault != TakeFault::kNone) return FaultResponse(answer, shape);
  if (shape.mode == TakeMode::kRenew || shape.mode == TakeMode::kRelease) {
    return LeaseResponse(answer, shape.mode);
  }
  HttpResponse response;
  if (!answer.is_allowed && shape.mode == TakeMode::kTake) response.status = shape.deny_status;
  response.body =
      shape.is_many ? ManyJson(answer) : RecordJson(answer.records.front(), answer.is_allowed);
  AddLimitHeaders(answer, response);
  AddRetryAfter(answer, response);
  return response;
}

HttpResponse ResetResponse(const model::Result& result) {
  if (result.code != model::Code::kNone) return HttpErrorResponse(result.code, result.reason);
  HttpResponse response;
  response.body =
      absl::StrCat("{\"reset\":", Word(result.type == model::ResultType::kDeleted), "}");
  return response;
}

HttpResponse LimitsResponse(const limits::LimitSet& set, const limits::LimitReport& report) {
  using Json = nlohmann::ordered_json;
  Json json{{"limits", Json::array()}, {"refused", Json::array()}};
  for (const limits::Limit& limit : set.limits()) {
    Json one{{"name", limit.name},   {"limiter", limit.limiter},     {"key", limit.key.text()},
             {"limit", limit.quota}, {"window_ms", limit.window_ms}, {"shadow", limit.is_shadow}};
    const auto counts = std::ranges::find(report.limits, limit.name, &limits::LimitCounts::limit);
    if (counts != report.limits.end()) {
      one["counts"] = {{"allowed", counts->allowed},
                       {"denied", counts->denied},
                       {"shadow_denied", counts->shadow_denied},
                       {"errors", counts->errors}};
    }
    json["limits"].push_back(std::move(one));
  }
  for (const limits::RefusedSubject& one : report.refused) {
    json["refused"].push_back({{"limit", one.limit},
                               {"subject", one.subject},
                               {"refused", one.refused},
                               {"over_by", one.over_by}});
  }
  HttpResponse response;
  response.body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return response;
}

}  // namespace palena::server
