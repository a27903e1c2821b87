#include "twin/begin_options.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "script/literals.h"
#include "twin/characters.h"
#include "twin/failure.h"

namespace palena::twin {
namespace {

using script::Option;

constexpr std::int64_t kAdmissionWaitMsMax = 30'000;

// One option, its parameter resolved.
struct Given {
  const Option& option;
  std::string value;

  std::string Quoted() const { return twin::Quoted(value); }

  [[noreturn]] void Refuse(std::string message) const {
    Failure failure{model::Code::kRuntime, std::move(message), option.line, ""};
    if (option.kind == Option::Kind::kParameter) failure.parameter = option.value;
    throw failure;
  }
  [[noreturn]] void RefuseWord() const {
    Refuse("Unsupported " + option.name + " option: " + Quoted());
  }
  [[noreturn]] void RefuseNumber() const {
    Refuse("Invalid " + option.name + " option: " + Quoted());
  }

  std::string_view Word(std::initializer_list<std::string_view> words) const {
    const auto* const found = std::find(words.begin(), words.end(), value);
    if (found == words.end()) RefuseWord();
    return *found;
  }
  bool YesOrNo() const {
    const std::string_view word = Word({"true", "false", "yes", "no"});
    return word == "true" || word == "yes";
  }
  std::int64_t Number(std::int64_t least, std::int64_t most) const {
    const auto number = IntegerOf(value);
    if (!number || *number < least || *number > most) RefuseNumber();
    return *number;
  }
  std::int64_t Snapshot() const {
    const auto number = IntegerOf(value);
    if (!number || *number <= 0)
      Refuse("snapshot must be a non-zero time in epoch ms: " + Quoted());
    return *number;
  }
};

void Apply(const Given& given, BeginOptions& options) {
  const std::string& name = given.option.name;
  if (name == "locking") {
    given.Word({"pessimistic", "optimistic"});
  } else if (name == "autoCommit") {
    options.auto_commit = given.YesOrNo();
  } else if (name == "asyncRelease") {
    given.YesOrNo();
  } else if (name == "timeout") {
    given.Number(1, INT64_MAX);
  } else if (name == "admissionWait") {
    given.Number(0, kAdmissionWaitMsMax);
  } else if (name == "snapshot") {
    options.snapshot_ms = given.Snapshot();
  } else if (name == "priority") {
    given.Word({"background", "low", "normal", "high", "critical"});
  } else if (name == "readValidation") {
    options.validates_reads = given.Word({"none", "trackAndValidate"}) != "none";
  } else if (name == "decisionDurability") {
    options.is_durable = given.Word({"bestEffort", "durable"}) == "durable";
  } else {
    given.Refuse("Unknown BEGIN option: " + name);
  }
  if (options.validates_reads && options.snapshot_ms) {
    throw Failure{model::Code::kRuntime,
                  "Invalid BEGIN option: readValidation and snapshot exclude each other",
                  given.option.line, ""};
  }
}

// An integer however it is written: `0x10` and `016` are 16.
std::string ValueOf(const Option& option, const Parameters& parameters) {
  if (option.kind == Option::Kind::kInteger) {
    return std::to_string(script::ReadNumber(option.value).integer);
  }
  if (option.kind != Option::Kind::kParameter) return option.value;
  const auto found = parameters.find(option.value);
  if (found != parameters.end()) return found->second;
  throw Failure{model::Code::kRuntime, "Undefined parameter: " + option.value, option.line, ""};
}

bool IsKnown(std::string_view name) {
  static constexpr std::string_view kNames[] = {"locking",  "autoCommit",     "asyncRelease",
                                                "timeout",  "admissionWait",  "snapshot",
                                                "priority", "readValidation", "decisionDurability"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

}  // namespace

void CheckConstantOptions(const script::Stmt& begin) {
  BeginOptions options;
  std::set<std::string> names;
  for (const Option& option : begin.options) {
    if (!IsKnown(option.name)) {
      throw Failure{model::Code::kRuntime, "Unknown BEGIN option: " + option.name, option.line, ""};
    }
    if (!names.insert(option.name).second) {
      throw Failure{model::Code::kRuntime,
                    "Invalid BEGIN option: " + option.name + " is given twice", option.line, ""};
    }
    if (option.kind != Option::Kind::kParameter) Apply({option, ValueOf(option, {})}, options);
  }
}

BeginOptions ReadOptions(const script::Stmt& begin, const Parameters& parameters) {
  BeginOptions options;
  for (const Option& option : begin.options) Apply({option, ValueOf(option, parameters)}, options);
  return options;
}

}  // namespace palena::twin
