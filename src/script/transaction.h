#pragma once

// The options of `begin (…)` (language.md 8.2): what a script wrote, and what it comes to in a run.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "model/script_or.h"

namespace palena::script {

class Program;
struct Option;

struct TransactionOptions {
  enum class Locking : std::uint8_t { kPessimistic, kOptimistic };
  enum class Priority : std::uint8_t { kBackground, kLow, kNormal, kHigh, kCritical };

  Locking locking = Locking::kPessimistic;
  bool auto_commit = false;
  bool async_release = false;
  std::int64_t timeout_ms = 0;  // 0: not given; otherwise at most base::kRunTimeoutMsMax
  std::int64_t admission_wait_ms = base::kAdmissionWaitMs;  // 0: only if a slot is free now
  std::int64_t snapshot_ms = 0;                             // 0: none
  Priority priority = Priority::kNormal;
  bool validates_reads = false;
  bool is_decision_durable = false;
};

// One row per option: enumerator, name, what a bad value is called, who takes the value.
#define PALENA_BEGIN_OPTIONS(X)                                                              \
  X(kLocking, "locking", "Unsupported locking option: ", SetLocking)                         \
  X(kAutoCommit, "autoCommit", "Unsupported autoCommit option: ", SetAutoCommit)             \
  X(kAsyncRelease, "asyncRelease", "Unsupported asyncRelease option: ", SetAsyncRelease)     \
  X(kTimeout, "timeout", "Invalid timeout option: ", SetTimeout)                             \
  X(kAdmissionWait, "admissionWait", "Invalid admissionWait option: ", SetAdmissionWait)     \
  X(kSnapshot, "snapshot", "snapshot must be a non-zero time in epoch ms: ", SetSnapshot)    \
  X(kPriority, "priority", "Unsupported priority option: ", SetPriority)                     \
  X(kReadValidation, "readValidation", "Unsupported readValidation option: ", SetValidation) \
  X(kDecisionDurability, "decisionDurability",                                               \
    "Unsupported decisionDurability option: ", SetDecision)

enum class BeginOptionName : std::uint8_t {
#define X(name, text, complaint, setter) name,
  PALENA_BEGIN_OPTIONS(X)
#undef X
};

// An option as compiled. A constant one is known to be good.
struct BeginOption {
  BeginOptionName name = BeginOptionName::kLocking;
  bool is_parameter = false;
  std::uint16_t parameter = 0;  // slot, when is_parameter
  std::string text;             // the value, or "@name"; integers in decimal
  int line = 0;
};

using BeginOptions = std::vector<BeginOption>;

// The option's name as a script writes it.
std::string_view BeginOptionText(BeginOptionName name);
// Null when the block does not have it.
const BeginOption* FindBeginOption(std::span<const BeginOption> options, BeginOptionName name);

// What the parser read, with the slots of its parameters. Refuses unknown and repeated names, and
// every value that is wrong whatever the parameters are.
model::ScriptOr<BeginOptions> CompileBeginOptions(std::span<const Option> written);

// The options in a run with these parameters (by slot), or what is wrong with one of them, with its
// line. To be asked before the run; of a plain script the defaults, but that it commits by itself.
model::ScriptOr<TransactionOptions> ResolveTransaction(
    const Program& program, std::span<const std::optional<std::string_view>> parameters);

// Whether a run that came to its end without `commit` or `rollback` wants its writes kept: of a
// plain script always, of a `begin` block when autoCommit says so.
bool CommitsAtItsEnd(const Program& program,
                     std::span<const std::optional<std::string_view>> parameters);

}  // namespace palena::script
