#include "isolation/serialization_graph.h"

#include <algorithm>
#include <numeric>

namespace palena::isolation {
namespace {

constexpr std::string_view kRealTime = "real time";
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

void SerializationGraph::Add(std::size_t before, std::size_t after, std::string_view why) {
  if (before != after) after_[before].push_back({after, why});
}

void SerializationGraph::AddRealTime(std::span<const Interval> times) {
  std::vector<std::size_t> by_answer(times.size());
  std::iota(by_answer.begin(), by_answer.end(), std::size_t{0});
  const auto answered = [&](std::size_t run) { return times[run].answered_ns; };
  std::ranges::sort(by_answer, {}, answered);
  const std::size_t first = after_.size();
  after_.resize(first + times.size());
  for (std::size_t i = 0; i < by_answer.size(); ++i) {
    Add(by_answer[i], first + i, kRealTime);
    if (i > 0) Add(first + i - 1, first + i, kRealTime);
  }
  for (std::size_t run = 0; run < times.size(); ++run) {
    const auto end = std::ranges::lower_bound(by_answer, times[run].began_ns, {}, answered);
    const auto ended = static_cast<std::size_t>(end - by_answer.begin());
    if (ended > 0) Add(first + ended - 1, run, kRealTime);
  }
}

std::vector<std::size_t> SerializationGraph::CountBefore() const {
  std::vector<std::size_t> count(after_.size());
  for (const auto& edges : after_) {
    for (const Edge& edge : edges) ++count[edge.to];
  }
  return count;
}

std::vector<std::size_t> SerializationGraph::OneBeforeEach() const {
  std::vector<std::size_t> waits_for = CountBefore();
  std::vector<std::size_t> free;
  for (std::size_t node = 0; node < waits_for.size(); ++node) {
    if (waits_for[node] == 0) free.push_back(node);
  }
  std::size_t taken = 0;
  for (; !free.empty(); ++taken) {
    const std::size_t node = free.back();
    free.pop_back();
    for (const Edge& edge : after_[node]) {
      if (--waits_for[edge.to] == 0) free.push_back(edge.to);
    }
  }
  std::vector<std::size_t> before(after_.size(), kNone);
  if (taken == after_.size()) return {};
  for (std::size_t node = 0; node < after_.size(); ++node) {
    if (waits_for[node] == 0) continue;
    for (const Edge& edge : after_[node]) {
      if (waits_for[edge.to] != 0) before[edge.to] = node;
    }
  }
  return before;
}

std::optional<std::string> SerializationGraph::FindCycle() const {
  const std::vector<std::size_t> before = OneBeforeEach();
  const auto any = std::ranges::find_if(before, [](std::size_t node) { return node != kNone; });
  if (any == before.end()) return std::nullopt;
  // Each node that is left has one before it that is left, so going back ends on a cycle.
  std::vector<bool> seen(before.size());
  std::size_t node = *any;
  for (; !seen[node]; node = before[node]) seen[node] = true;
  std::vector<std::size_t> cycle{node};
  for (std::size_t at = before[node]; at != node; at = before[at]) cycle.push_back(at);
  std::ranges::reverse(cycle);
  return Describe(cycle);
}

std::string SerializationGraph::Describe(const std::vector<std::size_t>& cycle) const {
  // Begins with a run: a cycle of instants alone cannot be.
  const auto begin = std::ranges::find_if(cycle, [&](std::size_t n) { return n < runs_; });
  std::vector<std::size_t> nodes(begin, cycle.end());
  nodes.insert(nodes.end(), cycle.begin(), begin);
  std::string text = std::to_string(nodes[0]);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t to = nodes[(i + 1) % nodes.size()];
    if (to >= runs_) continue;  // what follows an instant names the reason
    const auto edge = std::ranges::find(after_[nodes[i]], to, &Edge::to);
    text += " -" + std::string(edge->why) + "-> " + std::to_string(to);
  }
  return text;
}

}  // namespace palena::isolation
