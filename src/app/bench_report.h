#pragma once

#include <ostream>
#include <string>

#include "app/bench_options.h"
#include "app/bench_tally.h"

namespace palena::app {

// What a run of the load generator found out.
struct BenchReport {
  BenchTally tally;
  double seconds = 0;      // measured, without warm-up
  double cpu_seconds = 0;  // of the generator, meanwhile

  std::uint64_t answers() const { return tally.latency.count(); }
  double per_second() const;
  // Cores that the generator kept busy: near its number of threads it, not the server, is the
  // limit.
  double cpu_share() const;
  bool is_all_ok() const { return tally.failed == 0 && tally.lost == 0 && answers() > 0; }
};

void PrintReport(const BenchReport& report, const BenchOptions& options, std::ostream& out);
// One line, without line break.
std::string ReportJson(const BenchReport& report, const BenchOptions& options);

}  // namespace palena::app
