#include "script/transaction.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "script/ast.h"
#include "script/characters.h"
#include "script/conversions.h"
#include "script/literals.h"
#include "script/program.h"

namespace palena::script {
namespace {

using model::Code;
using model::ScriptError;
using Parameters = std::span<const std::optional<std::string_view>>;
using Priority = TransactionOptions::Priority;

// The setters of the table. False when the text is no value of the option.

// `words` in the order of the values that they stand for.
template <typename T>
bool SetWord(std::string_view text, std::initializer_list<std::string_view> words, T& out) {
  const auto* const found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) return false;
  out = static_cast<T>(found - words.begin());
  return true;
}

bool SetBool(std::string_view text, bool& out) {
  out = text == "true" || text == "yes";
  return out || text == "false" || text == "no";
}

bool SetNumber(std::string_view text, std::int64_t min, std::int64_t& out) {
  const auto number = WholeNumber(Value::String(text));
  if (!number || *number < min) return false;
  out = *number;
  return true;
}

bool SetLocking(std::string_view text, TransactionOptions& out) {
  return SetWord(text, {"pessimistic", "optimistic"}, out.locking);
}

bool SetAutoCommit(std::string_view text, TransactionOptions& out) {
  return SetBool(text, out.auto_commit);
}

bool SetAsyncRelease(std::string_view text, TransactionOptions& out) {
  return SetBool(text, out.async_release);
}

bool SetTimeout(std::string_view text, TransactionOptions& out) {
  if (!SetNumber(text, 1, out.timeout_ms)) return false;
  out.timeout_ms = std::min(out.timeout_ms, base::kRunTimeoutMsMax);
  return true;
}

bool SetAdmissionWait(std::string_view text, TransactionOptions& out) {
  return SetNumber(text, 0, out.admission_wait_ms) &&
         out.admission_wait_ms <= base::kAdmissionWaitMsMax;
}

bool SetSnapshot(std::string_view text, TransactionOptions& out) {
  return SetNumber(text, 1, out.snapshot_ms);
}

bool SetPriority(std::string_view text, TransactionOptions& out) {
  return SetWord(text, {"background", "low", "normal", "high", "critical"}, out.priority);
}

bool SetValidation(std::string_view text, TransactionOptions& out) {
  return SetWord(text, {"none", "trackAndValidate"}, out.validates_reads);
}

bool SetDecision(std::string_view text, TransactionOptions& out) {
  return SetWord(text, {"bestEffort", "durable"}, out.is_decision_durable);
}

struct Row {
  std::string_view name;
  std::string_view complaint;
  bool (*set)(std::string_view text, TransactionOptions& out);
};

constexpr Row kRows[] = {
#define X(name, text, complaint, setter) {text, complaint, setter},
    PALENA_BEGIN_OPTIONS(X)
#undef X
};

const Row& RowOf(BeginOptionName name) {
  return kRows[static_cast<std::size_t>(name)];
}

std::optional<BeginOptionName> NameOf(std::string_view text) {
  const auto* const found =
      std::ranges::find_if(kRows, [text](const Row& row) { return row.name == text; });
  if (found == std::end(kRows)) return std::nullopt;
  return static_cast<BeginOptionName>(found - std::begin(kRows));
}

ScriptError ErrorAt(const BeginOption& option, std::string message) {
  return {Code::kRuntime, std::move(message), option.line, {}};
}

// Gives options their values, one after the other, until one is wrong.
class Resolver {
 public:
  bool Set(const BeginOption& option, std::string_view value) {
    const Row& row = RowOf(option.name);
    if (!row.set(value, options_)) {
      error_ = ErrorAt(option, std::string(row.complaint).append(Excerpt(value)));
      if (option.is_parameter) error_.parameter = option.text;
      return false;
    }
    return AgreesWithTheOthers(option);
  }
  // Of a parameter, which may be missing.
  bool Set(const BeginOption& option, std::optional<std::string_view> value) {
    if (value) return Set(option, *value);
    error_ = ErrorAt(option, "Undefined parameter: " + option.text);
    return false;
  }

  const TransactionOptions& options() const { return options_; }
  const ScriptError& error() const { return error_; }

 private:
  // A snapshot never changes, so there is nothing to validate.
  bool AgreesWithTheOthers(const BeginOption& option) {
    if (!options_.validates_reads || options_.snapshot_ms == 0) return true;
    error_ =
        ErrorAt(option, "Invalid BEGIN option: readValidation and snapshot exclude each other");
    return false;
  }

  TransactionOptions options_;
  ScriptError error_;
};

// 0x10 and 16 are one number; everything else is what was written.
std::string ValueText(const Option& written) {
  if (written.kind != Option::Kind::kInteger) return written.value;
  return std::to_string(ReadNumber(written.value).integer);
}

BeginOption Compiled(const Option& written, BeginOptionName name) {
  BeginOption option{name, written.kind == Option::Kind::kParameter, 0, ValueText(written),
                     written.line};
  if (option.is_parameter) option.parameter = static_cast<std::uint16_t>(written.slot);
  return option;
}

}  // namespace

std::string_view BeginOptionText(BeginOptionName name) {
  return RowOf(name).name;
}

const BeginOption* FindBeginOption(std::span<const BeginOption> options, BeginOptionName name) {
  const auto found = std::ranges::find(options, name, &BeginOption::name);
  return found == options.end() ? nullptr : &*found;
}

model::ScriptOr<BeginOptions> CompileBeginOptions(std::span<const Option> written) {
  BeginOptions options;
  Resolver resolver;
  for (const Option& option : written) {
    const auto name = NameOf(option.name);
    if (!name) {
      return ScriptError{
          Code::kRuntime, "Unknown BEGIN option: " + Excerpt(option.name), option.line, {}};
    }
    const BeginOption compiled = Compiled(option, *name);
    if (FindBeginOption(options, *name) != nullptr) {
      return ErrorAt(compiled, "Invalid BEGIN option: " + option.name + " is given twice");
    }
    if (!compiled.is_parameter && !resolver.Set(compiled, std::string_view(compiled.text))) {
      return resolver.error();
    }
    options.push_back(compiled);
  }
  return options;
}

model::ScriptOr<TransactionOptions> ResolveTransaction(const Program& program,
                                                       Parameters parameters) {
  if (!program.is_transaction()) return TransactionOptions{.auto_commit = true};
  PALENA_CHECK(parameters.size() >= program.parameters().size());
  Resolver resolver;
  for (const BeginOption& option : program.begin_options()) {
    const bool is_good = option.is_parameter ? resolver.Set(option, parameters[option.parameter])
                                             : resolver.Set(option, std::string_view(option.text));
    if (!is_good) return resolver.error();
  }
  return resolver.options();
}

bool CommitsAtItsEnd(const Program& program, Parameters parameters) {
  if (!program.is_transaction()) return true;
  const BeginOption* const option =
      FindBeginOption(program.begin_options(), BeginOptionName::kAutoCommit);
  if (option == nullptr) return false;
  const auto text = option->is_parameter ? parameters[option->parameter]
                                         : std::optional<std::string_view>(option->text);
  TransactionOptions options;
  return text && SetAutoCommit(*text, options) && options.auto_commit;
}

}  // namespace palena::script
