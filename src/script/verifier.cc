#include "script/verifier.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "script/ast.h"
#include "script/functions.h"

namespace palena::script {
namespace {

constexpr std::size_t kGuardCount = 4;
constexpr std::size_t kRegistersMax = std::size_t{1} << 16;

class Verifier {
 public:
  explicit Verifier(const CodeView& view) : view_(view) {}

  std::string Run() const;

 private:
  std::string_view CheckWhole() const;
  std::string_view CheckInstruction(const Instruction& instruction) const;
  std::string_view CheckFlags(const Instruction& instruction, const OpcodeInfo& info) const;
  std::string_view CheckOperand(const Instruction& instruction, OperandKind kind,
                                std::size_t operand, std::uint8_t constant_flag) const;
  std::string_view CheckWindow(std::size_t first, std::size_t count) const;
  std::string_view CheckKey(std::size_t key, bool writes) const;
  std::string_view CheckRange(std::size_t range) const;
  std::string_view CheckFunction(const Instruction& instruction) const;

  const CodeView& view_;
};

// The complaint, unless the condition holds.
constexpr std::string_view Unless(bool condition, std::string_view complaint) {
  return condition ? std::string_view() : complaint;
}

std::string Verifier::Run() const {
  if (const std::string_view complaint = CheckWhole(); !complaint.empty()) {
    return std::string(complaint);
  }
  for (std::size_t i = 0; i < view_.code.size(); ++i) {
    const std::string_view complaint = CheckInstruction(view_.code[i]);
    if (complaint.empty()) continue;
    return absl::StrCat("instruction ", i, ": ", std::string(complaint));
  }
  return {};
}

std::string_view Verifier::CheckWhole() const {
  if (view_.code.empty()) return "no code";
  if (view_.lines.size() != view_.code.size()) return "not one line per instruction";
  if (view_.registers > kRegistersMax) return "too many registers";
  if (view_.variables > view_.registers) return "fewer registers than variables";
  const auto last = static_cast<std::size_t>(view_.code.back().op);
  return Unless(last < kOpcodeCount && IsTerminator(view_.code.back().op),
                "the last instruction lets control run off the code");
}

std::string_view Verifier::CheckInstruction(const Instruction& instruction) const {
  if (static_cast<std::size_t>(instruction.op) >= kOpcodeCount) return "unknown opcode";
  const OpcodeInfo& info = InfoOf(instruction.op);
  if (auto bad = CheckFlags(instruction, info); !bad.empty()) return bad;
  if (auto bad = CheckOperand(instruction, info.a, instruction.a, 0); !bad.empty()) return bad;
  if (auto bad = CheckOperand(instruction, info.b, instruction.b, kConstantB); !bad.empty()) {
    return bad;
  }
  return CheckOperand(instruction, info.c, instruction.c, kConstantC);
}

std::string_view Verifier::CheckFlags(const Instruction& instruction,
                                      const OpcodeInfo& info) const {
  return Unless((instruction.flags & ~info.flags) == 0, "flag that its opcode does not have");
}

std::string_view Verifier::CheckOperand(const Instruction& instruction, OperandKind kind,
                                        std::size_t operand, std::uint8_t constant_flag) const {
  switch (kind) {
    case OperandKind::kNone:
      return Unless(operand == 0, "unused operand that is not zero");
    case OperandKind::kValue:
      if ((instruction.flags & constant_flag) != 0) {
        return Unless(operand < view_.constants.size(), "no such constant");
      }
      return Unless(operand < view_.registers, "no such register");
    case OperandKind::kOut:
    case OperandKind::kIn:
      return Unless(operand < view_.registers, "no such register");
    case OperandKind::kBinding:
      if ((instruction.flags & kBinds) == 0)
        return Unless(operand == 0, "binding without its flag");
      return Unless(operand < view_.registers, "no such register");
    case OperandKind::kVariable:
      return Unless(operand < view_.variables, "no such variable");
    case OperandKind::kConstant:
      if (operand >= view_.constants.size()) return "no such constant";
      return Unless(view_.constants[operand].type == ValueType::kString, "constant without text");
    case OperandKind::kParameter:
      return Unless(operand < view_.parameters, "no such parameter");
    case OperandKind::kReadKey:
      return CheckKey(operand, false);
    case OperandKind::kWriteKey:
      return CheckKey(operand, true);
    case OperandKind::kRange:
      return CheckRange(operand);
    case OperandKind::kGuard:
      return Unless(operand < kGuardCount, "no such guard");
    case OperandKind::kIterator:
      return Unless(operand + 1 < view_.registers, "no such iterator");
    case OperandKind::kArguments:
      return CheckWindow(operand, instruction.flags);
    case OperandKind::kElements:
      return CheckWindow(operand, instruction.c);
    case OperandKind::kFunction:
      return CheckFunction(instruction);
    case OperandKind::kTarget:
      return Unless(instruction.target() < view_.code.size(), "jump out of the code");
    case OperandKind::kCount:
      return {};  // checked with its window
  }
  return "unknown kind of operand";
}

std::string_view Verifier::CheckWindow(std::size_t first, std::size_t count) const {
  return Unless(first + count <= view_.registers, "window beyond the registers");
}

std::string_view Verifier::CheckKey(std::size_t key, bool writes) const {
  if (key >= view_.footprint.size()) return "no such key";
  if (view_.footprint[key].kind != KeyKind::kPoint) return "bucket or prefix used as a key";
  return Unless(!writes || view_.footprint[key].writes, "write of a key that is only read");
}

std::string_view Verifier::CheckRange(std::size_t range) const {
  if (range >= view_.footprint.size()) return "no such bucket or prefix";
  return Unless(view_.footprint[range].kind != KeyKind::kPoint, "key used as a bucket or prefix");
}

std::string_view Verifier::CheckFunction(const Instruction& instruction) const {
  if (instruction.c >= Functions().size()) return "no such function";
  const Function& function = Functions()[instruction.c];
  const int count = instruction.flags;
  return Unless(count >= function.arity_min && count <= function.arity_max,
                "wrong number of arguments");
}

}  // namespace

CodeView::CodeView(const Program& program)
    : code(program.code()),
      lines(program.lines()),
      constants(program.constants()),
      footprint(program.footprint()),
      parameters(program.parameters().size()),
      variables(program.variables().size()),
      registers(program.registers()) {}

std::string Verify(const CodeView& view) {
  return Verifier(view).Run();
}

}  // namespace palena::script
