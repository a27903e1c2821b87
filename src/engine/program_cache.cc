#include "engine/program_cache.h"

#include <cstring>
#include <utility>

namespace palena::engine {

std::size_t ProgramMap::IdHash::operator()(const model::ProgramId& id) const {
  std::size_t hash = 0;
  std::memcpy(&hash, id.data(), sizeof(hash));
  return hash;
}

ProgramMap::ProgramMap(const base::KeyedHash& hash) : by_text_(0, TextHash{hash}) {}

ProgramPtr ProgramMap::Touch(List::iterator it) {
  if (it != by_use_.begin()) by_use_.splice(by_use_.begin(), by_use_, it);
  return *it;
}

ProgramPtr ProgramMap::FindText(std::string_view text) {
  const auto found = by_text_.find(text);
  return found == by_text_.end() ? nullptr : Touch(found->second);
}

ProgramPtr ProgramMap::FindId(const model::ProgramId& id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : Touch(found->second);
}

void ProgramMap::Insert(const ProgramPtr& program) {
  if (by_id_.contains(program->id())) return;
  by_use_.push_front(program);
  by_text_.emplace(program->text(), by_use_.begin());
  by_id_.emplace(program->id(), by_use_.begin());
  bytes_ += program->memory_bytes();
}

std::size_t ProgramMap::Trim(const ProgramCacheOptions& bounds) {
  std::size_t dropped = 0;
  // The newest stays, whatever its size: it is about to run.
  while (by_use_.size() > 1 &&
         (by_use_.size() > bounds.programs_max || bytes_ > bounds.bytes_max)) {
    const ProgramPtr& oldest = by_use_.back();
    bytes_ -= oldest->memory_bytes();
    by_text_.erase(oldest->text());
    by_id_.erase(oldest->id());
    by_use_.pop_back();
    ++dropped;
  }
  return dropped;
}

model::ScriptOr<ProgramPtr> ProgramCache::FindOrCompile(std::string_view text) {
  {
    std::lock_guard lock(mutex_);
    if (ProgramPtr found = programs_.FindText(text)) return found;
  }
  // Outside the lock: two threads may compile the same text once; the first to insert wins.
  model::ScriptOr<ProgramPtr> compiled = script::Compile(text);
  if (!compiled.ok()) return compiled;
  std::lock_guard lock(mutex_);
  ++compiled_;
  if (ProgramPtr found = programs_.FindText(text)) return found;
  programs_.Insert(*compiled);
  evicted_ += programs_.Trim(options_);
  return compiled;
}

ProgramPtr ProgramCache::FindId(const model::ProgramId& id) {
  std::lock_guard lock(mutex_);
  return programs_.FindId(id);
}

ProgramCache::Stats ProgramCache::stats() const {
  std::lock_guard lock(mutex_);
  return {programs_.size(), programs_.bytes(), compiled_, evicted_};
}

model::ScriptOr<ProgramPtr> LocalProgramCache::FindOrCompile(std::string_view text) {
  if (ProgramPtr found = programs_.FindText(text)) return found;
  model::ScriptOr<ProgramPtr> program = shared_.FindOrCompile(text);
  if (program.ok()) {
    programs_.Insert(*program);
    programs_.Trim(options_);
  }
  return program;
}

ProgramPtr LocalProgramCache::FindId(const model::ProgramId& id) {
  if (ProgramPtr found = programs_.FindId(id)) return found;
  ProgramPtr program = shared_.FindId(id);
  if (program != nullptr) {
    programs_.Insert(program);
    programs_.Trim(options_);
  }
  return program;
}

}  // namespace palena::engine
