#pragma once

// Which run must come before which, whatever the order that explains a history. A cycle means that
// no order does. After Adya's direct serialization graph, with real time as one more reason, so
// that a history without cycle is strictly serializable.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isolation/history.h"

namespace palena::isolation {

class SerializationGraph {
 public:
  // Runs are numbered from 0.
  explicit SerializationGraph(std::size_t runs) : runs_(runs), after_(runs) {}

  // `before` comes before `after` because of `why` (which outlives the graph). An edge of a run to
  // itself is dropped.
  void Add(std::size_t before, std::size_t after, std::string_view why);
  // Run i took place in times[i]. Linear edges for quadratically many pairs: a chain of instants,
  // one for each answer; a run comes before the instant of its answer, and after the last instant
  // before it began.
  void AddRealTime(std::span<const Interval> times);

  // One cycle, as "3 -write-read-> 5 -real time-> 3", if there is any.
  std::optional<std::string> FindCycle() const;

 private:
  struct Edge {
    std::size_t to;
    std::string_view why;
  };
  std::vector<std::size_t> CountBefore() const;
  // For every node in what is left after all nodes that are on no cycle nor after one were taken
  // away, one node before it; nothing when none is left.
  std::vector<std::size_t> OneBeforeEach() const;
  std::string Describe(const std::vector<std::size_t>& cycle) const;

  const std::size_t runs_;
  std::vector<std::vector<Edge>> after_;  // nodes from runs_ on are instants
};

}  // namespace palena::isolation
