#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "limits/limit_report.h"

namespace palena::limits {

// Who was refused how often, in bounded memory: the Space-Saving algorithm (Metwally, Agrawal and
// El Abbadi, "Efficient computation of frequent and top-k elements in data streams", ICDT 2005). It
// keeps `subjects_max` counts; one who is not among them takes over the least of them, with its
// count as the error. So whoever makes up more than 1 / subjects_max of all refusals is in the
// list, and no count is too low.
class RefusedSubjects {
 public:
  explicit RefusedSubjects(std::size_t subjects_max) : subjects_max_(subjects_max) {}

  // Costs a hash and log(subjects_max) swaps.
  void Add(std::string_view limit, std::string_view subject);

  std::size_t size() const { return heap_.size(); }
  // In no order.
  std::vector<RefusedSubject> All() const;
  // The most that somebody who is not in the list can have been refused.
  std::uint64_t least() const { return heap_.size() < subjects_max_ ? 0 : heap_.front()->refused; }

 private:
  struct Entry {
    std::string limit;
    std::string subject;
    std::uint64_t refused = 0;
    std::uint64_t over_by = 0;
    std::size_t place = 0;  // in heap_
  };
  using Name = std::pair<std::string_view, std::string_view>;

  Entry& TakePlace(std::string_view limit, std::string_view subject);
  void AddLeast();
  void SinkDown(std::size_t place);

  const std::size_t subjects_max_;
  std::vector<std::unique_ptr<Entry>> heap_;   // the least count first
  absl::flat_hash_map<Name, Entry*> by_name_;  // views into the entries
};

// Adds up the lists of several shards, each with its `least`: the most refused first, at most
// `reported_max`. What one list may have forgotten is added on both sides, so that it still holds
// that no count is too low, and that it is too high by at most `over_by`.
struct ShardSubjects {
  std::vector<RefusedSubject> subjects;
  std::uint64_t least = 0;
};
std::vector<RefusedSubject> MergeSubjects(const std::vector<ShardSubjects>& shards,
                                          std::size_t reported_max);

}  // namespace palena::limits
