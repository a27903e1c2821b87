// Claim about script::Verify: whatever code it lets through, the VM runs without undefined
// behaviour, within its contract with the host, and with one answer however it is sliced. The code
// need not be anything that the compiler makes.
//
// Input: a script, 0x00, then edits of its code, each one byte for the kind, two for the place and
// those that the kind takes. An edit that the verifier refuses is taken back, so that one bad edit
// does not waste all the others.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "fuzz/budgeted_run.h"
#include "fuzz/input.h"
#include "script/functions.h"
#include "script/made_up_program.h"
#include "script/verifier.h"

namespace palena::script {
namespace {

constexpr std::size_t kEditsMax = 64;
constexpr std::int64_t kNowMs = 1'700'000'000'000;

// Most numbers are cut to what may be a register, constant, key or function, since the verifier
// refuses nearly all others; each kind of edit has a sibling that takes them as they are.
std::uint16_t Operand(fuzz::Bytes& input, bool is_cut) {
  const std::uint16_t word = input.TakeWord();
  return is_cut ? word % 40 : word;
}

Instruction TakeInstruction(fuzz::Bytes& input, bool is_cut) {
  Instruction i;
  const std::uint8_t op = input.TakeByte();
  i.op = static_cast<Opcode>(is_cut ? op % kOpcodeCount : op);
  i.flags = input.TakeByte();
  i.a = Operand(input, is_cut);
  i.b = Operand(input, is_cut);
  i.c = Operand(input, is_cut);
  return i;
}

void Edit(MadeUpProgram& program, fuzz::Bytes& input) {
  std::vector<Instruction>& code = program.code();
  const std::uint8_t kind = input.TakeByte();
  const bool is_cut = (kind & 0x80) == 0;
  const std::size_t place = input.TakeWord() % code.size();
  Instruction& i = code[place];
  switch (kind % 8) {
    case 0:
      i = TakeInstruction(input, is_cut);
      return;
    case 1:
      i.op = TakeInstruction(input, is_cut).op;
      return;
    case 2:
      i.flags = input.TakeByte();
      return;
    case 3:
      i.a = Operand(input, is_cut);
      return;
    case 4:
      i.b = Operand(input, is_cut);
      return;
    case 5:
      i.c = Operand(input, is_cut);
      return;
    case 6:
      code.insert(code.begin() + static_cast<std::ptrdiff_t>(place),
                  TakeInstruction(input, is_cut));
      program.lines().push_back(1);
      return;
    default:
      if (code.size() < 2) return;
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(place));
      program.lines().pop_back();
  }
}

void EditUnlessRefused(MadeUpProgram& program, fuzz::Bytes& input) {
  const std::vector<Instruction> code = program.code();
  const std::vector<std::int32_t> lines = program.lines();
  Edit(program, input);
  if (Verify(CodeView(program.program())).empty()) return;
  program.code() = code;
  program.lines() = lines;
}

void RunBothWays(const Program& program) {
  const std::vector<std::string_view> texts = {"7", "", "text", "a,b", "-1", "1.5"};
  const fuzz::OwnParameters parameters(texts, program.parameters().size());
  MapHost store;
  MapHost store_in_slices;
  store_in_slices.blocks_first = true;
  for (int run = 0; run < 2; ++run) {  // the second finds what the first wrote
    Vm whole;
    Vm in_slices;
    PALENA_CHECK(fuzz::Run(whole, program, parameters, kNowMs + run, store, base::kRunStepsMax) ==
                 fuzz::Run(in_slices, program, parameters, kNowMs + run, store_in_slices, 1));
  }
  PALENA_CHECK(store.Text() == store_in_slices.Text());
}

}  // namespace
}  // namespace palena::script

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace palena;
  const std::string_view text = fuzz::TextOf(data, size);
  const std::string_view source = text.substr(0, text.find('\x00'));
  auto compiled = script::Compile(source);
  if (!compiled.ok()) return 0;
  script::MadeUpProgram program(*std::move(compiled));
  fuzz::Bytes edits(text.substr(source.size()));
  edits.TakeByte();  // the separator
  for (std::size_t i = 0; i < script::kEditsMax && !edits.empty(); ++i) {
    script::EditUnlessRefused(program, edits);
  }
  script::RunBothWays(program.program());
  return 0;
}
