#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "script/ast.h"
#include "script/conversions.h"
#include "script/functions.h"
#include "script/program.h"

namespace palena::script {
namespace {

class Dumper {
 public:
  explicit Dumper(const Program& program) : program_(program) {}

  std::string Run() {
    Header();
    for (std::size_t i = 0; i < program_.code().size(); ++i) Line(i);
    return std::move(out_);
  }

 private:
  void Header();
  void Begin();
  void Key(const FootprintKey& key);
  void Line(std::size_t place);
  void Flags(const Instruction& instruction, const OpcodeInfo& info);
  void Operand(const Instruction& instruction, OperandKind kind, std::size_t operand,
               std::uint8_t constant_flag);
  void Register(std::size_t index);
  void Constant(std::size_t index);
  void Append(const std::string& operand) { absl::StrAppend(&out_, " ", operand); }

  const Program& program_;
  std::string out_;
};

void Dumper::Header() {
  absl::StrAppend(&out_, "registers ", program_.registers(), "\n");
  if (program_.is_transaction()) Begin();
  for (const FootprintKey& key : program_.footprint()) Key(key);
}

void Dumper::Begin() {
  out_ += "begin";
  for (const BeginOption& option : program_.begin_options()) {
    Append(absl::StrCat(std::string(BeginOptionText(option.name)), "=",
                        absl::CHexEscape(option.text)));
  }
  out_ += '\n';
}

void Dumper::Key(const FootprintKey& key) {
  static constexpr const char* kKinds[] = {"key", "bucket", "prefix"};
  absl::StrAppend(
      &out_, kKinds[static_cast<std::size_t>(key.kind)], " ", absl::CHexEscape(key.text), " ",
      std::string(model::DurabilityName(key.durability)), key.writes ? " written" : " read",
      key.reads_now ? "" : " not-now", key.has_own_as_of ? " as-of" : "", "\n");
}

void Dumper::Line(std::size_t place) {
  const Instruction& instruction = program_.code()[place];
  const OpcodeInfo& info = InfoOf(instruction.op);
  absl::StrAppendFormat(&out_, "%4d  line %-3d %-8s", place, program_.lines()[place],
                        std::string(info.name));
  Operand(instruction, info.a, instruction.a, 0);
  Operand(instruction, info.b, instruction.b, kConstantB);
  // A target takes b and c, and is shown once.
  if (info.b != OperandKind::kTarget) Operand(instruction, info.c, instruction.c, kConstantC);
  Flags(instruction, info);
  out_.erase(out_.find_last_not_of(' ') + 1);
  out_ += '\n';
}

void Dumper::Flags(const Instruction& instruction, const OpcodeInfo& info) {
  if (info.b == OperandKind::kArguments) return;  // there the flags are a count
  static constexpr struct {
    std::uint8_t bit;
    const char* name;
  } kNames[] = {{kFlagNx, " nx"},
                {kFlagXx, " xx"},
                {kFlagNoRev, " norev"},
                {kFlagKeepTtl, " keepttl"},
                {kAnswers, " answers"}};
  for (const auto& [bit, name] : kNames) {
    if ((instruction.flags & bit) != 0) out_ += name;
  }
}

void Dumper::Operand(const Instruction& instruction, OperandKind kind, std::size_t operand,
                     std::uint8_t constant_flag) {
  static constexpr const char* kGuards[] = {"found", "set", "deleted", "extended"};
  switch (kind) {
    case OperandKind::kNone:
      return;
    case OperandKind::kBinding:
      return (instruction.flags & kBinds) != 0 ? Register(operand) : Append("-");
    case OperandKind::kValue:
      return (instruction.flags & constant_flag) != 0 ? Constant(operand) : Register(operand);
    case OperandKind::kOut:
    case OperandKind::kIn:
    case OperandKind::kVariable:
    case OperandKind::kIterator:
    case OperandKind::kElements:
      return Register(operand);
    case OperandKind::kArguments:
      Register(operand);
      return Append(absl::StrCat("*", static_cast<int>(instruction.flags)));
    case OperandKind::kConstant:
      return Constant(operand);
    case OperandKind::kParameter:
      return Append(program_.parameters()[operand]);
    case OperandKind::kReadKey:
    case OperandKind::kWriteKey:
    case OperandKind::kRange:
      return Append(absl::StrCat("[", absl::CHexEscape(program_.footprint()[operand].text), "]"));
    case OperandKind::kGuard:
      return Append(kGuards[operand]);
    case OperandKind::kCount:
      return Append(absl::StrCat("*", operand));
    case OperandKind::kFunction:
      return Append(std::string(Functions()[operand].name));
    case OperandKind::kTarget:
      return Append(absl::StrCat("-> ", instruction.target()));
  }
}

void Dumper::Register(std::size_t index) {
  const bool is_variable = index < program_.variables().size();
  Append(is_variable ? program_.variables()[index] : absl::StrCat("r", index));
}

void Dumper::Constant(std::size_t index) {
  const Value& value = program_.constants()[index];
  switch (value.type) {
    case ValueType::kBool:
      return Append(value.boolean ? "true" : "false");
    case ValueType::kLong:
      return Append(absl::StrCat(value.integer));
    case ValueType::kDouble:
      return Append(absl::StrCat("float ", DoubleText(value.real)));
    case ValueType::kString:
      return Append(absl::StrCat("'", absl::CHexEscape(std::string(value.string())), "'"));
    case ValueType::kNull:
    case ValueType::kArray:
      return Append("null");
  }
}

}  // namespace

std::string DumpProgram(const Program& program) {
  return Dumper(program).Run();
}

}  // namespace palena::script
