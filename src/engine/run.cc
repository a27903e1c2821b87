#include "engine/run.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/limits.h"

namespace palena::engine {
namespace {

constexpr std::size_t kFirstParameterBytes = 256;

int SlotOf(const model::ParameterView& parameter, const script::Program& program) {
  return parameter.name.empty() ? parameter.slot : program.FindParameter(parameter.name);
}

std::int64_t TimeoutMs(std::int64_t asked_ms) {
  return asked_ms <= 0 ? base::kRunTimeoutMs : std::min(asked_ms, base::kRunTimeoutMsMax);
}

}  // namespace

void Run::Bind(const script::Program& bound_program, const Call& call, unsigned came_in_by) {
  program = &bound_program;
  reply_to = call.reply_to;
  origin = came_in_by;
  lane = call.lane;
  timeout_ms_ = call.request.timeout_ms;
  BindParameters(call.request.parameters);
}

void Run::Detach(std::int64_t now_ns) {
  if (owned_program_ != nullptr) return;
  owned_program_ = program->shared_from_this();
  deadline_ns = now_ns + TimeoutMs(timeout_ms_) * 1'000'000;
}

void Run::BindParameters(std::span<const model::ParameterView> given) {
  parameters.assign(program->parameters().size(), std::nullopt);
  std::size_t bytes = 0;
  for (const model::ParameterView& p : given) bytes += p.value.size();
  if (bytes > parameter_capacity_) {
    parameter_capacity_ = std::max(bytes, kFirstParameterBytes);
    parameter_bytes_ = std::make_unique_for_overwrite<char[]>(parameter_capacity_);
  }
  char* next = parameter_bytes_.get();
  for (const model::ParameterView& p : given) {
    const auto slot = static_cast<std::size_t>(SlotOf(p, *program));  // none: beyond every slot
    if (slot >= parameters.size() || parameters[slot].has_value()) continue;
    parameters[slot].emplace(next, p.value.size());
    if (!p.value.empty()) std::memcpy(next, p.value.data(), p.value.size());
    next += p.value.size();
  }
}

void Run::Reset() {
  program = nullptr;
  keys.Clear();
  result.Clear();
  if (parameter_capacity_ > kept_parameter_bytes_) {
    parameter_bytes_.reset();
    parameter_capacity_ = 0;
  }
  stamp = hlc::Stamp();
  if (owned_program_ == nullptr) return;  // it never left the fast path
  owned_program_.reset();
  deadline_ns = 0;
  lock_order.clear();
  locks_held = 0;
  is_waiting_for_lock = false;
  is_abandoned = false;
  next_step = Step::kBegin;
  fetch_error.reset();
}

}  // namespace palena::engine
