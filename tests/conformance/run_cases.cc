#include "conformance/run_cases.h"

#include <optional>
#include <sstream>

namespace palena::conformance {
namespace {

std::string DescribeFailure(const Case& a_case, std::size_t step,
                            const std::vector<std::string>& differences, const Answer& answer) {
  std::ostringstream out;
  out << a_case.id << " step " << step + 1 << " of " << a_case.steps.size() << " (" << a_case.note
      << ")\n";
  for (const std::string& difference : differences) out << "    " << difference << "\n";
  out << "    answered: " << Describe(answer) << "\n    script: " << a_case.steps[step].script;
  for (const auto& [name, value] : a_case.steps[step].parameters) {
    out << "\n    " << name << " = " << value;
  }
  return out.str();
}

// Nothing when the case passed.
std::optional<std::string> FailureOf(const Case& a_case, Runner& runner) {
  for (std::size_t i = 0; i < a_case.steps.size(); ++i) {
    const Step& step = a_case.steps[i];
    if (step.sleep_ms > 0) runner.Sleep(step.sleep_ms);
    const Answer answer = runner.Run(step);
    const std::vector<std::string> differences = Differences(step.expect, answer);
    if (!differences.empty()) return DescribeFailure(a_case, i, differences, answer);
  }
  return std::nullopt;
}

void Count(Tally& tally, bool passed) {
  ++tally.total;
  if (passed) ++tally.passed;
}

std::string ToText(const Tally& tally) {
  return std::to_string(tally.passed) + " of " + std::to_string(tally.total);
}

}  // namespace

Tally Report::sum() const {
  Tally sum;
  for (const auto& [group, tally] : groups) {
    sum.passed += tally.passed;
    sum.total += tally.total;
  }
  return sum;
}

std::string Report::ToText() const {
  std::ostringstream out;
  for (const auto& [group, tally] : groups) {
    out << "  " << group << ": " << conformance::ToText(tally) << " passed\n";
  }
  out << "  all: " << conformance::ToText(sum()) << " passed\n";
  for (const std::string& failure : failures) out << "  FAILED " << failure << "\n";
  return out.str();
}

Report RunCases(std::span<const Case> cases, Runner& runner) {
  Report report;
  for (const Case& a_case : cases) {
    std::optional<std::string> failure = FailureOf(a_case, runner);
    Count(report.groups[a_case.group], !failure);
    if (failure) report.failures.push_back(*std::move(failure));
  }
  return report;
}

}  // namespace palena::conformance
