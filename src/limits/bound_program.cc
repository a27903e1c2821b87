#include "limits/bound_program.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "model/request.h"
#include "script/rewrite.h"

namespace palena::limits {
namespace {

constexpr std::string_view kKey = "key";
constexpr std::string_view kCost = "cost";
constexpr std::string_view kOwner = "owner";

base::Status Refuse(const LimiterScript& script, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat(script.place, ": ", why));
}

}  // namespace

bool IsSetByCall(std::string_view parameter) {
  return parameter == kKey || parameter == kCost || parameter == kOwner;
}

base::StatusOr<BoundProgram> BoundProgram::Bind(const LimiterScript& script,
                                                model::Durability durability,
                                                const Parameters& parameters) {
  const bool is_persistent = durability == model::Durability::kPersistent;
  auto program = script::Compile(is_persistent ? script::RewriteEphemeralToPersistent(script.text)
                                               : script.text);
  if (!program.ok()) return Refuse(script, program.error().ToReason());
  BoundProgram bound;
  bound.program_ = *std::move(program);
  bound.key_slot_ = bound.program_->FindParameter(kKey);
  bound.cost_slot_ = bound.program_->FindParameter(kCost);
  bound.owner_slot_ = bound.program_->FindParameter(kOwner);
  PALENA_RETURN_IF_ERROR(bound.Check(script, durability));
  for (const std::string& named : bound.program_->parameters()) {
    const std::string_view name = model::WithoutAt(named);
    const auto given = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const auto& one) { return one.first == name; });
    if (given == parameters.end() && !IsSetByCall(name)) bound.missing_.emplace_back(name);
    bound.values_.push_back(given == parameters.end() ? "" : given->second);
  }
  return bound;
}

base::Status BoundProgram::Check(const LimiterScript& script, model::Durability durability) const {
  if (key_slot_ < 0) {
    return Refuse(script, "it has no parameter @key, which is where a limit keeps its state");
  }
  if (program_->is_transaction()) {
    return Refuse(script,
                  "a begin block cannot be taken together with others; write its "
                  "statements without it");
  }
  for (const script::FootprintKey& key : program_->footprint()) {
    if (key.durability == durability) continue;
    return Refuse(script, absl::StrCat("at line ", key.line,
                                       " it uses persistent keys, while "
                                       "durability is \"ephemeral\"; use the e-forms, which "
                                       "durability = \"persistent\" rewrites"));
  }
  return base::Ok();
}

void BoundProgram::AppendValues(const CallArguments& arguments,
                                std::vector<std::string_view>& out) const {
  const std::size_t first = out.size();
  out.insert(out.end(), values_.begin(), values_.end());
  const auto set = [&](int slot, std::string_view value) {
    if (slot >= 0) out[first + static_cast<std::size_t>(slot)] = value;
  };
  set(key_slot_, arguments.key);
  set(cost_slot_, arguments.cost);
  set(owner_slot_, arguments.owner);
}

}  // namespace palena::limits
