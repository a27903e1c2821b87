#include "script/code_builder.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

namespace palena::script {

Instruction& CodeBuilder::Emit(Opcode op, int line) {
  lines_.push_back(line);
  Instruction& instruction = code_.emplace_back();
  instruction.op = op;
  return instruction;
}

Instruction& CodeBuilder::Emit(Opcode op, int line, std::uint16_t a, Operand b, Operand c) {
  Instruction& instruction = Emit(op, line);
  instruction.a = a;
  instruction.b = b.index;
  instruction.c = c.index;
  if (b.is_constant) instruction.flags |= kConstantB;
  if (c.is_constant) instruction.flags |= kConstantC;
  return instruction;
}

std::size_t CodeBuilder::EmitJump(Opcode op, int line, std::uint16_t condition) {
  const std::size_t place = next_place();
  Emit(op, line).a = condition;
  return place;
}

void CodeBuilder::EmitJumpTo(std::size_t target, int line) {
  Emit(Opcode::kJump, line).set_target(static_cast<std::uint32_t>(target));
}

void CodeBuilder::PatchHere(std::size_t place) {
  code_[place].set_target(static_cast<std::uint32_t>(next_place()));
}

Operand CodeBuilder::Null() {
  return AddConstant({}, Value::Null());
}

Operand CodeBuilder::Bool(bool value) {
  return AddConstant({ValueType::kBool, value ? 1U : 0U, {}}, Value::Bool(value));
}

Operand CodeBuilder::Long(std::int64_t value) {
  return AddConstant({ValueType::kLong, static_cast<std::uint64_t>(value), {}}, Value::Long(value));
}

Operand CodeBuilder::Double(double value) {
  // By bits: 0.0 and -0.0 are two constants.
  return AddConstant({ValueType::kDouble, std::bit_cast<std::uint64_t>(value), {}},
                     Value::Double(value));
}

Operand CodeBuilder::Text(std::string_view text) {
  const ConstantKey key{ValueType::kString, 0, text};
  const auto found = constant_places_.find(key);
  if (found != constant_places_.end()) return Operand::Constant(found->second);
  // The program keeps the text, and the key refers to that copy too.
  const std::string& kept = *texts_.emplace_back(std::make_unique<std::string>(text));
  return AddConstant({ValueType::kString, 0, kept}, Value::String(kept));
}

Operand CodeBuilder::AddConstant(const ConstantKey& key, const Value& value) {
  const auto [it, is_new] = constant_places_.try_emplace(key, Narrow(constants_.size()));
  if (is_new) constants_.push_back(value);
  return Operand::Constant(it->second);
}

std::size_t CodeBuilder::ConstantHash::operator()(const ConstantKey& key) const {
  const std::size_t of_text = std::hash<std::string_view>()(key.text);
  const std::uint64_t mixed =
      (key.bits + static_cast<std::uint64_t>(key.type)) * std::uint64_t{0x9E37'79B9'7F4A'7C15};
  return of_text ^ static_cast<std::size_t>(mixed ^ mixed >> 32);
}

std::uint16_t CodeBuilder::NewTemporaries(std::size_t count) {
  const std::uint16_t first = Narrow(next_temporary_);
  next_temporary_ += count;
  registers_ = std::max(registers_, next_temporary_);
  if (count > 0) Narrow(next_temporary_ - 1);
  return first;
}

std::uint16_t CodeBuilder::Narrow(std::size_t index) {
  if (index > std::numeric_limits<std::uint16_t>::max()) overflowed_ = true;
  return static_cast<std::uint16_t>(index);
}

}  // namespace palena::script
