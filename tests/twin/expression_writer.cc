#include "twin/expression_writer.h"

#include <iterator>
#include <vector>

namespace palena::twin {
namespace {

constexpr const char* kInts[] = {"0", "1", "1", "2", "3", "4", "5", "7", "10", "100", "0x1F"};
constexpr const char* kEdgeInts[] = {"9223372036854775807", "0x8000000000000000",
                                     "0xFFFFFFFFFFFFFFFF",  "4294967296",
                                     "9007199254740993",    "1700000000000"};
constexpr const char* kReals[] = {"0.5", "1.5", "2.5", "3.0", "0.1", "0.2", "10.0", "0.0"};
constexpr const char* kEdgeReals[] = {"1000000000000000.0",
                                      "123456789012345.6",
                                      "0.00001",
                                      "0.0001",
                                      "9223372036854775808.0",
                                      "9007199254740992.0",
                                      "123456789012345678901234567890.5"};
constexpr const char* kTexts[] = {"\"\"",
                                  "\"a\"",
                                  "'abc'",
                                  "\"a,b,c\"",
                                  "\"h\u00e9llo\"",
                                  "\"stra\u00dfe\"",
                                  "'\u65e5\u672c'",
                                  "\"\U0001F600x\"",
                                  "\"\u0416\u0443\u043a\"",
                                  "\"it's\"",
                                  "'say \"hi\"'",
                                  "\"x\\ty\\n\"",
                                  "\"\\xFFb\"",
                                  "\"\\u00e9\\uD83D\\uDE00\"",
                                  "'  pad '",
                                  "\"true\"",
                                  "'TRUE'",
                                  "\"a/b\"",
                                  "','",
                                  "\"\\0\\x01\""};
constexpr const char* kNumberTexts[] = {"\"5\"",
                                        "\"-3\"",
                                        "' 7 '",
                                        "\"+4\"",
                                        "\"0\"",
                                        "\"2.5\"",
                                        "\"1e3\"",
                                        "\"1.0\"",
                                        "'.5'",
                                        "\"12\"",
                                        "\"5.\"",
                                        "\"-0\"",
                                        "'007'",
                                        "'1E-2'",
                                        "'6e1'",
                                        "\"9e18\"",
                                        "'9223372036854775807'"};
// Of tests that look at a type only.
constexpr const char* kTypeTests[] = {"is_long",    "is_int",    "is_integer", "is_double",
                                      "is_float",   "is_string", "is_str",     "is_bool",
                                      "is_boolean", "is_null",   "is_array"};
constexpr const char* kUnknownFunctions[] = {"nonesuch", "Upper", "`odd name`"};

constexpr const char* kSums[] = {"+", "-"};
constexpr const char* kProducts[] = {"*", "/"};
constexpr const char* kOrders[] = {"<", "<=", ">", ">="};
constexpr const char* kEqualities[] = {"=", "==", "!=", "<>"};

}  // namespace

void ExpressionWriter::Begin(std::size_t wild_per_mille) {
  wild_per_mille_ = wild_per_mille;
  variables_.clear();
  guards_ = 0;
}

std::string ExpressionWriter::Gap() {
  if (random_.Chance(94)) return " ";
  return random_.Chance(80) ? "\n" : " # note\n  ";
}

std::string ExpressionWriter::SmallInt(std::int64_t least, std::int64_t most) {
  if (IsWild()) return Write(AnyKind(), 1);
  const auto span = static_cast<std::size_t>(most - least + 1);
  return std::to_string(least + static_cast<std::int64_t>(random_.Below(span)));
}

std::string ExpressionWriter::Write(Kind kind, int depth) {
  if (IsWild()) kind = AnyKind();
  if (depth <= 0 || random_.Chance(30)) return Leaf(kind);
  switch (kind) {
    case Kind::kInt:
      return Int(depth);
    case Kind::kReal:
      return Real(depth);
    case Kind::kBool:
      return Bool(depth);
    case Kind::kText:
      return Text(depth);
    case Kind::kArray:
      return Array(depth);
    case Kind::kNumberText:
    case Kind::kNull:
      break;
  }
  return Leaf(kind);
}

std::string ExpressionWriter::Variable(Kind kind) {
  if (IsWild()) return random_.Chance(50) ? "unbound" : "d";
  std::vector<std::string> fitting;
  for (const auto& [name, bound] : variables_) {
    if (bound == kind) fitting.push_back(name);
  }
  return fitting.empty() ? "" : random_.Pick(fitting);
}

std::string ExpressionWriter::Leaf(Kind kind) {
  if (random_.Chance(40)) {
    const std::string variable = Variable(kind);
    if (!variable.empty()) return variable;
  }
  switch (kind) {
    case Kind::kInt:
      return random_.Chance(95) ? random_.Pick(kInts) : random_.Pick(kEdgeInts);
    case Kind::kReal:
      return random_.Chance(90) ? random_.Pick(kReals) : random_.Pick(kEdgeReals);
    case Kind::kBool:
      return random_.Chance(50) ? "true" : "False";
    case Kind::kText:
      return random_.Chance(80) ? random_.Pick(kTexts) : random_.Pick(kWordParameters);
    case Kind::kNumberText:
      return random_.Chance(50) ? random_.Pick(kNumberTexts) : random_.Pick(kNumberParameters);
    case Kind::kNull:
      return "null";
    case Kind::kArray:
      return random_.Chance(70) ? "[1, \"a\", 2.5]" : "1..3";
  }
  return "null";
}

// `count` operands of one level, with or without parentheses around them all.
std::string ExpressionWriter::Chain(Kind operand, const char* const* ops, std::size_t ops_count,
                                    int depth) {
  std::string text = Write(operand, depth - 1);
  const std::size_t more = random_.Chance(80) ? 1 : 2;
  for (std::size_t i = 0; i < more; ++i) {
    const bool is_other = operand == Kind::kInt && random_.Chance(10);
    text += Gap() + ops[random_.Below(ops_count)] + Gap();
    text += Write(is_other ? Kind::kNumberText : operand, depth - 1);
  }
  return random_.Chance(60) ? "(" + text + ")" : text;
}

std::string ExpressionWriter::Call(const char* name, std::initializer_list<Kind> arguments,
                                   int depth) {
  std::string text = IsWild() && random_.Chance(30) ? random_.Pick(kUnknownFunctions) : name;
  text += "(";
  for (const Kind argument : arguments) {
    if (text.back() != '(') text += "," + Gap();
    text += Write(argument, depth - 1);
  }
  if (IsWild()) text += text.back() == '(' ? "1" : ", 1";
  return text + ")";
}

std::string ExpressionWriter::SmallCall(const char* name, const std::string& arguments) {
  return std::string(name) + "(" + arguments + ")";
}

std::string ExpressionWriter::Int(int depth) {
  static constexpr const char* kToInt[] = {"to_int", "to_integer", "to_long", "to_number"};
  switch (random_.Below(18)) {
    case 0:
    case 1:
    case 2:
      return Chain(Kind::kInt, kSums, std::size(kSums), depth);
    case 3:
    case 4:
      return Chain(Kind::kInt, kProducts, std::size(kProducts), depth);
    case 5:
      return "-" + Write(random_.Chance(80) ? Kind::kInt : Kind::kNumberText, 0);
    case 6:
      return Call(random_.Chance(50) ? "length" : "len", {Kind::kText}, depth);
    case 7:
      return Call("count", {Kind::kArray}, depth);
    case 8:
    case 9: {
      static constexpr Kind kKinds[] = {Kind::kNumberText, Kind::kInt, Kind::kReal, Kind::kBool};
      return Call(random_.Pick(kToInt), {random_.Pick(kKinds)}, depth);
    }
    case 10:
      return Call("index_of", {Kind::kText, Kind::kText}, depth);
    case 11:
      return SmallCall("mod", Write(Kind::kInt, depth - 1) + ", " + SmallInt(0, 7));
    case 12:
      return Call(random_.Chance(50) ? "min" : "max", {Kind::kInt, Kind::kInt}, depth);
    case 13:
      return Call("abs", {Kind::kInt}, depth);
    case 14:
      return Call(random_.Chance(50) ? "revision" : "rev", {AnyKind()}, depth);
    case 15:
      return Call("expires", {AnyKind()}, depth) + " - " +
             (random_.Chance(50) ? "hlc()" : "current_time()");
    case 16:
      return Write(Kind::kArray, 0) + "[" + SmallInt(0, 2) + "]";
    default:
      return random_.Chance(50) ? "hlc_counter()" : "-" + SmallInt(1, 9);
  }
}

std::string ExpressionWriter::Real(int depth) {
  switch (random_.Below(11)) {
    case 0:
    case 1:
      return Chain(Kind::kReal, kSums, std::size(kSums), depth);
    case 2:
      return Chain(Kind::kReal, kProducts, std::size(kProducts), depth);
    case 3:
      return Call("pow", {Kind::kInt, Kind::kInt}, depth);
    case 4:
      return SmallCall("round", Write(Kind::kReal, depth - 1) + ", " + SmallInt(0, 3));
    case 5:
      return Call(random_.Chance(50) ? "ceil" : "floor", {Kind::kReal}, depth);
    case 6:
      return Call(random_.Chance(50) ? "to_double" : "to_float", {Kind::kNumberText}, depth);
    case 7:
      return Call(random_.Chance(50) ? "min" : "max", {Kind::kInt, Kind::kReal}, depth);
    case 8:
      return Call("abs", {Kind::kReal}, depth);
    case 9:
      return "-" + Write(Kind::kReal, 0);
    default:
      return SmallCall("round", Write(Kind::kInt, 0) + " / 2.0, " + SmallInt(-1, 16));
  }
}

std::string ExpressionWriter::Guard() {
  static constexpr const char* kNames[] = {"found", "set", "deleted", "extended"};
  const std::size_t guard = random_.Below(4);
  const bool is_known = ((guards_ >> guard) & 1) != 0;
  if (!is_known && !IsWild()) return "true";
  if (guard < 2 && random_.Chance(30)) return std::string("!") + kNames[guard];
  return std::string("not ") + kNames[guard];
}

std::string ExpressionWriter::Comparison(int depth) {
  const Kind kind = random_.Chance(70) ? Kind::kInt : Kind::kReal;
  const Kind other = random_.Chance(80) ? kind : Kind::kNumberText;
  const bool is_order = random_.Chance(50);
  const std::string op = is_order ? random_.Pick(kOrders) : random_.Pick(kEqualities);
  const std::string left = Write(kind, depth - 1);
  const std::string right = Write(other, depth - 1);
  return random_.Chance(50) ? left + Gap() + op + Gap() + right : right + " " + op + " " + left;
}

std::string ExpressionWriter::Bool(int depth) {
  static constexpr const char* kAnd[] = {"&&"};
  static constexpr const char* kOr[] = {"||"};
  switch (random_.Below(14)) {
    case 0:
    case 1:
    case 2:
      return Comparison(depth);
    case 3:
      return Write(Kind::kText, depth - 1) + " == " + Write(Kind::kText, depth - 1);
    case 4:
      return Write(AnyKind(), depth - 1) + (random_.Chance(50) ? " == null" : " != null");
    case 5:
      return (random_.Chance(50) ? "not " : "!") + Write(Kind::kBool, 0);
    case 6:
      return Chain(Kind::kBool, kAnd, 1, depth);
    case 7:
      return Chain(Kind::kBool, kOr, 1, depth);
    case 8:
      return Call(random_.Pick(kTypeTests), {AnyKind()}, depth);
    case 9:
      return Call(random_.Chance(50) ? "starts_with" : "ends_with", {Kind::kText, Kind::kText},
                  depth);
    case 10:
      return SmallCall("nearly_equals", Write(Kind::kReal, depth - 1) + ", " +
                                            Write(Kind::kReal, 0) + ", " + Write(Kind::kReal, 0));
    case 11:
      return Call(random_.Chance(50) ? "to_bool" : "to_boolean",
                  {random_.Chance(50) ? Kind::kText : Kind::kInt}, depth);
    case 12:
      return random_.Chance(80) ? Guard() : Call("truncated", {Kind::kArray}, depth);
    default:
      return Guard();
  }
}

std::string ExpressionWriter::Text(int depth) {
  switch (random_.Below(12)) {
    case 0:
    case 1:
      return Call("concat", {Kind::kText, Kind::kText}, depth);
    case 2:
      return Call(random_.Chance(50) ? "upper" : "lower", {Kind::kText}, depth);
    case 3:
      return SmallCall("substring", Write(Kind::kText, depth - 1) + ", " + SmallInt(0, 1));
    case 4:
      return SmallCall("substring", Write(Kind::kText, depth - 1) + ", " + SmallInt(0, 1) + ", " +
                                        (random_.Chance(80) ? SmallInt(0, 2) : "1.0"));
    case 5:
      return Call("trim", {Kind::kText}, depth);
    case 6:
    case 7: {
      static constexpr Kind kKinds[] = {Kind::kInt, Kind::kReal, Kind::kBool, Kind::kNull,
                                        Kind::kNumberText};
      return Call(random_.Chance(50) ? "to_str" : "to_string", {random_.Pick(kKinds)}, depth);
    }
    case 8:
      return Call("to_json", {AnyKind()}, depth);
    case 9:
      return Call("join", {Kind::kArray, Kind::kText}, depth);
    case 10:
      return SmallCall("split", Write(Kind::kText, depth - 1) + ", ','") + "[0]";
    default:
      return Write(Kind::kNumberText, 0);
  }
}

std::string ExpressionWriter::Array(int depth) {
  switch (random_.Below(8)) {
    case 0:
    case 1:
      return SmallInt(-2, 3) + ".." + SmallInt(0, 5);
    case 2:
      return SmallCall("split", Write(Kind::kText, depth - 1) + ", " + Write(Kind::kText, 0));
    case 3:
      return random_.ChancePerMille(20) ? "1..100001" : "[]";
    case 4:
      return "[" + Write(Kind::kArray, depth - 1) + ", " + Write(AnyKind(), depth - 1) + "]";
    default: {
      std::string text = "[" + Write(AnyKind(), depth - 1);
      for (std::size_t more = random_.Below(3); more > 0; --more) {
        text += "," + Gap() + Write(AnyKind(), depth - 1);
      }
      return text + "]";
    }
  }
}

}  // namespace palena::twin
