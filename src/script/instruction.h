#pragma once

// The bytecode: a register machine. Registers 0..n-1 are the variables, the rest are temporaries.
// One table defines each opcode; the enum, its names, the dump and the verifier come from it.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace palena::script {

// What an operand field of an instruction names.
enum class OperandKind : std::uint8_t {
  kNone,      // unused, zero
  kOut,       // a register that is written
  kIn,        // a register that is read
  kBinding,   // a register that is written if kBinds is set, otherwise unused
  kValue,     // a register that is read, or a constant (kConstantB, kConstantC)
  kVariable,  // a register of a variable
  kConstant,  // a string constant
  kParameter,
  kReadKey,    // a place in the footprint
  kWriteKey,   // a place in the footprint that the program declares to write
  kRange,      // a place in the footprint that is a bucket or a prefix
  kGuard,      // a script::Guard
  kIterator,   // two registers: the array and the place of the next element
  kArguments,  // the first of as many registers as `flags` says
  kElements,   // the first of as many registers as `c` says
  kCount,      // the `c` of kElements
  kFunction,   // an index into Functions()
  kTarget,     // b and c together: the index of an instruction
};

// Bits of Instruction::flags. Which of them an opcode may have follows from its row.
inline constexpr std::uint8_t kConstantB = 0x01;  // operand b is a constant, not a register
inline constexpr std::uint8_t kConstantC = 0x02;
inline constexpr std::uint8_t kFlagNx = 0x04;
inline constexpr std::uint8_t kFlagXx = 0x08;
inline constexpr std::uint8_t kFlagNoRev = 0x10;
inline constexpr std::uint8_t kFlagKeepTtl = 0x20;
inline constexpr std::uint8_t kAnswers = 0x40;  // its outcome may be what the script answers
inline constexpr std::uint8_t kBinds = 0x80;    // a `let` gave it a variable

inline constexpr std::uint8_t kKeyFlags = kAnswers | kBinds;
inline constexpr std::uint8_t kSetFlags = kFlagNx | kFlagXx | kFlagNoRev | kFlagKeepTtl | kKeyFlags;

// One row per opcode: enumerator, name in dumps, kinds of a, b and c, flags beyond the constants'.
#define PALENA_OPCODES(X)                                                            \
  /* a = b */                                                                        \
  X(kMove, "move", kOut, kValue, kNone, 0)                                           \
  /* a = parameter b, or "Undefined parameter" */                                    \
  X(kParameter, "param", kOut, kParameter, kNone, 0)                                 \
  /* "Undefined variable" unless a is bound */                                       \
  X(kCheckVariable, "check", kVariable, kNone, kNone, 0)                             \
  /* a = b OP c */                                                                   \
  X(kAdd, "add", kOut, kValue, kValue, 0)                                            \
  X(kSubtract, "sub", kOut, kValue, kValue, 0)                                       \
  X(kMultiply, "mul", kOut, kValue, kValue, 0)                                       \
  X(kDivide, "div", kOut, kValue, kValue, 0)                                         \
  X(kEqual, "eq", kOut, kValue, kValue, 0)                                           \
  X(kNotEqual, "ne", kOut, kValue, kValue, 0)                                        \
  X(kLess, "lt", kOut, kValue, kValue, 0)                                            \
  X(kLessEqual, "le", kOut, kValue, kValue, 0)                                       \
  X(kGreater, "gt", kOut, kValue, kValue, 0)                                         \
  X(kGreaterEqual, "ge", kOut, kValue, kValue, 0)                                    \
  X(kRange, "range", kOut, kValue, kValue, 0)                                        \
  X(kIndex, "index", kOut, kValue, kValue, 0)                                        \
  /* a = OP b */                                                                     \
  X(kNegate, "neg", kOut, kValue, kNone, 0)                                          \
  X(kNot, "not", kOut, kValue, kNone, 0)                                             \
  /* a = b as an operand of && or ||: a plain boolean, or "expected a boolean" */    \
  X(kTest, "test", kOut, kValue, kNone, 0)                                           \
  X(kGuard, "guard", kOut, kGuard, kNone, 0)                                         \
  X(kArray, "array", kOut, kElements, kCount, 0)                                     \
  X(kCall, "call", kOut, kArguments, kFunction, 0xFF)                                \
  /* the run fails with message a */                                                 \
  X(kRaise, "raise", kConstant, kNone, kNone, 0)                                     \
  X(kJump, "jump", kNone, kTarget, kTarget, 0)                                       \
  /* jump on condition a, or "expected a boolean" */                                 \
  X(kJumpIfFalse, "unless", kIn, kTarget, kTarget, 0)                                \
  X(kJumpIfTrue, "when", kIn, kTarget, kTarget, 0)                                   \
  /* a is an array, or "not iterable"; the iterator a is set to its first element */ \
  X(kIterate, "iterate", kIterator, kNone, kNone, 0)                                 \
  /* jump when iterator a has no element left */                                     \
  X(kIterateEnd, "iterend", kIterator, kTarget, kTarget, 0)                          \
  /* a = the element at iterator b, which moves on */                                \
  X(kIterateNext, "iternext", kOut, kIterator, kNone, 0)                             \
  /* reads of key b, at revision c or as of time c */                                \
  X(kGet, "get", kBinding, kReadKey, kNone, kKeyFlags)                               \
  X(kGetAt, "getat", kBinding, kReadKey, kValue, kKeyFlags)                          \
  X(kExists, "exists", kBinding, kReadKey, kNone, kKeyFlags)                         \
  X(kExistsAt, "existsat", kBinding, kReadKey, kValue, kKeyFlags)                    \
  X(kGetAsOf, "getasof", kBinding, kReadKey, kValue, kKeyFlags)                      \
  X(kExistsAsOf, "existsasof", kBinding, kReadKey, kValue, kKeyFlags)                \
  /* reads of all keys of range b, as of time c */                                   \
  X(kList, "list", kBinding, kRange, kNone, kKeyFlags)                               \
  X(kListAsOf, "listasof", kBinding, kRange, kValue, kKeyFlags)                      \
  /* the arguments of the set that follows */                                        \
  X(kSetEx, "ex", kNone, kValue, kNone, 0)                                           \
  X(kSetCmp, "cmp", kNone, kValue, kNone, 0)                                         \
  X(kSetCmpRev, "cmprev", kNone, kValue, kNone, 0)                                   \
  /* writes of key b: value c, none, TTL c */                                        \
  X(kSet, "set", kBinding, kWriteKey, kValue, kSetFlags)                             \
  X(kDelete, "delete", kBinding, kWriteKey, kNone, kKeyFlags)                        \
  X(kExtend, "extend", kBinding, kWriteKey, kValue, kKeyFlags)                       \
  /* the run fails: this is where a snapshot block would write */                    \
  X(kRefuseWrite, "nowrite", kNone, kNone, kNone, 0)                                 \
  /* the run waits for b milliseconds */                                             \
  X(kSleep, "sleep", kNone, kValue, kNone, 0)                                        \
  /* b is what the script answers unless something later does */                     \
  X(kAnswer, "answer", kNone, kValue, kNone, 0)                                      \
  X(kReturn, "return", kNone, kValue, kNone, 0)                                      \
  X(kThrow, "throw", kNone, kValue, kNone, 0)                                        \
  /* the end, with the answer so far; it says itself what becomes of the writes */   \
  X(kCommit, "commit", kNone, kNone, kNone, 0)                                       \
  X(kRollback, "rollback", kNone, kNone, kNone, 0)                                   \
  /* the end, with the answer so far */                                              \
  X(kHalt, "halt", kNone, kNone, kNone, 0)

enum class Opcode : std::uint8_t {
#define X(name, text, a, b, c, flags) name,
  PALENA_OPCODES(X)
#undef X
};

#define X(name, text, a, b, c, flags) +1
inline constexpr std::size_t kOpcodeCount = 0 PALENA_OPCODES(X);
#undef X

struct Instruction {
  Opcode op = Opcode::kHalt;
  std::uint8_t flags = 0;
  std::uint16_t a = 0;
  std::uint16_t b = 0;
  std::uint16_t c = 0;

  // Of opcodes with kTarget. 64 KiB of script can make more than 65,535 instructions.
  std::uint32_t target() const { return b | static_cast<std::uint32_t>(c) << 16; }
  void set_target(std::uint32_t target) {
    b = static_cast<std::uint16_t>(target);
    c = static_cast<std::uint16_t>(target >> 16);
  }
};
static_assert(sizeof(Instruction) == 8);

// A row of the table.
struct OpcodeInfo {
  std::string_view name;
  OperandKind a;
  OperandKind b;
  OperandKind c;
  std::uint8_t flags;  // every bit that an instruction may have, the constants' included
};

// `op` must be one of the table's.
const OpcodeInfo& InfoOf(Opcode op);

// Whether control never goes on behind an instruction of this opcode.
constexpr bool IsTerminator(Opcode op) {
  switch (op) {
    case Opcode::kHalt:
    case Opcode::kCommit:
    case Opcode::kRollback:
    case Opcode::kReturn:
    case Opcode::kThrow:
    case Opcode::kRaise:
    case Opcode::kRefuseWrite:
    case Opcode::kJump:
      return true;
    default:
      return false;
  }
}

}  // namespace palena::script
