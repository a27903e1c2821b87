// The verifier against code that no compiler makes: one claim per rule, then single-field changes
// of a real program, of which those that pass must not hurt the VM.

#include "script/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "made_up_program.h"
#include "script/functions.h"
#include "script_runner.h"

namespace palena::script {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Two variables and two temporaries, a key that is written and one that is only read, a bucket, a
// prefix, one parameter, the constants 7 and 'text'.
class VerifierTest : public testing::Test {
 protected:
  VerifierTest() {
    constants_ = {Value::Long(7), Value::String("text")};
    footprint_.resize(4);
    footprint_[0].writes = true;
    footprint_[2].kind = KeyKind::kBucket;
    footprint_[3].kind = KeyKind::kPrefix;
  }

  std::string VerifyCode(std::vector<Instruction> code) {
    const std::vector<std::int32_t> lines(code.size(), 1);
    CodeView view;
    view.code = code;
    view.lines = lines;
    view.constants = constants_;
    view.footprint = footprint_;
    view.parameters = 1;
    view.variables = 2;
    view.registers = 4;
    return Verify(view);
  }

  // What is wrong with an instruction in front of an end.
  std::string VerifyOne(Instruction instruction) { return VerifyCode({instruction, {}}); }

  std::vector<Value> constants_;
  Footprint footprint_;
};

Instruction JumpTo(std::uint32_t target) {
  Instruction jump{.op = Opcode::kJump};
  jump.set_target(target);
  return jump;
}

TEST_F(VerifierTest, AcceptsAnEnd) {
  EXPECT_THAT(VerifyCode({{}}), IsEmpty());
}

TEST_F(VerifierTest, RefusesNoCode) {
  EXPECT_THAT(VerifyCode({}), HasSubstr("no code"));
}

TEST_F(VerifierTest, RefusesCodeThatRunsOffItsEnd) {
  EXPECT_THAT(VerifyCode({{.op = Opcode::kMove}}), HasSubstr("run off"));
  EXPECT_THAT(VerifyCode({{.op = static_cast<Opcode>(250)}}), HasSubstr("run off"));
}

TEST_F(VerifierTest, RefusesAMissingLine) {
  const std::vector<Instruction> code(2);
  const std::vector<std::int32_t> lines(1);
  CodeView view;
  view.code = code;
  view.lines = lines;
  EXPECT_THAT(Verify(view), HasSubstr("line"));
}

TEST_F(VerifierTest, RefusesUnknownOpcodes) {
  EXPECT_THAT(VerifyOne({.op = static_cast<Opcode>(kOpcodeCount)}), HasSubstr("unknown opcode"));
}

TEST_F(VerifierTest, ChecksRegisters) {
  EXPECT_THAT(VerifyOne({.op = Opcode::kAdd, .a = 3, .b = 0, .c = 1}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kAdd, .a = 4, .b = 0, .c = 1}), HasSubstr("register"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kAdd, .a = 0, .b = 4, .c = 1}), HasSubstr("register"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kAdd, .a = 0, .b = 0, .c = 4}), HasSubstr("register"));
}

TEST_F(VerifierTest, ChecksConstants) {
  EXPECT_THAT(VerifyOne({.op = Opcode::kMove, .flags = kConstantB, .b = 1}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kMove, .flags = kConstantB, .b = 2}), HasSubstr("constant"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kRaise, .a = 1}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kRaise, .a = 0}), HasSubstr("without text"));
}

TEST_F(VerifierTest, ChecksVariablesAndParameters) {
  EXPECT_THAT(VerifyOne({.op = Opcode::kCheckVariable, .a = 1}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kCheckVariable, .a = 2}), HasSubstr("variable"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kParameter, .b = 0}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kParameter, .b = 1}), HasSubstr("parameter"));
}

TEST_F(VerifierTest, ChecksKeys) {
  EXPECT_THAT(VerifyOne({.op = Opcode::kGet, .b = 1}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kGet, .b = 2}), HasSubstr("bucket"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kGet, .b = 4}), HasSubstr("no such key"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kDelete, .b = 0}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kDelete, .b = 1}), HasSubstr("only read"));
}

TEST_F(VerifierTest, ChecksRanges) {
  EXPECT_THAT(VerifyOne({.op = Opcode::kList, .b = 2}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kList, .b = 3}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kList, .b = 1}), HasSubstr("key used as a bucket"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kList, .b = 4}), HasSubstr("no such bucket"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kListAsOf, .flags = kConstantC, .b = 2}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kListAsOf, .flags = kConstantC, .b = 0}),
              HasSubstr("key used as a bucket"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kGetAsOf, .flags = kConstantC, .b = 2}),
              HasSubstr("bucket or prefix used as a key"));
}

TEST_F(VerifierTest, EveryEndIsAnEnd) {
  EXPECT_THAT(VerifyCode({{.op = Opcode::kCommit}}), IsEmpty());
  EXPECT_THAT(VerifyCode({{.op = Opcode::kRollback}}), IsEmpty());
  EXPECT_THAT(VerifyCode({{.op = Opcode::kRefuseWrite}}), IsEmpty());
  EXPECT_THAT(VerifyCode({{.op = Opcode::kSleep}}), HasSubstr("run off"));
}

TEST_F(VerifierTest, ChecksFlags) {
  EXPECT_THAT(VerifyOne({.op = Opcode::kGet, .flags = kBinds, .a = 1}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kGet, .flags = 0, .a = 1}), HasSubstr("binding"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kGet, .flags = kFlagNx}), HasSubstr("flag"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kMove, .flags = kConstantC}), HasSubstr("flag"));
}

TEST_F(VerifierTest, ChecksJumps) {
  EXPECT_THAT(VerifyCode({JumpTo(0)}), IsEmpty());
  EXPECT_THAT(VerifyCode({JumpTo(1)}), HasSubstr("jump"));
  EXPECT_THAT(VerifyCode({JumpTo(0x1'0000)}), HasSubstr("jump"));
}

TEST_F(VerifierTest, ChecksWindows) {
  EXPECT_THAT(VerifyOne({.op = Opcode::kArray, .b = 1, .c = 3}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kArray, .b = 2, .c = 3}), HasSubstr("window"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kIterate, .a = 2}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kIterate, .a = 3}), HasSubstr("iterator"));
}

TEST_F(VerifierTest, ChecksCalls) {
  const auto upper = static_cast<std::uint16_t>(FindFunction("upper") - Functions().data());
  const auto none = static_cast<std::uint16_t>(Functions().size());
  EXPECT_THAT(VerifyOne({.op = Opcode::kCall, .flags = 1, .b = 3, .c = upper}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kCall, .flags = 1, .b = 4, .c = upper}),
              HasSubstr("window"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kCall, .flags = 2, .b = 0, .c = upper}),
              HasSubstr("number of arguments"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kCall, .flags = 1, .b = 0, .c = none}),
              HasSubstr("function"));
}

TEST_F(VerifierTest, ChecksGuardsAndUnusedOperands) {
  EXPECT_THAT(VerifyOne({.op = Opcode::kGuard, .b = 3}), IsEmpty());
  EXPECT_THAT(VerifyOne({.op = Opcode::kGuard, .b = 4}), HasSubstr("guard"));
  EXPECT_THAT(VerifyOne({.op = Opcode::kHalt, .c = 1}), HasSubstr("not zero"));
}

TEST_F(VerifierTest, NamesTheInstruction) {
  EXPECT_EQ(VerifyCode({{.op = Opcode::kMove}, {.op = Opcode::kMove, .a = 9}, {}}),
            "instruction 1: no such register");
}

// Runs code that the verifier let through; it may fail in any way that is an answer.
void RunBriefly(const Program& program) {
  const std::vector<std::optional<std::string_view>> parameters(program.parameters().size(), "7");
  MapHost host;
  ASSERT_TRUE(host.Begin(program, parameters, {}));
  Vm vm;
  vm.Start(program, parameters, {}, host);
  if (vm.Resume(2000) != Vm::State::kFinished || !vm.succeeded()) return;
  model::Result result;
  vm.WriteResult(result);
}

// Tries `changes` values in one field of every instruction of a script that uses most opcodes.
template <typename Field>
void TryChanges(Field Instruction::*field, int changes) {
  MadeUpProgram made_up(
      "let n = get k at @r let e = exists k set k n nx ex 5 cmp 'a' cmprev 3 "
      "for i in [1, n, @r] do if not set || i == 1 && e then let n = upper(to_str(i)) end end "
      "let all = scan by prefix p let some = get by bucket b as of @r sleep @r "
      "let past = get k as of 7 exists k as of @r "
      "let d = delete k extend k -(-5) let x = [n, 1..3][1] if d then return [x, d, all] end "
      "if e then rollback else commit end");
  for (Instruction& instruction : made_up.code()) {
    const Instruction original = instruction;
    for (int value = 0; value < changes; ++value) {
      instruction.*field = static_cast<Field>(value);
      if (Verify(CodeView(made_up.program())).empty()) RunBriefly(made_up.program());
    }
    instruction = original;
  }
}

TEST(VerifiedCodeTest, DoesNoHarmWithAnotherOpcode) {
  TryChanges(&Instruction::op, kOpcodeCount);
}

TEST(VerifiedCodeTest, DoesNoHarmWithOtherFlags) {
  TryChanges(&Instruction::flags, 256);
}

TEST(VerifiedCodeTest, DoesNoHarmWithOtherOperands) {
  TryChanges(&Instruction::a, 50);
  TryChanges(&Instruction::b, 100);
  TryChanges(&Instruction::c, 100);
}

}  // namespace
}  // namespace palena::script
