#include "twin/coverage.h"

#include <algorithm>

#include "script/functions.h"
#include "script/instruction.h"

namespace palena::twin {
namespace {

// Every way a message can begin, and what the generator must be allowed to write to reach it. A
// thrown text is no message; limits of memory, steps and sizes are the engine's own tests' matter:
// the twin has none.
struct Message {
  std::string_view start;
  Features needs = kCore;
};

constexpr Message kMessages[] = {
    {"Syntax error, unexpected"},
    {"Syntax error, unterminated string"},
    {"Syntax error, 'ex' and 'keepttl' exclude each other"},
    {"Unexpected character"},
    {"Nested transactions are not supported"},
    {"Invalid transaction"},
    {"Invalid key: empty"},
    {"Invalid key: 1025 bytes"},
    {"Undefined parameter: "},
    {"Undefined variable: "},
    {"Undefined function "},
    {"Invalid number of arguments for "},
    {"Cannot use 'abs' function with argument "},
    {"Cannot use 'ceil' function with argument "},
    {"Cannot use 'floor' function with argument "},
    {"Cannot use 'round' function with argument "},
    {"Cannot use 'min' function with argument "},
    {"Cannot use 'max' function with argument "},
    {"Cannot use 'pow' function with argument "},
    {"Cannot use 'mod' function with argument "},
    {"Cannot use 'nearly_equals' function with argument "},
    {"Cannot use 'concat' function with argument "},
    {"Cannot use 'upper' function with argument "},
    {"Cannot use 'lower' function with argument "},
    {"Cannot use 'length' function with argument "},
    {"Cannot use 'substring' function with argument "},
    {"Cannot use 'starts_with' function with argument "},
    {"Cannot use 'ends_with' function with argument "},
    {"Cannot use 'index_of' function with argument "},
    {"Cannot use 'split' function with argument "},
    {"Cannot use 'trim' function with argument "},
    {"Cannot use 'join' function with argument "},
    {"Cannot use 'count' function with argument "},
    {"Cannot use 'truncated' function with argument "},
    {"Cannot cast string value '"},
    {"Cannot cast double value "},
    {"Cannot cast NullType to "},
    {"Cannot cast ArrayType to int"},
    {"Cannot cast ArrayType to double"},
    {"Cannot cast ArrayType to bool"},
    {"Cannot cast ArrayType to string"},
    {"Invalid operands: - "},
    {"Invalid operands for range operator: "},
    {"Invalid operands: "},
    {"Integer overflow"},
    {"Division by zero"},
    {"expected a boolean, found "},
    {"Expression to index must be an array: Found: "},
    {"Invalid index: "},
    {"Too many array elements: "},
    {"FOR expression is not iterable"},
    {"Invalid NOT FOUND expression"},
    {"Invalid NOT SET expression"},
    {"Invalid NOT DELETED expression"},
    {"Invalid NOT EXTENDED expression"},
    {"Invalid SET EX expression: "},
    {"Invalid SET EX expression"},
    {"Invalid SET CMP expression"},
    {"Invalid SET CMPREV expression"},
    {"Invalid EXTEND expression: "},
    {"Invalid EXTEND expression"},
    {"Invalid AT expression: "},
    {"Invalid AT expression"},
    {"Invalid value for digits: "},
    {"Invalid tolerance: "},
    {"Invalid separator: it is empty"},
    {"Invalid substring position: "},
    {"Substring start out of range: "},
    {"Substring length out of range: "},
    {"Invalid SLEEP duration", kSleep},
    {"AS OF 0 is not a valid snapshot timestamp", kAsOf},
    {"Invalid AS OF expression", kAsOf},
    // Takes more versions of a key than a story has time for: tests/engine has it.
    {"History no longer kept", kNotRequired},
    {"Unsupported decisionDurability option: ", kTransactions},
    {"Transaction aborted", kEnds},
    {"writes are not allowed in a snapshot", kTransactions | kAsOf},
    {"Unsupported locking option: ", kTransactions},
    {"Unsupported readValidation option: ", kTransactions},
    {"Transaction aborted: with decisionDurability=durable", kTransactions | kDurable},
    {"Invalid BEGIN option: readValidation and snapshot", kTransactions | kAsOf},
    {"Unsupported autoCommit option: ", kTransactions},
    {"Unsupported asyncRelease option: ", kTransactions},
    {"Unsupported priority option: ", kTransactions},
    {"Invalid timeout option: ", kTransactions},
    {"Invalid admissionWait option: ", kTransactions},
    {"snapshot must be a non-zero", kTransactions},
    {"Unknown BEGIN option: ", kTransactions},
    {"Invalid BEGIN option", kTransactions},
};

// Messages that come about by chance only, when a script is broken: nothing is missing without
// them.
constexpr std::string_view kByChance[] = {"Syntax error, ", "Invalid key: "};

const Message* FindMessage(std::string_view reason) {
  const Message* best = nullptr;
  for (const Message& message : kMessages) {
    const bool is_longer = best == nullptr || message.start.size() > best->start.size();
    if (reason.starts_with(message.start) && is_longer) best = &message;
  }
  return best;
}

bool IsByChance(std::string_view reason) {
  return std::ranges::any_of(
      kByChance, [reason](std::string_view start) { return reason.starts_with(start); });
}

}  // namespace

void Coverage::Count(const script::Program* program, const Answer& answer) {
  ++scripts_;
  results_ += answer.is_result() ? 1 : 0;
  ++types_[std::string(model::ResultTypeName(answer.type))];
  if (program != nullptr) {
    for (const script::Instruction& instruction : program->code()) {
      ++opcodes_[static_cast<std::size_t>(instruction.op)];
      if (instruction.op == script::Opcode::kCall) {
        ++functions_[script::Functions()[instruction.c].name];
      }
    }
  }
  const bool has_message = !answer.is_result() && answer.code != model::Code::kThrown;
  if (has_message) CountMessage(answer.reason);
}

void Coverage::CountMessage(const std::string& reason) {
  constexpr std::size_t kUnlistedMax = 20;
  if (const Message* const message = FindMessage(reason)) {
    ++messages_[message->start];
  } else if (!IsByChance(reason) && unlisted_.size() < kUnlistedMax) {
    unlisted_.push_back(reason);
  }
}

double Coverage::result_share() const {
  if (scripts_ == 0) return 0;
  return static_cast<double>(results_) / static_cast<double>(scripts_);
}

std::vector<std::string> Coverage::Gaps(Features features) const {
  std::vector<std::string> gaps;
  for (std::size_t op = 0; op < opcodes_.size(); ++op) {
    if (opcodes_[op] > 0) continue;
    const auto& info = script::InfoOf(static_cast<script::Opcode>(op));
    gaps.push_back("opcode never reached: " + std::string(info.name));
  }
  for (const script::Function& function : script::Functions()) {
    if (functions_.contains(function.name)) continue;
    gaps.push_back("function never called: " + std::string(function.name));
  }
  for (const Message& message : kMessages) {
    const bool is_wanted = (message.needs & features) == message.needs;
    if (!is_wanted || messages_.contains(message.start)) continue;
    gaps.push_back("message never reached: " + std::string(message.start));
  }
  for (const std::string& reason : unlisted_) gaps.push_back("message not listed: " + reason);
  return gaps;
}

std::string Coverage::Text() const {
  std::string text = std::to_string(scripts_) + " scripts, " +
                     std::to_string(static_cast<int>(result_share() * 100)) + " % with a result (";
  for (const auto& [type, count] : types_) {
    if (text.back() != '(') text += ", ";
    text.append(type).append(" ").append(std::to_string(count));
  }
  const auto reached = static_cast<std::size_t>(
      std::ranges::count_if(opcodes_, [](std::uint64_t count) { return count > 0; }));
  text += "); reached " + std::to_string(reached) + " of " + std::to_string(opcodes_.size()) +
          " opcodes, " + std::to_string(functions_.size()) + " of " +
          std::to_string(script::Functions().size()) + " functions, " +
          std::to_string(messages_.size()) + " messages; seldom:";
  for (const auto& [start, count] : messages_) {
    constexpr std::uint64_t kSeldom = 20;
    if (count < kSeldom)
      text.append("\n  ").append(std::to_string(count)).append(" ").append(start);
  }
  return text;
}

}  // namespace palena::twin
