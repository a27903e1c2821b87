#pragma once

// What a run of the generator has reached: opcodes and functions of the programs that ran, messages
// of the errors, and how many scripts came to a result.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "script/program.h"
#include "twin/answer.h"
#include "twin/features.h"

namespace palena::twin {

class Coverage {
 public:
  // A script that was run; the program is null when it did not compile.
  void Count(const script::Program* program, const Answer& answer);

  std::uint64_t scripts() const { return scripts_; }
  double result_share() const;
  // What `features` should reach and this run has not, and messages that no list knows; one a line.
  std::vector<std::string> Gaps(Features features) const;
  std::string Text() const;

 private:
  void CountMessage(const std::string& reason);

  std::uint64_t scripts_ = 0;
  std::uint64_t results_ = 0;
  std::array<std::uint64_t, script::kOpcodeCount> opcodes_{};
  std::map<std::string_view, std::uint64_t> functions_;
  std::map<std::string_view, std::uint64_t> messages_;
  std::map<std::string, std::uint64_t> types_;
  std::vector<std::string> unlisted_;
};

}  // namespace palena::twin
