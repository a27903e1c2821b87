#include "client/known_programs.h"

namespace palena::client {

KnownPrograms::Program* KnownPrograms::Find(std::string_view script) {
  const auto found = by_script_.find(script);
  if (found == by_script_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->program;
}

void KnownPrograms::Add(std::string_view script) {
  entries_.push_front({std::string(script), {}});
  by_script_.emplace(entries_.front().script, entries_.begin());
  bytes_ += script.size();
  // The newest stays, whatever its size.
  while (entries_.size() > 1 && (entries_.size() > programs_max_ || bytes_ > bytes_max_)) {
    Drop(std::prev(entries_.end()));
  }
}

void KnownPrograms::Forget(std::string_view script) {
  const auto found = by_script_.find(script);
  if (found != by_script_.end()) Drop(found->second);
}

void KnownPrograms::Clear() {
  by_script_.clear();
  entries_.clear();
  bytes_ = 0;
}

void KnownPrograms::Drop(Entries::iterator entry) {
  bytes_ -= entry->script.size();
  by_script_.erase(entry->script);
  entries_.erase(entry);
}

}  // namespace palena::client
