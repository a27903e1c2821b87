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

const ProgramPtr* ProgramMap::Touch(List::iterator it) {
  if (it != by_use_.begin()) by_use_.splice(by_use_.begin(), by_use_, it);
  return &*it;
}

const ProgramPtr* ProgramMap::FindText(std::string_view text) {
  const auto found = by_text_.find(text);
  return found == by_text_.end() ? nullptr : Touch(found->second);
}

const ProgramPtr* ProgramMap::FindId(const model::ProgramId& id) {
  // The same program again and again is what most nodes do.
  if (!by_use_.empty() && by_use_.front()->id() == id) return &by_use_.front();
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

void ProgramMap::Trim(const ProgramCacheOptions& bounds, std::vector<ProgramPtr>& dropped) {
  // The newest stays, whatever its size: it is about to run.
  while (by_use_.size() > 1 &&
         (by_use_.size() > bounds.programs_max || bytes_ > bounds.bytes_max)) {
    const ProgramPtr& oldest = by_use_.back();
    bytes_ -= oldest->memory_bytes();
    by_text_.erase(oldest->text());
    by_id_.erase(oldest->id());
    dropped.push_back(std::move(by_use_.back()));
    by_use_.pop_back();
  }
}

model::ScriptOr<ProgramPtr> ProgramCache::FindOrCompile(std::string_view text) {
  {
    std::lock_guard lock(mutex_);
    if (const ProgramPtr* found = programs_.FindText(text)) return *found;
  }
  // Outside the lock: two threads may compile the same text once; the first to insert wins.
  model::ScriptOr<ProgramPtr> compiled = script::Compile(text);
  if (!compiled.ok()) return compiled;
  std::vector<ProgramPtr> dropped;  // freed outside the lock
  std::lock_guard lock(mutex_);
  ++compiled_;
  if (const ProgramPtr* found = programs_.FindText(text)) return *found;
  programs_.Insert(*compiled);
  programs_.Trim(options_, dropped);
  evicted_ += dropped.size();
  return compiled;
}

ProgramPtr ProgramCache::FindId(const model::ProgramId& id) {
  std::lock_guard lock(mutex_);
  const ProgramPtr* found = programs_.FindId(id);
  return found == nullptr ? nullptr : *found;
}

ProgramCache::Stats ProgramCache::stats() const {
  std::lock_guard lock(mutex_);
  return {programs_.size(), programs_.bytes(), compiled_, evicted_};
}

model::ScriptOr<const script::Program*> LocalProgramCache::FindOrCompile(std::string_view text) {
  if (const ProgramPtr* found = programs_.FindText(text)) return found->get();
  const model::ScriptOr<ProgramPtr> program = shared_.FindOrCompile(text);
  if (!program.ok()) return program.error();
  return Keep(*program);
}

const script::Program* LocalProgramCache::FindId(const model::ProgramId& id) {
  if (const ProgramPtr* found = programs_.FindId(id)) return found->get();
  const ProgramPtr program = shared_.FindId(id);
  return program == nullptr ? nullptr : Keep(program);
}

const script::Program* LocalProgramCache::Keep(const ProgramPtr& program) {
  programs_.Insert(program);
  programs_.Trim(options_, dropped_);
  return program.get();
}

}  // namespace palena::engine
