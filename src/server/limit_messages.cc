#include "server/limit_messages.h"

#include <algorithm>
#include <string>
#include <utility>

namespace palena::server {
namespace {

wire::LimitInfo ToInfo(const limits::Limit& limit) {
  wire::LimitInfo info;
  info.name = limit.name;
  info.limiter = limit.limiter;
  info.key = limit.key.text();
  info.parameters = limit.parameters;
  info.is_persistent = limit.durability == model::Durability::kPersistent;
  info.is_shadow = limit.is_shadow;
  info.allows_on_error = limit.on_error == limits::OnError::kAllow;
  info.has_leases = limit.has_leases();
  return info;
}

void AddCounts(const limits::LimitReport& report, wire::LimitInfo& info) {
  const auto counts =
      std::find_if(report.limits.begin(), report.limits.end(),
                   [&](const limits::LimitCounts& one) { return one.limit == info.name; });
  if (counts == report.limits.end()) return;  // a reload came between
  info.allowed = counts->allowed;
  info.denied = counts->denied;
  info.shadow_denied = counts->shadow_denied;
  info.errors = counts->errors;
}

}  // namespace

wire::LimitList ToLimitList(const limits::LimitSet& set, limits::LimitReport report) {
  wire::LimitList list;
  list.file = set.file();
  for (const limits::Limit& limit : set.limits()) {
    AddCounts(report, list.limits.emplace_back(ToInfo(limit)));
  }
  for (limits::RefusedSubject& one : report.refused) {
    list.refused.push_back(
        {std::move(one.limit), std::move(one.subject), one.refused, one.over_by});
  }
  return list;
}

void AddLimitMetrics(const limits::LimitReport& report, std::vector<wire::Metric>& metrics) {
  for (const limits::LimitCounts& counts : report.limits) {
    const std::string prefix = "limit_" + counts.limit;
    const auto add = [&](const char* what, std::uint64_t value) {
      metrics.push_back({prefix + what, static_cast<std::int64_t>(value), ""});
    };
    add("_allowed", counts.allowed);
    add("_denied", counts.denied);
    add("_shadow_denied", counts.shadow_denied);
    add("_errors", counts.errors);
  }
  for (std::size_t i = 0; i < report.refused.size(); ++i) {
    const limits::RefusedSubject& one = report.refused[i];
    metrics.push_back({"limit_refused_" + std::to_string(i + 1), 0,
                       one.limit + " " + std::to_string(one.refused) + " " + one.subject});
  }
}

}  // namespace palena::server
