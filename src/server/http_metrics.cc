#include "server/http_metrics.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace palena::server {
namespace {

struct Row {
  std::string_view engine_name;
  std::string_view name;
  MetricType type;
  std::int64_t units;
  std::string_view help;
};

constexpr Row kRows[] = {
#define X(engine_name, name, type, units, help) {engine_name, name, MetricType::type, units, help},
    PALENA_ENGINE_METRICS(X)
#undef X
};

absl::string_view Text(std::string_view text) {
  return {text.data(), text.size()};
}

// Exact: a fraction of the digits that `units`, a power of ten, has zeros.
std::string InUnits(std::int64_t value, std::int64_t units) {
  if (units == 1) return absl::StrCat(value);
  const std::string zeros = std::to_string(units);
  const std::int64_t rest = value % units;
  std::string fraction = std::to_string(rest < 0 ? -rest : rest);
  fraction.insert(0, zeros.size() - 1 - fraction.size(), '0');
  return absl::StrCat(value < 0 ? "-" : "", std::max(value / units, -(value / units)), ".",
                      fraction);
}

std::string DoorLabel(std::string_view door) {
  return absl::StrCat("door=\"", EscapeLabel(door), "\"");
}

}  // namespace

std::string EscapeLabel(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    if (c == '\n') {
      escaped += "\\n";
    } else {
      if (c == '\\' || c == '"') escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

void MetricsPage::Describe(std::string_view name, MetricType type, std::string_view help) {
  absl::StrAppend(&text_, "# HELP ", Text(name), " ", Text(help), "\n# TYPE ", Text(name),
                  type == MetricType::kCounter ? " counter\n" : " gauge\n");
}

void MetricsPage::Add(std::string_view name, std::string_view labels, std::string_view value) {
  absl::StrAppend(&text_, Text(name));
  if (!labels.empty()) absl::StrAppend(&text_, "{", Text(labels), "}");
  absl::StrAppend(&text_, " ", Text(value), "\n");
}

void MetricsPage::AddEngine(const std::vector<engine::Metric>& metrics) {
  for (const engine::Metric& metric : metrics) {
    const auto row = std::ranges::find(kRows, metric.name, &Row::engine_name);
    if (row == std::end(kRows)) continue;  // a test sees to it that there is none
    Describe(row->name, row->type, row->help);
    Add(row->name, "", InUnits(metric.value, row->units));
  }
}

void MetricsPage::AddServer(const HttpServerMetrics& metrics) {
  Describe("palena_build_info", MetricType::kGauge, "1, with what runs here as labels.");
  Add("palena_build_info",
      absl::StrCat("version=\"", EscapeLabel(metrics.version), "\",node_id=\"", metrics.node_id,
                   "\""),
      "1");
  AddConnections(metrics.doors);
  Describe("palena_http_responses_total", MetricType::kCounter, "Answers over HTTP, by status.");
  for (std::size_t digit = 2; digit < metrics.responses.size(); ++digit) {
    if (digit == 3) continue;  // no redirections here
    Add("palena_http_responses_total", absl::StrCat("status=\"", digit, "xx\""),
        absl::StrCat(metrics.responses[digit]));
  }
}

void MetricsPage::AddLimits(const std::vector<limits::LimitCounts>& limits) {
  Describe("palena_limit_takes_total", MetricType::kCounter, "Takes of named limits, by outcome.");
  for (const limits::LimitCounts& counts : limits) {
    const auto add = [&](std::string_view outcome, std::uint64_t value) {
      Add("palena_limit_takes_total",
          absl::StrCat("limit=\"", EscapeLabel(counts.limit), "\",outcome=\"", Text(outcome), "\""),
          absl::StrCat(value));
    };
    add("allowed", counts.allowed);
    add("denied", counts.denied);
    add("shadow_denied", counts.shadow_denied);
    add("undecided", counts.errors);
  }
}

void MetricsPage::AddConnections(const std::vector<DoorMetrics>& doors) {
  const auto each = [&](std::string_view name, MetricType type, std::string_view help, auto value) {
    Describe(name, type, help);
    for (const DoorMetrics& door : doors) {
      Add(name, DoorLabel(door.door), absl::StrCat(value(door.stats)));
    }
  };
  using Stats = net::ListenerStats;
  each("palena_connections", MetricType::kGauge, "Open connections.",
       [](const Stats& stats) { return stats.open; });
  each("palena_connections_accepted_total", MetricType::kCounter, "Connections accepted.",
       [](const Stats& stats) { return stats.accepted; });
  each("palena_connections_refused_total", MetricType::kCounter,
       "Connections closed at once, above the limit.",
       [](const Stats& stats) { return stats.refused; });
  Describe("palena_connections_closed_total", MetricType::kCounter,
           "Connections that ended, by the reason.");
  for (const DoorMetrics& door : doors) {
    for (std::size_t i = 0; i < door.stats.closed_by_reason.size(); ++i) {
      const auto reason = net::CloseReasonName(static_cast<net::CloseReason>(i));
      Add("palena_connections_closed_total",
          absl::StrCat(DoorLabel(door.door), ",reason=\"", Text(reason), "\""),
          absl::StrCat(door.stats.closed_by_reason[i]));
    }
  }
}

}  // namespace palena::server
