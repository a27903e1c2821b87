#pragma once

#include <ostream>
#include <string>

#include "app/bench_options.h"
#include "app/bench_tally.h"

namespace palena::app {

// What a run of the load generator found out.
struct BenchReport {
  BenchTally tally;
  double seconds = 0;         // measured, without warm-up
  double cpu_seconds = 0;     // of the generator, meanwhile
  std::size_t threads = 1;    // that used them
  bool has_lost_all = false;  // no connection was left at the end

  std::uint64_t answers() const { return tally.latency.count(); }
  double per_second() const;
  // Of the time of its threads the part that the generator was busy, 0 to 1: near 1 it, not the
  // server, is the limit.
  double client_cpu_share() const;
  // What one answer cost the generator, in microseconds.
  double client_cpu_us() const;
  bool is_all_ok() const { return tally.failed == 0 && tally.lost == 0 && answers() > 0; }
};

void PrintReport(const BenchReport& report, const BenchOptions& options, std::ostream& out);
// One line, without line break.
std::string ReportJson(const BenchReport& report, const BenchOptions& options);

}  // namespace palena::app
