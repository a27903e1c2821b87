#include "script/dump.h"

#include <charconv>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "script/quote.h"

namespace palena::script {
namespace {

constexpr std::size_t kNeverCut = static_cast<std::size_t>(-1);

std::string_view OperatorText(BinaryOp op) {
  constexpr std::string_view kTexts[] = {
      "..", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/"};
  return kTexts[static_cast<std::size_t>(op)];
}

std::string_view GuardText(Guard guard) {
  constexpr std::string_view kTexts[] = {"not found", "not set", "not deleted", "not extended"};
  return kTexts[static_cast<std::size_t>(guard)];
}

std::string_view FlagText(FlagKind flag) {
  constexpr std::string_view kTexts[] = {"nx", "xx", "ex", "cmp", "cmprev", "norev", "keepttl"};
  return kTexts[static_cast<std::size_t>(flag)];
}

std::string_view ReadText(ReadKind read) {
  constexpr std::string_view kTexts[] = {"get", "exists", "get by bucket", "scan by prefix"};
  return kTexts[static_cast<std::size_t>(read)];
}

std::string_view WriteText(WriteKind write) {
  constexpr std::string_view kTexts[] = {"set", "delete", "extend"};
  return kTexts[static_cast<std::size_t>(write)];
}

std::string_view OptionText(Option::Kind kind) {
  constexpr std::string_view kTexts[] = {"word",   "integer", "double",
                                         "string", "bool",    "parameter"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string StringText(std::string_view text) {
  return QuoteText(text, '"', kNeverCut);
}

// "#3", once the analyser has been there.
std::string SlotText(std::uint32_t slot) {
  return slot == kNoSlot ? "" : absl::StrCat(" #", slot);
}

// A name as the script would write it: plain, or in backticks when it is not plainly one.
std::string NameText(const std::string& name, std::uint32_t slot) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const bool is_plain = name.find_first_not_of(kPlain) == std::string::npos;
  return (is_plain ? name : QuoteText(name, '`', kNeverCut)) + SlotText(slot);
}

std::string KeyText(const Key& key) {
  return (key.is_parameter ? key.text : StringText(key.text)) + SlotText(key.slot);
}

std::string DoubleText(double value) {
  char digits[32];
  const std::to_chars_result end = std::to_chars(std::begin(digits), std::end(digits), value);
  return {digits, end.ptr};
}

std::string ExprText(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNull:
      return "null";
    case ExprKind::kBool:
      return expr.boolean ? "true" : "false";
    case ExprKind::kInteger:
      return absl::StrCat("integer ", expr.integer);
    case ExprKind::kDouble:
      return "double " + DoubleText(expr.real);
    case ExprKind::kString:
      return "string " + StringText(expr.text);
    case ExprKind::kVariable:
      return "variable " + NameText(expr.text, expr.slot);
    case ExprKind::kParameter:
      return "parameter " + expr.text + SlotText(expr.slot);
    case ExprKind::kArray:
      return "array";
    case ExprKind::kCall:
      return "call " + NameText(expr.text, kNoSlot);
    case ExprKind::kIndex:
      return "index";
    case ExprKind::kNegate:
      return "negate";
    case ExprKind::kNot:
      return "not";
    case ExprKind::kGuard:
      return std::string(GuardText(expr.guard));
    case ExprKind::kChain:
      return "chain";
  }
  return "";
}

// Recursion is bounded by the tree's depth.
class TreeDumper {
 public:
  explicit TreeDumper(const Tree& tree) : tree_(tree) {}

  std::string Dump() {
    DumpList(tree_.top, 0);
    return std::move(out_);
  }

 private:
  void Line(int line, int indent, std::string_view text) {
    absl::StrAppend(&out_, absl::Dec(line, absl::kSpacePad4), "  ", std::string(indent * 2, ' '));
    absl::StrAppend(&out_, absl::string_view(text.data(), text.size()), "\n");
  }
  void Label(int indent, std::string_view text) {
    out_.append(std::size_t{6} + indent * 2, ' ').append(text).append("\n");
  }

  void DumpList(const std::vector<StmtId>& list, int indent) {
    for (const StmtId id : list) DumpStmt(tree_.stmt(id), indent);
  }

  void DumpLabelled(std::string_view label, const std::vector<StmtId>& list, int indent) {
    if (list.empty()) return;
    Label(indent, label);
    DumpList(list, indent + 1);
  }

  void DumpLabelled(std::string_view label, ExprId id, int indent) {
    if (id == kNoNode) return;
    Label(indent, label);
    DumpExpr(id, indent + 1, "");
  }

  void DumpStmt(const Stmt& stmt, int indent) {
    Line(stmt.line, indent, StmtText(stmt));
    for (const Option& option : stmt.options) DumpOption(option, indent + 1);
    if (stmt.expr != kNoNode) DumpExpr(stmt.expr, indent + 1, "");
    DumpLabelled("at", stmt.at, indent + 1);
    DumpLabelled("as of", stmt.as_of, indent + 1);
    for (const Flag& flag : stmt.flags) {
      Label(indent + 1, FlagText(flag.kind));
      if (flag.expr != kNoNode) DumpExpr(flag.expr, indent + 2, "");
    }
    DumpLabelled(stmt.kind == StmtKind::kIf ? "then" : "do", stmt.body, indent + 1);
    DumpLabelled("else", stmt.else_body, indent + 1);
  }

  void DumpOption(const Option& option, int indent) {
    Line(option.line, indent,
         absl::StrCat("option ", NameText(option.name, kNoSlot), " = ") +
             std::string(OptionText(option.kind)) + " " + StringText(option.value));
  }

  std::string StmtText(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kLet:
        return "let " + NameText(stmt.name, stmt.slot);
      case StmtKind::kRead:
        return CommandText(ReadText(stmt.read), stmt);
      case StmtKind::kWrite:
        return CommandText(WriteText(stmt.write), stmt);
      case StmtKind::kIf:
        return "if";
      case StmtKind::kFor:
        return "for " + NameText(stmt.name, stmt.slot);
      case StmtKind::kBegin:
        return "begin";
      case StmtKind::kCommit:
        return "commit";
      case StmtKind::kRollback:
        return "rollback";
      case StmtKind::kReturn:
        return "return";
      case StmtKind::kSleep:
        return "sleep";
      case StmtKind::kThrow:
        return "throw";
    }
    return "";
  }

  static std::string CommandText(std::string_view command, const Stmt& stmt) {
    std::string text(command);
    text += stmt.durability == model::Durability::kEphemeral ? " ephemeral " : " persistent ";
    text += KeyText(stmt.key);
    if (!stmt.name.empty()) text += " into " + NameText(stmt.name, stmt.slot);
    return text;
  }

  // `prefix` is the operator before an operand of a chain.
  void DumpExpr(ExprId id, int indent, std::string_view prefix) {
    const Expr& expr = tree_.expr(id);
    std::string text(prefix);
    if (!prefix.empty()) text += ' ';
    Line(expr.line, indent, text + ExprText(expr));
    for (std::size_t i = 0; i < expr.children.size(); ++i) {
      const bool has_operator = expr.kind == ExprKind::kChain && i > 0;
      DumpExpr(expr.children[i], indent + 1, has_operator ? OperatorText(expr.ops[i - 1]) : "");
    }
  }

  const Tree& tree_;
  std::string out_;
};

}  // namespace

std::string DumpTree(const Tree& tree) {
  return TreeDumper(tree).Dump();
}

}  // namespace palena::script
