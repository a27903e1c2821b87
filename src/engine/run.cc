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

}  // namespace

void Run::Bind(ProgramPtr bound_program, const model::RequestView& request) {
  program = std::move(bound_program);
  parameters.assign(program->parameters().size(), std::nullopt);
  std::size_t bytes = 0;
  for (const model::ParameterView& p : request.parameters) bytes += p.value.size();
  parameter_bytes_.clear();
  parameter_bytes_.reserve(bytes);  // no move later: views into it are handed out below
  for (const model::ParameterView& p : request.parameters) {
    const int slot = SlotOf(p, *program);
    if (slot < 0 || static_cast<std::size_t>(slot) >= parameters.size()) continue;
    std::optional<std::string_view>& place = parameters[static_cast<std::size_t>(slot)];
    if (place.has_value()) continue;
    const std::size_t start = parameter_bytes_.size();
    parameter_bytes_.append(p.value);
    place = std::string_view(parameter_bytes_).substr(start);
  }
}

void Run::SetDeadline(const base::Clock& clock, std::int64_t timeout_ms) {
  if (timeout_ms <= 0) timeout_ms = base::kRunTimeoutMs;
  timeout_ms = std::min(timeout_ms, base::kRunTimeoutMsMax);
  deadline_ns = clock.SteadyNs() + timeout_ms * 1'000'000;
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
