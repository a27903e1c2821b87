#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "limits/limiter_library.h"
#include "model/durability.h"
#include "script/program.h"

namespace palena::limits {

using ProgramPtr = std::shared_ptr<const script::Program>;

// What a call adds to what the file says. Views, as long as the call.
struct CallArguments {
  std::string_view key;
  std::string_view cost;
  std::string_view owner;
};

// A script of a limit, with the values of its parameters as far as the file fixes them.
class BoundProgram {
 public:
  // Name, without '@', and value.
  using Parameters = std::vector<std::pair<std::string, std::string>>;

  BoundProgram() = default;
  // Compiles the script, in its plain form when `durability` is persistent, and gives each of its
  // parameters the value that `parameters` has for it; what it does not know is left out.
  // InvalidArgument: it does not compile, it has no @key, a parameter is without a value, it
  // touches keys of the other durability, or is a `begin` block, which cannot be one of several.
  static base::StatusOr<BoundProgram> Bind(const LimiterScript& script,
                                           model::Durability durability,
                                           const Parameters& parameters);

  const ProgramPtr& program() const { return program_; }
  // Parameters, without '@', that neither the file nor a call gives a value.
  const std::vector<std::string>& missing() const { return missing_; }
  std::size_t slots() const { return values_.size(); }
  bool has_cost() const { return cost_slot_ >= 0; }
  bool has_owner() const { return owner_slot_ >= 0; }
  // Appends the values of one call by slot. They refer to this and to the arguments.
  void AppendValues(const CallArguments& arguments, std::vector<std::string_view>& out) const;

 private:
  base::Status Check(const LimiterScript& script, model::Durability durability) const;

  ProgramPtr program_;
  std::vector<std::string> values_;  // by slot; those of a call are empty
  std::vector<std::string> missing_;
  int key_slot_ = -1;  // -1: the script has no such parameter
  int cost_slot_ = -1;
  int owner_slot_ = -1;
};

// Whether a call sets this parameter: key, cost, owner. Without '@'.
bool IsSetByCall(std::string_view parameter);

}  // namespace palena::limits
