#include "isolation/list_checker.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "isolation/serialization_graph.h"

namespace palena::isolation {
namespace {

constexpr std::size_t kFindingsMax = 20;

std::string Where(RunId run, int key) {
  return "run " + std::to_string(run) + ", list " + std::to_string(key) + ": ";
}

class ListChecker {
 public:
  explicit ListChecker(const std::vector<ListRun>& runs) : runs_(runs) {
    for (std::size_t i = 0; i < runs.size(); ++i) numbers_.emplace(runs[i].id, i);
  }

  Findings Check() {
    ForEachCommittedStep([&](std::size_t, const ListStep& step) { NoteLonger(step); });
    for (const auto& [key, order] : orders_) CheckOrder(key, order);
    ForEachCommittedStep([&](std::size_t run, const ListStep& step) { CheckStep(run, step); });
    // Edges of lists that contradict themselves would only tell the same again, at length.
    if (findings_.empty()) CheckCycles();
    return std::move(findings_);
  }

 private:
  template <typename Function>
  void ForEachCommittedStep(Function function) {
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      if (runs_[run].fate != Fate::kCommitted) continue;
      for (const ListStep& step : runs_[run].steps) function(run, step);
    }
  }

  void Find(std::string finding) {
    if (findings_.size() < kFindingsMax) findings_.push_back(std::move(finding));
  }

  void NoteLonger(const ListStep& step) {
    std::vector<RunId>& longest = orders_[step.key];
    if (step.seen.size() > longest.size()) longest = step.seen;
  }

  void CheckOrder(int key, const std::vector<RunId>& order) {
    std::unordered_set<RunId> seen;
    for (const RunId id : order) {
      if (!seen.insert(id).second) Find(Where(id, key) + "appended twice");
      const ListRun* const writer = Find(id);
      const ListStep* const step = writer == nullptr ? nullptr : AppendTo(*writer, key);
      if (step == nullptr) {
        Find(Where(id, key) + "nobody appended this");
      } else if (writer->fate != Fate::kCommitted) {
        Find(Where(id, key) + "aborted, but its append was read");
      }
    }
  }

  void CheckStep(std::size_t run, const ListStep& step) {
    const std::vector<RunId>& order = orders_[step.key];
    const std::string where = Where(runs_[run].id, step.key);
    if (!std::ranges::equal(step.seen, std::span(order).first(step.seen.size()))) {
      Find(where + "read what is no prefix of the list");
    } else if (step.appends && step.seen.size() == order.size()) {
      Find(where + "its append is lost");
    } else if (step.appends && order[step.seen.size()] != runs_[run].id) {
      Find(where + "run " + std::to_string(order[step.seen.size()]) +
           " appended between its read and its append, or instead of it");
    }
  }

  void CheckCycles() {
    SerializationGraph graph(runs_.size());
    ForEachCommittedStep([&](std::size_t run, const ListStep& step) {
      const std::vector<RunId>& order = orders_[step.key];
      const std::size_t length = step.seen.size();
      // An appender overwrites what it read: the edge is that of writers.
      if (length > 0) {
        graph.Add(numbers_[order[length - 1]], run, step.appends ? "write-write" : "write-read");
      }
      if (!step.appends && length < order.size()) {
        graph.Add(run, numbers_[order[length]], "read-write");
      }
    });
    // What was not applied is in nobody's way.
    std::vector<Interval> times;
    for (const ListRun& run : runs_) {
      times.push_back(run.fate == Fate::kCommitted ? run.time : Interval{INT64_MIN, INT64_MAX});
    }
    graph.AddRealTime(times);
    const std::optional<std::string> cycle = graph.FindCycle();
    if (cycle) Find("no serial order, by position in the history: " + *cycle);
  }

  const ListRun* Find(RunId id) const {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? nullptr : &runs_[found->second];
  }
  static const ListStep* AppendTo(const ListRun& run, int key) {
    const auto step = std::ranges::find_if(
        run.steps, [&](const ListStep& s) { return s.key == key && s.appends; });
    return step == run.steps.end() ? nullptr : &*step;
  }

  const std::vector<ListRun>& runs_;
  std::unordered_map<RunId, std::size_t> numbers_;  // positions in runs_
  std::unordered_map<int, std::vector<RunId>> orders_;
  Findings findings_;
};

}  // namespace

Findings CheckLists(const std::vector<ListRun>& runs) {
  return ListChecker(runs).Check();
}

Weight Weigh(const std::vector<ListRun>& runs) {
  Weighing weighing;
  for (const ListRun& run : runs) {
    const bool appends = std::ranges::any_of(run.steps, &ListStep::appends);
    if (run.fate != Fate::kCommitted || !appends) continue;
    weighing.AddCommit();
    for (const ListStep& step : run.steps) weighing.AddTouch(step.key, run.time);
  }
  return weighing.Weigh();
}

}  // namespace palena::isolation
