#include "app/cli_limits_text.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace palena::app {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool IsOfLease(LimitsAction action) {
  return action == LimitsAction::kRenew || action == LimitsAction::kRelease;
}

Json RecordJson(const LimitRecord& record) {
  Json json = {{"allowed", record.allowed},         {"limit", record.quota},
               {"remaining", record.remaining},     {"retry_after_ms", record.retry_after_ms},
               {"reset_at_ms", record.reset_at_ms}, {"name", record.limit}};
  if (record.shadow_refused) json["shadow_refused"] = true;
  return json;
}

std::string RecordText(const LimitRecord& record) {
  const char* const verdict = record.shadow_refused ? "allowed (shadow: would be refused)"
                              : record.allowed      ? "allowed"
                                                    : "refused";
  return absl::StrCat(record.limit, ": ", verdict, ", limit=", record.quota,
                      " remaining=", record.remaining, " retry_after_ms=", record.retry_after_ms,
                      " reset_at_ms=", record.reset_at_ms);
}

std::string LeaseText(const LimitRecord& record, LimitsAction action) {
  if (!record.allowed) return record.limit + ": this owner holds no lease";
  return record.limit + (action == LimitsAction::kRenew ? ": renewed" : ": released");
}

Json InfoJson(const LimitInfo& limit) {
  Json parameters = Json::object();
  for (const auto& [name, value] : limit.parameters) parameters[name] = value;
  return {{"name", limit.name},
          {"limiter", limit.limiter},
          {"key", limit.key},
          {"parameters", std::move(parameters)},
          {"durability", limit.persistent ? "persistent" : "ephemeral"},
          {"shadow", limit.shadow},
          {"on_error", limit.allows_on_error ? "allow" : "deny"},
          {"allowed", limit.allowed},
          {"denied", limit.denied},
          {"shadow_denied", limit.shadow_denied},
          {"errors", limit.errors}};
}

std::string InfoText(const LimitInfo& limit) {
  std::string text = absl::StrCat(limit.name, ": ", limit.limiter, " key=", limit.key);
  for (const auto& [name, value] : limit.parameters) absl::StrAppend(&text, " ", name, "=", value);
  if (limit.persistent) text += " durability=persistent";
  if (limit.shadow) text += " shadow";
  if (limit.allows_on_error) text += " on_error=allow";
  absl::StrAppend(&text, "\n  allowed=", limit.allowed, " denied=", limit.denied);
  if (limit.shadow) absl::StrAppend(&text, " shadow_denied=", limit.shadow_denied);
  return absl::StrCat(text, " errors=", limit.errors);
}

}  // namespace

std::string TakeJson(const TakeResult& result, LimitsAction action) {
  if (!result.code.empty()) {
    return Dump({{"allowed", result.allowed},
                 {"retry_after_ms", result.retry_after_ms},
                 {"code", result.code},
                 {"reason", result.reason},
                 {"line", result.line}});
  }
  const LimitRecord& record = result.records.front();
  if (IsOfLease(action)) return Dump({{"held", record.allowed}, {"name", record.limit}});
  return Dump(RecordJson(record));
}

std::string TakeText(const TakeResult& result, LimitsAction action) {
  const LimitRecord& record = result.records.front();
  return IsOfLease(action) ? LeaseText(record, action) : RecordText(record);
}

std::string LimitListJson(const LimitList& list) {
  Json json = {{"file", list.file}, {"limits", Json::array()}, {"refused", Json::array()}};
  for (const LimitInfo& limit : list.limits) json["limits"].push_back(InfoJson(limit));
  for (const RefusedSubject& one : list.refused) {
    json["refused"].push_back({{"limit", one.limit},
                               {"subject", one.subject},
                               {"refused", one.refused},
                               {"over_by", one.over_by}});
  }
  return Dump(json);
}

std::string LimitListText(const LimitList& list) {
  if (list.limits.empty()) {
    return list.file.empty() ? "no limits: palenad was started without --limits"
                             : absl::StrCat("no limits in ", list.file);
  }
  std::string text;
  for (const LimitInfo& limit : list.limits) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", InfoText(limit));
  }
  if (!list.refused.empty()) text += "\nmost refused:";
  for (const RefusedSubject& one : list.refused) {
    absl::StrAppend(&text, "\n  ", one.limit, " ", one.subject, " ", one.refused);
    if (one.over_by > 0) absl::StrAppend(&text, " (at most ", one.over_by, " too many)");
  }
  return text;
}

}  // namespace palena::app
