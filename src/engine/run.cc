#include "engine/run.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/limits.h"

namespace palena::engine {
namespace {

constexpr std::size_t kFirstParameterBytes = 256;

int SlotOf(const model::ParameterView& parameter, const script::Program& program) {
  return parameter.name.empty() ? parameter.slot : program.FindParameter(parameter.name);
}

// What the request and the script ask for, the shorter of both.
std::int64_t TimeoutMs(std::int64_t request_ms, std::int64_t script_ms) {
  std::int64_t timeout_ms = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t asked_ms : {request_ms, script_ms}) {
    if (asked_ms > 0) timeout_ms = std::min({timeout_ms, asked_ms, base::kRunTimeoutMsMax});
  }
  return request_ms <= 0 && script_ms <= 0 ? base::kRunTimeoutMs : timeout_ms;
}

}  // namespace

Run::~Run() = default;

void Run::Bind(const script::Program& bound_program, const Call& call, unsigned came_in_by) {
  program = &bound_program;
  reply_to = call.reply_to;
  origin = came_in_by;
  lane = call.lane;
  caller = call.lane;
  timeout_ms_ = call.request.timeout_ms;
  BindParameters(call);
}

void Run::Detach(std::int64_t now_ns) {
  if (owned_program_ != nullptr) return;
  owned_program_ = program->shared_from_this();
  deadline_ns = now_ns + TimeoutMs(timeout_ms_, transaction.timeout_ms) * 1'000'000;
}

std::optional<model::ScriptError> Run::ResolveTransaction() {
  const auto resolved = script::ResolveTransaction(*program, parameters);
  if (!resolved.ok()) return resolved.error();
  transaction = *resolved;
  // What a range holds is not validated but locked: it changes too often, and costs too much.
  is_optimistic = transaction.locking == script::TransactionOptions::Locking::kOptimistic &&
                  keys.ranges().empty();
  return std::nullopt;
}

void Run::BindParameters(const Call& call) {
  parameters.resize(program->parameters().size());
  for (std::optional<std::string_view>& parameter : parameters) parameter.reset();
  ReserveParameterBytes(call);
  char* next = parameter_bytes_.get();
  const auto bind = [&](std::size_t slot, std::string_view value) {
    if (slot >= parameters.size() || parameters[slot].has_value()) return;
    parameters[slot].emplace(next, value.size());
    if (!value.empty()) std::memcpy(next, value.data(), value.size());
    next += value.size();
  };
  for (std::size_t slot = 0; slot < call.values.size(); ++slot) bind(slot, call.values[slot]);
  for (const model::ParameterView& p : call.request.parameters) {
    bind(static_cast<std::size_t>(SlotOf(p, *program)), p.value);  // no slot: beyond every slot
  }
}

void Run::ReserveParameterBytes(const Call& call) {
  std::size_t bytes = 0;
  for (const std::string_view value : call.values) bytes += value.size();
  for (const model::ParameterView& p : call.request.parameters) bytes += p.value.size();
  if (bytes <= parameter_capacity_) return;
  parameter_capacity_ = std::max(bytes, kFirstParameterBytes);
  parameter_bytes_ = std::make_unique_for_overwrite<char[]>(parameter_capacity_);
}

void Run::Reset() {
  if (program != nullptr && IsTransaction()) {
    transaction = {};
    is_optimistic = is_past = is_validating = false;
  }
  program = nullptr;
  stops.clear();
  is_committed = false;
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
  is_abandoned.store(false, std::memory_order_relaxed);
  holds_slot = false;
  owner = 0;
  stop = 0;
  seen = {};
  fetch_error.reset();
}

}  // namespace palena::engine
