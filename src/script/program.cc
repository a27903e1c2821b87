#include "script/program.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/limits.h"
#include "script/analyser.h"
#include "script/compiler.h"
#include "script/parser.h"

namespace palena::script {
namespace {

// Orders "limit" and "@limit" alike; `name` has the '@'.
bool ComesBefore(std::string_view name, std::string_view wanted) {
  if (wanted.starts_with('@')) return name < wanted;
  return name.substr(1) < wanted;
}

std::size_t BytesOf(const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += sizeof(text) + text.capacity();
  return bytes;
}

}  // namespace

int Program::FindParameter(std::string_view name) const {
  const auto place = std::lower_bound(
      parameters_by_name_.begin(), parameters_by_name_.end(), name,
      [this](std::uint16_t slot, std::string_view n) { return ComesBefore(parameters_[slot], n); });
  if (place == parameters_by_name_.end()) return -1;
  const std::string_view found = parameters_[*place];
  return found == name || found.substr(1) == name ? *place : -1;
}

std::size_t Program::memory_bytes() const {
  std::size_t bytes = sizeof(Program) + text_.capacity() + BytesOf(parameters_) +
                      BytesOf(variables_) + parameters_.size() * sizeof(std::uint16_t);
  for (const FootprintKey& key : footprint_) bytes += sizeof(key) + key.text.capacity();
  for (const BeginOption& option : begin_options_) bytes += sizeof(option) + option.text.capacity();
  for (const auto& text : constant_texts_) bytes += sizeof(*text) + text->capacity();
  return bytes + code_.capacity() * sizeof(Instruction) + lines_.capacity() * sizeof(std::int32_t) +
         constants_.capacity() * sizeof(Value) + constant_texts_.capacity() * sizeof(void*);
}

model::ScriptOr<std::shared_ptr<const Program>> Compile(std::string_view source) {
  if (source.size() > base::kScriptBytesMax) {
    return model::ScriptError{model::Code::kTooLarge,
                              absl::StrCat("Script too large: ", source.size(), " bytes, at most ",
                                           base::kScriptBytesMax),
                              0,
                              {}};
  }
  model::ScriptOr<Tree> tree = Parse(source);
  if (!tree.ok()) return tree.error();
  model::ScriptOr<Analysis> analysis = Analyse(*tree);
  if (!analysis.ok()) return analysis.error();
  return Compiler::Compile(source, *tree, *std::move(analysis));
}

}  // namespace palena::script
