#include "engine/run.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace palena::engine {
namespace {

constexpr std::size_t kPooledParameterBytes = std::size_t{16} << 10;

int SlotOf(const model::ParameterView& parameter, const script::Program& program) {
  return parameter.name.empty() ? parameter.slot : program.FindParameter(parameter.name);
}

std::int64_t TimeoutMs(std::int64_t asked_ms) {
  return asked_ms <= 0 ? base::kRunTimeoutMs : std::min(asked_ms, base::kRunTimeoutMsMax);
}

}  // namespace

void Run::Bind(ProgramPtr bound_program, const Call& call, unsigned came_in_by,
               std::int64_t now_ns) {
  program = std::move(bound_program);
  reply_to = call.reply_to;
  origin = came_in_by;
  lane = call.lane;
  deadline_ns = now_ns + TimeoutMs(call.request.timeout_ms) * 1'000'000;
  BindParameters(call.request.parameters);
}

void Run::BindParameters(std::span<const model::ParameterView> given) {
  parameters.assign(program->parameters().size(), std::nullopt);
  std::size_t bytes = 0;
  for (const model::ParameterView& p : given) bytes += p.value.size();
  parameter_bytes_.clear();
  parameter_bytes_.reserve(bytes);  // no move later: views into it are handed out below
  for (const model::ParameterView& p : given) {
    const int slot = SlotOf(p, *program);
    if (slot < 0 || static_cast<std::size_t>(slot) >= parameters.size()) continue;
    std::optional<std::string_view>& place = parameters[static_cast<std::size_t>(slot)];
    if (place.has_value()) continue;
    const std::size_t start = parameter_bytes_.size();
    parameter_bytes_.append(p.value);
    place = std::string_view(parameter_bytes_).substr(start);
  }
}

void Run::Reset() {
  program.reset();
  keys.Clear();
  lock_order.clear();
  locks_held = 0;
  is_waiting_for_lock = false;
  is_abandoned = false;
  next_step = Step::kBegin;
  stamp = hlc::Stamp();
  fetch_error.reset();
  result = model::Result();
  if (parameter_bytes_.capacity() > kPooledParameterBytes) parameter_bytes_ = std::string();
}

}  // namespace palena::engine
