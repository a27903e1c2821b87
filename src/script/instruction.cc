#include "script/instruction.h"

#include <array>

namespace palena::script {
namespace {

constexpr std::uint8_t ConstantFlags(OperandKind b, OperandKind c) {
  const int of_b = b == OperandKind::kValue ? kConstantB : 0;
  const int of_c = c == OperandKind::kValue ? kConstantC : 0;
  return static_cast<std::uint8_t>(of_b | of_c);
}

constexpr OpcodeInfo Row(std::string_view name, OperandKind a, OperandKind b, OperandKind c,
                         std::uint8_t flags) {
  return {name, a, b, c, static_cast<std::uint8_t>(flags | ConstantFlags(b, c))};
}

constexpr std::array<OpcodeInfo, kOpcodeCount> kTable = {
#define X(name, text, a, b, c, flags) \
  Row(text, OperandKind::a, OperandKind::b, OperandKind::c, flags),
    PALENA_OPCODES(X)
#undef X
};

}  // namespace

const OpcodeInfo& InfoOf(Opcode op) {
  return kTable[static_cast<std::size_t>(op)];
}

}  // namespace palena::script
