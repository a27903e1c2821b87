#pragma once

// What the compiler writes into: instructions with their lines, constants without duplicates,
// temporaries as a stack, jumps that are patched when their target is known.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "script/instruction.h"
#include "script/value.h"

namespace palena::script {

// Where an operand's value is: in a register or in the constants.
struct Operand {
  bool is_constant = false;
  std::uint16_t index = 0;

  static Operand Register(std::uint16_t index) { return {false, index}; }
  static Operand Constant(std::uint16_t index) { return {true, index}; }
};

class CodeBuilder {
 public:
  explicit CodeBuilder(std::size_t variables) : next_temporary_(variables), registers_(variables) {}

  // Appends an instruction of `line`; the reference lives until the next one.
  Instruction& Emit(Opcode op, int line);
  // The same, with the operands most opcodes have.
  Instruction& Emit(Opcode op, int line, std::uint16_t a, Operand b, Operand c = {});

  // Appends a jump whose target is given later, by PatchHere; returns its place.
  std::size_t EmitJump(Opcode op, int line, std::uint16_t condition = 0);
  void EmitJumpTo(std::size_t target, int line);
  // The jump at `place` goes to whatever is emitted next.
  void PatchHere(std::size_t place);
  std::size_t next_place() const { return code_.size(); }

  // Equal constants share a place. `text` must outlive the builder's use, not the program's.
  Operand Null();
  Operand Bool(bool value);
  Operand Long(std::int64_t value);
  Operand Double(double value);
  Operand Text(std::string_view text);

  // `count` neighbouring temporaries on top of those in use; the first.
  std::uint16_t NewTemporaries(std::size_t count = 1);
  std::size_t temporaries_mark() const { return next_temporary_; }
  void ReleaseTemporaries(std::size_t mark) { next_temporary_ = mark; }

  // True when the script needed more than the 65,535 of something that an instruction can name.
  bool overflowed() const { return overflowed_; }

  std::vector<Instruction> TakeCode() { return std::move(code_); }
  std::vector<std::int32_t> TakeLines() { return std::move(lines_); }
  std::vector<Value> TakeConstants() { return std::move(constants_); }
  std::vector<std::unique_ptr<std::string>> TakeConstantTexts() { return std::move(texts_); }
  std::size_t registers() const { return registers_; }

 private:
  struct ConstantKey {
    ValueType type = ValueType::kNull;
    std::uint64_t bits = 0;
    std::string_view text;
    friend bool operator==(const ConstantKey&, const ConstantKey&) = default;
  };
  struct ConstantHash {
    std::size_t operator()(const ConstantKey& key) const;
  };

  Operand AddConstant(const ConstantKey& key, const Value& value);
  std::uint16_t Narrow(std::size_t index);

  std::vector<Instruction> code_;
  std::vector<std::int32_t> lines_;
  std::vector<Value> constants_;
  std::vector<std::unique_ptr<std::string>> texts_;
  absl::flat_hash_map<ConstantKey, std::uint16_t, ConstantHash> constant_places_;
  std::size_t next_temporary_;
  std::size_t registers_;
  bool overflowed_ = false;
};

}  // namespace palena::script
