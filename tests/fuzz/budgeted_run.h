#pragma once

// One run of a program over a MapHost, whole or in slices, that ends when it has used a budget: a
// fuzz target cannot wait for ten million steps.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "fuzz/contract_host.h"
#include "fuzz/input.h"
#include "script/compiler.h"
#include "script/map_host.h"
#include "script/vm.h"
#include "wire/codec.h"

namespace palena::fuzz {

inline constexpr std::uint64_t kBudgetSteps = 2'000;
inline constexpr std::int64_t kStartMs = 1'700'000'000'000;  // of base::ManualClock too
inline constexpr std::int64_t kBetweenStepsMs = 10;
inline const model::ScriptError kTransactionAborted = {
    model::Code::kRolledBack, "Transaction aborted", 0, {}};

// The parameters of a run, each in memory of its own.
class OwnParameters {
 public:
  // By slot; slots for which there is no text have no value.
  OwnParameters(const std::vector<std::string_view>& texts, std::size_t slots) {
    for (std::size_t i = 0; i < std::min(slots, texts.size()); ++i) bytes_.emplace_back(texts[i]);
    for (const ExactBytes& bytes : bytes_) views_.emplace_back(bytes.view());
    views_.resize(slots);
  }
  const script::MapHost::Parameters& views() const { return views_; }

 private:
  std::vector<ExactBytes> bytes_;
  script::MapHost::Parameters views_;
};

// A step of a story: a script and the texts of its parameters.
struct CompiledStep {
  std::string_view script;
  std::shared_ptr<const script::Program> program;
  OwnParameters parameters;
};

// Nothing when the script is none.
inline std::optional<CompiledStep> Compile(std::string_view step) {
  std::vector<std::string_view> parts = Split(step, '\x00');
  const std::string_view script = parts[0];
  auto program = script::Compile(script);
  if (!program.ok()) return std::nullopt;
  parts.erase(parts.begin());
  OwnParameters parameters(parts, (*program)->parameters().size());
  return CompiledStep{script, *std::move(program), std::move(parameters)};
}

struct Outcome {
  bool is_finished = false;
  std::uint64_t steps = 0;
  std::string answer;  // the Result as encoded

  bool operator==(const Outcome&) const = default;
};

inline Outcome Answered(bool is_finished, std::uint64_t steps, const model::Result& result) {
  PALENA_CHECK(wire::EncodedBytes(result) <= base::kResultBytesMax);
  Outcome outcome{is_finished, steps, {}};
  wire::AppendResult(outcome.answer, 0, result);
  return outcome;
}

inline script::Vm::State ResumeUntilBudget(script::Vm& vm, ContractHost& host,
                                           std::uint64_t slice_steps) {
  using State = script::Vm::State;
  State state = State::kOutOfSteps;
  while (state != State::kFinished && vm.steps() < kBudgetSteps) {
    state = vm.Resume(std::min(slice_steps, kBudgetSteps - vm.steps()));
    if (state != State::kFinished) host.Suspend();
  }
  return state;
}

// Commits what succeeded, drops everything else.
inline Outcome Run(script::Vm& vm, const script::Program& program, const OwnParameters& parameters,
                   std::int64_t now_ms, script::MapHost& store, std::uint64_t slice_steps) {
  const hlc::Stamp stamp{hlc::HybridTime::FromMs(now_ms), 0};
  if (const auto options = script::ResolveTransaction(program, parameters.views()); !options.ok()) {
    return Answered(true, 0, model::Result::Failure(options.error()));
  }
  if (!store.Begin(program, parameters.views(), stamp)) {
    return Answered(true, 0, model::Result::Failure(store.error()));
  }
  ContractHost host(program, store);
  vm.Start(program, parameters.views(), stamp, host);
  const bool is_finished = ResumeUntilBudget(vm, host, slice_steps) == script::Vm::State::kFinished;
  model::Result result;
  if (is_finished && vm.succeeded() && !vm.wants_commit()) {
    store.Rollback();
    return Answered(true, vm.steps(), model::Result::Failure(kTransactionAborted));
  }
  if (is_finished && vm.succeeded() && vm.WriteResult(result)) {
    store.Commit();
    return Answered(true, vm.steps(), result);
  }
  store.Rollback();
  if (is_finished) result = model::Result::Failure(vm.error());
  return Answered(is_finished, vm.steps(), result);
}

}  // namespace palena::fuzz
