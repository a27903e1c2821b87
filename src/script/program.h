#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/request.h"
#include "model/script_or.h"
#include "script/footprint.h"
#include "script/instruction.h"
#include "script/transaction.h"
#include "script/value.h"

namespace palena::script {

// A compiled script: immutable, shared by all shards and threads. Made only by Compile().
class Program : public std::enable_shared_from_this<Program> {
 public:
  std::string_view text() const { return text_; }
  const model::ProgramId& id() const { return id_; }
  // Names with '@', in slot order.
  std::span<const std::string> parameters() const { return parameters_; }
  // Slot of a parameter named with or without '@'; -1 when the script has no such parameter.
  int FindParameter(std::string_view name) const;
  const Footprint& footprint() const { return footprint_; }
  // Whether it is a `begin` block, and what the block's parentheses say; see ResolveTransaction.
  bool is_transaction() const { return is_transaction_; }
  std::span<const BeginOption> begin_options() const { return begin_options_; }

  std::span<const Instruction> code() const { return code_; }
  std::span<const std::int32_t> lines() const { return lines_; }  // one per instruction
  std::span<const Value> constants() const { return constants_; }
  std::span<const std::string> variables() const {
    return variables_;
  }  // slots: the first registers
  std::size_t registers() const { return registers_; }
  // What keeping it costs, about.
  std::size_t memory_bytes() const;

 private:
  friend class Compiler;
  friend class MadeUpProgram;  // tests: code that no compiler makes
  Program() = default;

  std::string text_;
  model::ProgramId id_{};
  std::vector<std::string> parameters_;
  std::vector<std::uint16_t> parameters_by_name_;  // slots, sorted by name
  Footprint footprint_;
  bool is_transaction_ = false;
  BeginOptions begin_options_;
  std::vector<std::string> variables_;
  std::vector<Instruction> code_;
  std::vector<std::int32_t> lines_;
  std::vector<Value> constants_;
  std::vector<std::unique_ptr<std::string>> constant_texts_;  // what string constants refer to
  std::size_t registers_ = 0;
};

// Source to program: lex, parse, analyse, compile, verify. A text above base::kScriptBytesMax is
// refused with Code::kTooLarge before anything looks at it.
model::ScriptOr<std::shared_ptr<const Program>> Compile(std::string_view source);

// One instruction a line, with its source line, for golden tests.
std::string DumpProgram(const Program& program);

}  // namespace palena::script
