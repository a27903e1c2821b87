#include "twin/script_writer.h"

#include <iterator>

#include "script/ast.h"
#include "twin/generator.h"

namespace palena::twin {
namespace {

constexpr int kExpressionDepth = 3;
constexpr int kBlockDepth = 3;
constexpr const char* kVariables[] = {"a", "b", "c", "count", "`a b`", "deleted", "keepttl"};
constexpr const char* kTtls[] = {"1", "5", "10", "50", "50", "100", "1000", "60000", "0", "10.0"};

}  // namespace

std::string ScriptWriter::Write(std::int64_t now_ms) {
  now_ms_ = now_ms;
  expressions_.Begin(random_.Chance(65) ? 2 : 45);
  if (May(kTransactions) && random_.Chance(12)) return Begin();
  if (random_.ChancePerMille(2)) return "commit";
  if (random_.ChancePerMille(2)) return "set a 1 begin set b 2 commit end";
  return Statements(0, 1 + random_.Below(6));
}

std::string ScriptWriter::Statements(int depth, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (!text.empty()) text += random_.Chance(70) ? "\n" : expressions_.Gap();
    text += Statement(depth);
  }
  return text;
}

// What a body binds is not known behind it: it may not have run.
std::string ScriptWriter::Body(int depth) {
  const auto before = expressions_.variables();
  std::string text = Statements(depth + 1, 1 + random_.Below(2));
  expressions_.variables() = before;
  return text;
}

std::string ScriptWriter::Statement(int depth) {
  const std::size_t roll = random_.Below(100);
  if (roll < 18) return Let();
  if (roll < 34) return Read(true);
  if (roll < 42) return Read(false);
  if (roll < 66) return Write(false);
  if (roll < 72) return Write(true);
  if (roll < 84 && depth < kBlockDepth) return If(depth);
  if (roll < 90 && depth < kBlockDepth) return For(depth);
  if (roll < 96) return depth > 0 || random_.Chance(60) ? Return() : Let();
  return Ending();
}

std::string ScriptWriter::Let() {
  const Kind kind = expressions_.AnyKind();
  const std::string expression = expressions_.Write(kind, kExpressionDepth);
  const std::string name = Name();
  expressions_.Bind(name, kind);
  return "let " + name + " =" + expressions_.Gap() + expression;
}

std::string ScriptWriter::If(int depth) {
  std::string text = "if" + expressions_.Gap() + expressions_.Write(Kind::kBool, kExpressionDepth) +
                     " then\n  " + Body(depth);
  if (random_.Chance(40)) text += "\nelse\n  " + Body(depth);
  return text + "\nend";
}

std::string ScriptWriter::For(int depth) {
  const std::string name = Name();
  std::string text = "for " + name + " in " + expressions_.Write(Kind::kArray, 2) + " do\n  ";
  const auto before = expressions_.variables();
  expressions_.Bind(name, random_.Chance(70) ? Kind::kInt : Kind::kText);
  text += Body(depth);
  expressions_.variables() = before;
  return text + "\nend";
}

std::string ScriptWriter::Return() {
  if (random_.Chance(15)) return "return let z = 1";
  return "return" + expressions_.Gap() +
         expressions_.Write(expressions_.AnyKind(), kExpressionDepth);
}

// What ends a run in another way, or lets time pass.
std::string ScriptWriter::Ending() {
  // Not for long: what is swept while a run sleeps is the engine's own affair.
  if (May(kSleep) && random_.Chance(40)) return "sleep " + expressions_.SmallInt(-1, 0);
  if (May(kEnds) && random_.Chance(50)) return random_.Chance(60) ? "commit" : "rollback";
  if (random_.Chance(50)) return Let();
  return "throw " + expressions_.Write(expressions_.AnyKind(), 2);
}

// ---- transactions

std::string ScriptWriter::Begin() {
  std::string text = "begin" + Options() + "\n" + Statements(1, 1 + random_.Below(4));
  if (random_.Chance(75)) text += random_.Chance(80) ? "\ncommit" : "\nrollback";
  return text + "\nend";
}

std::string ScriptWriter::Options() {
  static constexpr const char* kOptions[] = {"locking=optimistic",
                                             "locking='pessimistic'",
                                             "autoCommit=true",
                                             "autoCommit=no",
                                             "asyncRelease=yes",
                                             "timeout=4000",
                                             "timeout=0xFFF",
                                             "timeout=999999999",
                                             "admissionWait=10",
                                             "priority=high",
                                             "readValidation=none",
                                             "decisionDurability=bestEffort",
                                             "readValidation=trackAndValidate"};
  static constexpr const char* kBadOptions[] = {"locking=maybe",    "decisionDurability=\"\"",
                                                "readValidation=1", "autoCommit=1",
                                                "timeout=0",        "timeout=00",
                                                "timeout=0x0",      "timeout=\"x\"",
                                                "snapshot=0",       "admissionWait=-1",
                                                "priority=top",     "unheard=1",
                                                "autoCommit=@w",    "admissionWait=40000",
                                                "asyncRelease=@n"};
  if (random_.Chance(50)) return "";
  std::string text = " (";
  if (May(kAsOf) && random_.Chance(25)) text += "snapshot=" + std::to_string(now_ms_ - 20) + ", ";
  text += random_.Pick(kOptions);
  if (random_.Chance(20)) text += std::string(", ") + random_.Pick(kOptions);
  if (May(kDurable) && random_.Chance(10)) text += ", decisionDurability=durable";
  if (random_.Chance(10)) text += std::string(", ") + random_.Pick(kBadOptions);
  return text + ")";
}

// ---- reads

std::string ScriptWriter::Read(bool is_bound) {
  const bool is_range = May(kLists) && random_.Chance(20);
  const std::string read = is_range ? RangeRead() : PointRead(is_bound);
  expressions_.AllowGuard(static_cast<unsigned>(script::Guard::kNotFound));
  if (!is_bound) return read;
  const std::string name = Name();
  Kind kind = random_.Chance(60) ? Kind::kNumberText : Kind::kText;
  if (is_range) kind = Kind::kArray;
  if (read.find("exists") != std::string::npos) kind = Kind::kBool;
  expressions_.Bind(name, kind);
  return "let " + name + " = " + read;
}

std::string ScriptWriter::PointRead(bool is_bound) {
  const bool is_get = random_.Chance(is_bound ? 85 : 60);
  std::string text = std::string(Ephemeral()) + (is_get ? "get" : "exists") + " " + Key();
  if (random_.Chance(20)) return text + (random_.Chance(70) ? " at " : " @ ") + Revision();
  return text + AsOf();
}

std::string ScriptWriter::RangeRead() {
  static constexpr const char* kBuckets[] = {"box", "\"box/in\"", "none", "\"box/\"", "plain"};
  const bool is_bucket = random_.Chance(50);
  return std::string(Ephemeral()) + (is_bucket ? "get by bucket " : "scan by prefix ") +
         random_.Pick(kBuckets) + AsOf();
}

std::string ScriptWriter::AsOf() {
  if (!May(kAsOf) || !random_.Chance(20)) return "";
  static constexpr std::int64_t kBackMs[] = {0, 1, 5, 20, 50, 100, 500, -1, -100};
  if (expressions_.IsWild()) return " as of " + expressions_.Write(expressions_.AnyKind(), 1);
  return " as of " + std::to_string(now_ms_ - random_.Pick(kBackMs));
}

std::string ScriptWriter::Revision() {
  if (random_.Chance(10)) return random_.Chance(50) ? "@r" : "2.0";
  return expressions_.SmallInt(0, 6);
}

// ---- writes

std::string ScriptWriter::Write(bool is_bound) {
  using script::Guard;
  static constexpr const char* kDeletes[] = {"delete ", "del "};
  std::string text = Ephemeral();
  const std::size_t roll = random_.Below(100);
  if (roll < 70) {
    text += Set();
  } else if (roll < 85) {
    text += random_.Pick(kDeletes) + Key();
    expressions_.AllowGuard(static_cast<unsigned>(Guard::kNotDeleted));
  } else {
    text += "extend " + Key() + " " + Ttl();
    expressions_.AllowGuard(static_cast<unsigned>(Guard::kNotExtended));
  }
  expressions_.AllowGuard(static_cast<unsigned>(Guard::kNotSet));
  if (!is_bound) return text;
  const std::string name = Name();
  expressions_.Bind(name, Kind::kBool);
  return "let " + name + " = " + text;
}

std::string ScriptWriter::Set() {
  static constexpr Kind kKinds[] = {Kind::kInt,  Kind::kInt,  Kind::kInt,       Kind::kText,
                                    Kind::kReal, Kind::kNull, Kind::kNumberText};
  const Kind kind = random_.Chance(96) ? random_.Pick(kKinds) : expressions_.AnyKind();
  return "set " + Key() + " " + expressions_.Write(kind, 2) + Flags();
}

std::string ScriptWriter::Flags() {
  if (random_.Chance(45)) return "";
  std::string text;
  for (std::size_t count = 1 + random_.Below(2); count > 0; --count) {
    static constexpr const char* kPlain[] = {" nx", " XX", " norev", " NoRev"};
    switch (random_.Below(5)) {
      case 0:
        text += random_.Pick(kPlain);
        break;
      case 1:
      case 2: {
        const bool clashes = text.find("keepttl") != std::string::npos;
        if (!clashes || expressions_.IsWild()) text += " ex " + Ttl();
        break;
      }
      case 3:
        if (random_.Chance(50)) {
          text += " cmp " + expressions_.Write(expressions_.AnyKind(), 1);
        } else {
          text += " cmprev " + (random_.Chance(20) ? "-1" : Revision());
        }
        break;
      default: {
        const bool clashes = text.find(" ex ") != std::string::npos;
        if (!clashes || expressions_.IsWild()) text += " keepttl";
        break;
      }
    }
  }
  return text;
}

std::string ScriptWriter::Ttl() {
  if (expressions_.IsWild()) return expressions_.Write(expressions_.AnyKind(), 1);
  if (random_.ChancePerMille(15)) return random_.Chance(50) ? "-5" : "9223372036854775807";
  if (random_.Chance(15)) return "@ttl";
  return random_.Pick(kTtls);
}

// ---- names

std::string ScriptWriter::Key() {
  if (random_.Chance(15)) return "@k";
  if (random_.ChancePerMille(2)) return "\"\"";
  const std::string name = random_.Pick(kKeyNames);
  const bool is_plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  if (is_plain && random_.Chance(80)) return name;
  return random_.Chance(50) ? "\"" + name + "\"" : "`" + name + "`";
}

std::string ScriptWriter::Name() {
  return random_.Pick(kVariables);
}

}  // namespace palena::twin
