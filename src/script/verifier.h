#pragma once

// Checks bytecode before it may run: every operand within its table, every jump within the code,
// no way to run off its end. What passes cannot make the VM touch memory that is not its own, so
// the VM itself does not look at operands again.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "script/footprint.h"
#include "script/instruction.h"
#include "script/program.h"
#include "script/value.h"

namespace palena::script {

// What the verifier looks at: a program, or code that somebody made up.
struct CodeView {
  CodeView() = default;
  explicit CodeView(const Program& program);

  std::span<const Instruction> code;
  std::span<const std::int32_t> lines;
  std::span<const Value> constants;
  std::span<const FootprintKey> footprint;
  std::size_t parameters = 0;
  std::size_t variables = 0;
  std::size_t registers = 0;
};

// Empty when the code may run; otherwise what is wrong with it first, and where. Linear.
std::string Verify(const CodeView& view);

}  // namespace palena::script
