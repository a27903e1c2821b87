#include "limits/refused_subjects.h"

#include <algorithm>
#include <map>

namespace palena::limits {

void RefusedSubjects::Add(std::string_view limit, std::string_view subject) {
  const auto known = by_name_.find(Name(limit, subject));
  Entry& entry = known != by_name_.end() ? *known->second : TakePlace(limit, subject);
  ++entry.refused;
  SinkDown(entry.place);
}

// A new entry while there is room, at the top, where the least counts are; otherwise the entry of
// who was refused least.
RefusedSubjects::Entry& RefusedSubjects::TakePlace(std::string_view limit,
                                                   std::string_view subject) {
  if (heap_.size() < subjects_max_) {
    AddLeast();
  } else {
    by_name_.erase(Name(heap_.front()->limit, heap_.front()->subject));
  }
  Entry& entry = *heap_.front();
  entry.limit = limit;
  entry.subject = subject;
  entry.over_by = entry.refused;
  entry.place = 0;
  by_name_.emplace(Name(entry.limit, entry.subject), &entry);
  return entry;
}

// An entry with no count at the top; those above the free place step down.
void RefusedSubjects::AddLeast() {
  std::size_t place = heap_.size();
  heap_.push_back(nullptr);
  for (; place > 0; place = (place - 1) / 2) {
    heap_[place] = std::move(heap_[(place - 1) / 2]);
    heap_[place]->place = place;
  }
  heap_.front() = std::make_unique<Entry>();
}

void RefusedSubjects::SinkDown(std::size_t place) {
  for (;;) {
    std::size_t least = place;
    for (const std::size_t child : {2 * place + 1, 2 * place + 2}) {
      if (child < heap_.size() && heap_[child]->refused < heap_[least]->refused) least = child;
    }
    if (least == place) return;
    std::swap(heap_[place], heap_[least]);
    heap_[place]->place = place;
    heap_[least]->place = least;
    place = least;
  }
}

std::vector<RefusedSubject> RefusedSubjects::All() const {
  std::vector<RefusedSubject> all;
  for (const std::unique_ptr<Entry>& entry : heap_) {
    all.push_back({entry->limit, entry->subject, entry->refused, entry->over_by});
  }
  return all;
}

std::vector<RefusedSubject> MergeSubjects(const std::vector<ShardSubjects>& shards,
                                          std::size_t reported_max) {
  std::uint64_t least = 0;
  for (const ShardSubjects& shard : shards) least += shard.least;
  std::map<std::pair<std::string, std::string>, RefusedSubject> sums;
  for (const ShardSubjects& shard : shards) {
    for (const RefusedSubject& one : shard.subjects) {
      const auto [place, is_new] = sums.try_emplace({one.limit, one.subject}, one);
      RefusedSubject& sum = place->second;
      if (is_new) {
        // As if no shard had it; those that do replace their `least` by what they know.
        sum.refused = least;
        sum.over_by = least;
      }
      sum.refused += one.refused - shard.least;
      sum.over_by += one.over_by - shard.least;
    }
  }
  std::vector<RefusedSubject> merged;
  for (auto& [name, sum] : sums) merged.push_back(std::move(sum));
  std::sort(merged.begin(), merged.end(),
            [](const RefusedSubject& a, const RefusedSubject& b) { return a.refused > b.refused; });
  if (merged.size() > reported_max) merged.resize(reported_max);
  return merged;
}

}  // namespace palena::limits
