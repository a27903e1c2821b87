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

// Adds a member's arguments by their places among the slots of all; those that its program has no
// slot for are left out.
void AddArguments(const ProgramCall& call, const Series::Member& member,
                  std::vector<model::ParameterView>& arguments) {
  const std::size_t slots = member.program->parameters().size();
  const auto add = [&](std::size_t slot, std::string_view value) {
    if (slot >= slots) return;
    arguments.push_back({"", static_cast<int>(member.first_parameter + slot), value});
  };
  for (std::size_t slot = 0; slot < call.values.size(); ++slot) add(slot, call.values[slot]);
  for (const model::ParameterView& p : call.request.parameters) {
    add(static_cast<std::size_t>(SlotOf(p, *member.program)), p.value);
  }
}

}  // namespace

Run::~Run() = default;

void Run::Bind(const script::Program& bound_program, const Call& call, unsigned came_in_by) {
  program = &bound_program;
  BindCaller(call, came_in_by);
  timeout_ms_ = call.request.timeout_ms;
  BindParameters(program->parameters().size(), call.values, call.request.parameters);
}

// The arguments of all become those of one list of slots.
void Run::Bind(std::unique_ptr<Series> bound_series, const ManyCall& call, unsigned came_in_by) {
  series = std::move(bound_series);
  program = series->members().front().program.get();
  BindCaller(call, came_in_by);
  timeout_ms_ = call.timeout_ms;
  owned_program_ = series->members().front().program;
  std::vector<model::ParameterView> arguments;
  std::size_t slots = 0;
  auto member = series->members().begin();
  for (const auto list : {call.calls, call.otherwise}) {
    for (const ProgramCall& one : list) {
      member->first_parameter = slots;
      AddArguments(one, *member, arguments);
      slots += (member++)->program->parameters().size();
    }
  }
  BindParameters(slots, {}, arguments);
}

void Run::Detach(std::int64_t now_ns) {
  if (deadline_ns != 0) return;
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

void Run::BindParameters(std::size_t slots, std::span<const std::string_view> values,
                         std::span<const model::ParameterView> named) {
  parameters.resize(slots);
  for (std::optional<std::string_view>& parameter : parameters) parameter.reset();
  std::size_t bytes = 0;
  for (const std::string_view value : values) bytes += value.size();
  for (const model::ParameterView& p : named) bytes += p.value.size();
  if (bytes > parameter_capacity_) GrowParameterBytes(bytes);
  char* next = parameter_bytes_.get();
  const auto bind = [&](std::size_t slot, std::string_view value) {
    if (slot >= parameters.size() || parameters[slot].has_value()) return;
    parameters[slot].emplace(next, value.size());
    if (!value.empty()) std::memcpy(next, value.data(), value.size());
    next += value.size();
  };
  for (std::size_t slot = 0; slot < values.size(); ++slot) bind(slot, values[slot]);
  for (const model::ParameterView& p : named) {
    bind(static_cast<std::size_t>(SlotOf(p, *program)), p.value);  // no slot: beyond every slot
  }
}

void Run::GrowParameterBytes(std::size_t bytes) {
  parameter_capacity_ = std::max(bytes, kFirstParameterBytes);
  parameter_bytes_ = std::make_unique_for_overwrite<char[]>(parameter_capacity_);
}

std::optional<model::ScriptError> Run::ResolveSeries(const base::KeyedHash& hash) {
  std::vector<Series::Member>& members = series->members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].first_slot = keys.slots();
    auto error = keys.Resolve(*members[i].program, ParametersOf(members[i]), hash);
    if (!error.has_value()) continue;
    series->Point(i);
    return error;
  }
  return std::nullopt;
}

// One budget for all that is run of the series here. The run begins with its first member.
script::Vm::State Run::ResumeSeries(std::uint64_t step_budget) {
  if (series->IsBeforeFirst()) series->Point(0);
  const std::uint64_t end = vm.steps() + step_budget;
  while (true) {
    const script::Vm::State state = vm.Resume(end - std::min(end, vm.steps()));
    if (state != script::Vm::State::kFinished) return state;
    if (!EndMember() || !StartNextMember()) return state;
  }
}

// A member's answer is written before the next begins, which needs the VM's memory. False when the
// run has failed; vm.error() or host.error() tell why.
bool Run::EndMember() {
  model::Result answer;
  const bool is_good =
      vm.succeeded() && vm.wants_commit() && vm.WriteResult(answer) && host.MakeRoom();
  if (is_good) series->Take(std::move(answer));
  return is_good;
}

bool Run::StartNextMember() {
  const Series::Member* const next = series->Next();
  // Of a refused series nothing is kept: neither what the calls wrote nor what the others did.
  if (series->IsRefused() && (next == nullptr || series->IsFirstOfOthers())) host.DropWrites();
  if (next == nullptr) return false;
  keys.UseSlots(next->first_slot);
  vm.Continue(*next->program, ParametersOf(*next));
  return true;
}

bool Run::WriteSeriesResult() {
  if (!series->IsComplete()) return false;
  result = series->Answer(stamp);
  return true;
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
  if (owned_program_ == nullptr) return;  // one program that never left the fast path
  owned_program_.reset();
  series.reset();
  deadline_ns = 0;
  is_abandoned.store(false, std::memory_order_relaxed);
  holds_slot = false;
  owner = 0;
  stop = 0;
  seen = {};
  fetch_error.reset();
}

}  // namespace palena::engine
