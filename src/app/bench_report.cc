#include "app/bench_report.h"

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"

namespace palena::app {
namespace {

using Json = nlohmann::ordered_json;

struct Percentile {
  const char* name;
  double percent;
};
constexpr Percentile kPercentiles[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}};

double Microseconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1000;
}

void PrintCounts(const CountedTexts& texts, const char* title, std::ostream& out) {
  out << title;
  for (const auto& [text, count] : texts.counts()) {
    out << "  " << (text.empty() ? "(none)" : text) << ' ' << count;
  }
  out << '\n';
}

Json CountsJson(const CountedTexts& texts) {
  Json json = Json::object();
  for (const auto& [text, count] : texts.counts()) json[text] = count;
  return json;
}

Json OptionsJson(const BenchOptions& options) {
  return {{"target", options.target == BenchTarget::kRedis ? "redis" : "palena"},
          {"script", options.script_file},
          {"persistent", options.persistent},
          {"command", absl::StrJoin(options.command, " ")},
          {"keys", options.keys},
          {"connections", options.connections},
          {"pipeline", options.pipeline},
          {"threads", options.threads},
          {"rate", options.rate},
          {"seed", options.seed}};
}

void PrintPercentiles(const char* title, const LatencyHistogram& times, std::ostream& out) {
  out << title;
  for (const auto& [name, percent] : kPercentiles) {
    out << absl::StrFormat("  %s %.1f", name, Microseconds(times.PercentileNs(percent)));
  }
  out << absl::StrFormat("  max %.1f\n", Microseconds(times.max_ns()));
}

Json PercentilesJson(const LatencyHistogram& times) {
  Json json;
  for (const auto& [name, percent] : kPercentiles) {
    json[name] = Microseconds(times.PercentileNs(percent));
  }
  json["max"] = Microseconds(times.max_ns());
  return json;
}

}  // namespace

double BenchReport::per_second() const {
  return seconds > 0 ? static_cast<double>(answers()) / seconds : 0;
}

double BenchReport::client_cpu_share() const {
  return seconds > 0 ? cpu_seconds / seconds / static_cast<double>(threads) : 0;
}

double BenchReport::client_cpu_us() const {
  return answers() > 0 ? cpu_seconds * 1e6 / static_cast<double>(answers()) : 0;
}

void PrintReport(const BenchReport& report, const BenchOptions& options, std::ostream& out) {
  out << absl::StrFormat("%d answers in %.2f s: %.0f/s  (%d connections, depth %d, %d keys)\n",
                         report.answers(), report.seconds, report.per_second(), options.connections,
                         options.pipeline, options.keys);
  PrintPercentiles("latency us", report.tally.latency, out);
  if (options.rate > 0) {
    PrintPercentiles("sent late by us", report.tally.lateness, out);
    out << "held back, for want of room in the pipelines " << report.tally.held_back << '\n';
  }
  PrintCounts(report.tally.types, "types", out);
  PrintCounts(report.tally.first_values, "first values", out);
  out << "failed " << report.tally.failed << ", lost " << report.tally.lost;
  if (!report.tally.first_failure.empty()) out << ": " << report.tally.first_failure;
  out << absl::StrFormat("\nclient CPU share %.2f (%d thread(s), %.2f us an answer)\n",
                         report.client_cpu_share(), report.threads, report.client_cpu_us())
      << std::flush;
}

std::string ReportJson(const BenchReport& report, const BenchOptions& options) {
  Json json;
  json["seconds"] = report.seconds;
  json["answers"] = report.answers();
  json["per_second"] = report.per_second();
  json["latency_us"] = PercentilesJson(report.tally.latency);
  if (options.rate > 0) {
    json["lateness_us"] = PercentilesJson(report.tally.lateness);
    json["held_back"] = report.tally.held_back;
  }
  json["types"] = CountsJson(report.tally.types);
  json["first_values"] = CountsJson(report.tally.first_values);
  json["failed"] = report.tally.failed;
  json["lost"] = report.tally.lost;
  json["first_failure"] = report.tally.first_failure;
  json["client_cpu_share"] = report.client_cpu_share();
  json["client_cpu_us_per_answer"] = report.client_cpu_us();
  json["options"] = OptionsJson(options);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace palena::app
