#include "script/operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>

#include "base/limits.h"
#include "values.h"

namespace palena::script {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One value of each kind, in the order of the tables below: integer, float, numeric text, other
// text, a counter from the store, boolean, null, array.
std::vector<Value> OneOfEach(Evaluation& e) {
  Value array;
  EXPECT_TRUE(Range(e, I(1), I(2), array));
  return {I(6), D(2.5), S("4"), S("abc"), C(4), B(true), N(), array};
}

// A row per left operand, a column per right operand; x is "Invalid operands: …".
void ExpectTable(BinaryOperator op, const std::string& symbol, const std::string& table) {
  Evaluation e;
  const std::vector<Value> values = OneOfEach(e);
  std::istringstream cells(table);
  for (const Value& a : values) {
    for (const Value& b : values) {
      std::string expected;
      ASSERT_TRUE(cells >> expected);
      const std::string pair =
          std::string(TypeName(a.type)) + " " + symbol + " " + std::string(TypeName(b.type));
      if (expected == "x") expected = "Invalid operands: " + pair;
      EXPECT_EQ(Apply(op, a, b), expected) << Show(e, a) << symbol << Show(e, b);
    }
  }
}

TEST(OperatorTableTest, Plus) {
  ExpectTable(Add, "+",
              "12   8.5d 10   x 10   x x x "
              "8.5d 5d   6.5d x 6.5d x x x "
              "10   6.5d x    x x    x x x "
              "x    x    x    x x    x x x "
              "10   6.5d x    x x    x x x "
              "x    x    x    x x    x x x "
              "x    x    x    x x    x x x "
              "x    x    x    x x    x x x ");
}

TEST(OperatorTableTest, Minus) {
  ExpectTable(Subtract, "-",
              "0     3.5d 2     x 2     x x x "
              "-3.5d 0d   -1.5d x -1.5d x x x "
              "-2    1.5d x     x x     x x x "
              "x     x    x     x x     x x x "
              "-2    1.5d x     x x     x x x "
              "x     x    x     x x     x x x "
              "x     x    x     x x     x x x "
              "x     x    x     x x     x x x ");
}

TEST(OperatorTableTest, Times) {
  ExpectTable(Multiply, "*",
              "36  15d   24  x 24  x x x "
              "15d 6.25d 10d x 10d x x x "
              "24  10d   x   x x   x x x "
              "x   x     x   x x   x x x "
              "24  10d   x   x x   x x x "
              "x   x     x   x x   x x x "
              "x   x     x   x x   x x x "
              "x   x     x   x x   x x x ");
}

TEST(OperatorTableTest, DividedBy) {
  ExpectTable(Divide, "/",
              "1                    2.4d 1      x 1      x x x "
              "0.4166666666666667d  1d   0.625d x 0.625d x x x "
              "0                    1.6d x      x x      x x x "
              "x                    x    x      x x      x x x "
              "0                    1.6d x      x x      x x x "
              "x                    x    x      x x      x x x "
              "x                    x    x      x x      x x x "
              "x                    x    x      x x      x x x ");
}

TEST(OperatorTableTest, Equals) {
  ExpectTable(Equal, "==",
              "true  false false x     false x     false x "
              "false true  false x     false x     false x "
              "false false true  false true  x     false x "
              "x     x     false true  false x     false x "
              "false false true  false true  x     false x "
              "x     x     x     x     x     true  false x "
              "false false false false false false true  false "
              "x     x     x     x     x     x     false x ");
}

TEST(OperatorTableTest, NotEqualsIsTheNegation) {
  ExpectTable(NotEqual, "!=",
              "false true  true  x     true  x     true  x "
              "true  false true  x     true  x     true  x "
              "true  true  false true  false x     true  x "
              "x     x     true  false true  x     true  x "
              "true  true  false true  false x     true  x "
              "x     x     x     x     x     false true  x "
              "true  true  true  true  true  true  false true "
              "x     x     x     x     x     x     true  x ");
}

TEST(OperatorTableTest, LessThan) {
  ExpectTable(Less, "<",
              "false false false x false x x x "
              "true  false true  x true  x x x "
              "true  false x     x x     x x x "
              "x     x     x     x x     x x x "
              "true  false x     x x     x x x "
              "x     x     x     x x     x x x "
              "x     x     x     x x     x x x "
              "x     x     x     x x     x x x ");
}

TEST(OperatorTableTest, AtMost) {
  ExpectTable(LessEqual, "<=",
              "true  false false x false x x x "
              "true  true  true  x true  x x x "
              "true  false x     x x     x x x "
              "x     x     x     x x     x x x "
              "true  false x     x x     x x x "
              "x     x     x     x x     x x x "
              "x     x     x     x x     x x x "
              "x     x     x     x x     x x x ");
}

TEST(OperatorTableTest, GreaterThan) {
  ExpectTable(Greater, ">",
              "false true  true  x true  x x x "
              "false false false x false x x x "
              "false true  x     x x     x x x "
              "x     x     x     x x     x x x "
              "false true  x     x x     x x x "
              "x     x     x     x x     x x x "
              "x     x     x     x x     x x x "
              "x     x     x     x x     x x x ");
}

TEST(OperatorTableTest, AtLeast) {
  ExpectTable(GreaterEqual, ">=",
              "true  true  true  x true  x x x "
              "false true  false x false x x x "
              "false true  x     x x     x x x "
              "x     x     x     x x     x x x "
              "false true  x     x x     x x x "
              "x     x     x     x x     x x x "
              "x     x     x     x x     x x x "
              "x     x     x     x x     x x x ");
}

TEST(OperatorTableTest, RangeTakesIntegersOnly) {
  Evaluation e;
  const std::vector<Value> values = OneOfEach(e);
  for (const Value& a : values) {
    for (const Value& b : values) {
      if (a.type == ValueType::kLong && b.type == ValueType::kLong) continue;
      EXPECT_EQ(Apply(Range, a, b),
                "Invalid operands for range operator: " + std::string(TypeName(a.type)) + " - " +
                    std::string(TypeName(b.type)));
    }
  }
}

TEST(ArithmeticTest, DividesIntegersTowardZero) {
  EXPECT_EQ(Apply(Divide, I(-7), I(2)), "-3");
  EXPECT_EQ(Apply(Divide, I(7), I(-2)), "-3");
  EXPECT_EQ(Apply(Divide, I(9), S("0.5")), "18d");
}

TEST(ArithmeticTest, ReadsBlanksAndSignInNumericText) {
  EXPECT_EQ(Apply(Add, S(" +8 "), I(34)), "42");
  EXPECT_EQ(Apply(Add, S("1e3"), I(1)), "1001d");
  EXPECT_EQ(Apply(Add, S("9223372036854775807"), I(0)), "9223372036854775807");
  EXPECT_EQ(Apply(Add, S(""), I(1)), "Invalid operands: StringType + LongType");
}

TEST(ArithmeticTest, NeverAddsTwoTextsEvenIfBothAreCounters) {
  EXPECT_EQ(Apply(Add, C(1), C(2)), "Invalid operands: StringType + StringType");
  EXPECT_EQ(Apply(Less, C(1), S("2")), "Invalid operands: StringType < StringType");
}

TEST(ArithmeticTest, MakesNoTextOfCounters) {
  Evaluation e;
  Value out;
  ASSERT_TRUE(Add(e, C(41), I(1), out));
  ASSERT_TRUE(Equal(e, C(41), I(41), out));
  ASSERT_TRUE(Equal(e, C(41), S("41"), out));
  ASSERT_TRUE(Less(e, C(41), I(42), out));
  EXPECT_TRUE(out.boolean);
  EXPECT_EQ(e.arena().used_bytes(), 0u);
}

TEST(ArithmeticTest, GivesFreshValues) {
  Evaluation e;
  Value stored = C(5);
  stored.revision = 7;
  stored.expires_ms = 9;
  stored.origin = 2;
  ASSERT_TRUE(Add(e, stored, I(0), stored));
  EXPECT_EQ(stored.revision, model::kNoRevision);
  EXPECT_EQ(stored.expires_ms, model::kNoExpiry);
  EXPECT_EQ(stored.origin, 0);
}

TEST(ArithmeticTest, NegatesNumbersAndNumericText) {
  Evaluation e;
  Value out;
  ASSERT_TRUE(Negate(e, S("5"), out));
  EXPECT_EQ(Show(e, out), "-5");
  ASSERT_TRUE(Negate(e, D(0), out));
  EXPECT_EQ(Show(e, out), "-0d");
  ASSERT_TRUE(Negate(e, C(-4), out));
  EXPECT_EQ(Show(e, out), "4");
  EXPECT_FALSE(Negate(e, N(), out));
  EXPECT_EQ(e.error().message, "Invalid operands: - NullType");
  EXPECT_FALSE(Negate(e, S("abc"), out));
}

TEST(BlameTest, NamesTheOperandThatIsNoNumber) {
  Evaluation e;
  Value good = S("5"), bad = S("five"), out;
  good.origin = 1;
  bad.origin = 2;
  EXPECT_FALSE(Add(e, I(1), bad, out));
  EXPECT_EQ(e.culprit_origin(), 2);
  EXPECT_FALSE(Add(e, good, N(), out));
  EXPECT_EQ(e.culprit_origin(), 0);
  EXPECT_FALSE(Less(e, good, C(1), out));
  EXPECT_EQ(e.culprit_origin(), 1);
}

TEST(BlameTest, NamesTheZeroDivisor) {
  Evaluation e;
  Value zero = S("0"), out;
  zero.origin = 4;
  EXPECT_FALSE(Divide(e, I(1), zero, out));
  EXPECT_EQ(e.error().message, "Division by zero");
  EXPECT_EQ(e.culprit_origin(), 4);
}

TEST(EqualityTest, ComparesTextsByteForByte) {
  EXPECT_EQ(Apply(Equal, S("A"), S("a")), "false");
  EXPECT_EQ(Apply(Equal, S("1"), S("1.0")), "false");
  EXPECT_EQ(Apply(Equal, I(1), S("1.0")), "true");
  EXPECT_EQ(Apply(Equal, C(7), S("7")), "true");
  EXPECT_EQ(Apply(Equal, C(7), S("07")), "false");
  EXPECT_EQ(Apply(Equal, S(""), S("")), "true");
}

TEST(EqualityTest, IsExact) {
  EXPECT_EQ(Apply(Equal, I(1), D(1.0005)), "false");
  EXPECT_EQ(Apply(Equal, I(9007199254740993), D(9007199254740992.0)), "false");
  EXPECT_EQ(Apply(Equal, I(kMax), D(9223372036854775808.0)), "false");
  EXPECT_EQ(Apply(Equal, I(kMin), D(-9223372036854775808.0)), "true");
  EXPECT_EQ(Apply(Equal, D(0.0), D(-0.0)), "true");
}

TEST(OrderingTest, IsTheSameOverIntegersAndFloats) {
  EXPECT_EQ(Apply(Less, I(kMax), D(9223372036854775808.0)), "true");
  EXPECT_EQ(Apply(Greater, D(1e300), I(kMax)), "true");
  EXPECT_EQ(Apply(Less, D(-kInfinity), I(kMin)), "true");
  EXPECT_EQ(Apply(Less, I(2), D(2.5)), "true");
  EXPECT_EQ(Apply(Greater, I(-2), D(-2.5)), "true");
  EXPECT_EQ(Apply(Less, D(-2.5), I(-2)), "true");
}

TEST(OrderingTest, IsFalseForNaN) {
  for (const BinaryOperator op : {Less, LessEqual, Greater, GreaterEqual, Equal}) {
    EXPECT_EQ(Apply(op, D(kNaN), D(kNaN)), "false");
    EXPECT_EQ(Apply(op, I(1), D(kNaN)), "false");
    EXPECT_EQ(Apply(op, D(kNaN), I(1)), "false");
  }
  EXPECT_EQ(Apply(NotEqual, D(kNaN), D(kNaN)), "true");
}

TEST(ConditionTest, TakesBooleansOnly) {
  Evaluation e;
  const std::vector<Value> values = OneOfEach(e);
  for (const Value& value : values) {
    bool condition = false;
    Value out;
    const bool is_boolean = value.type == ValueType::kBool;
    EXPECT_EQ(Condition(e, value, condition), is_boolean);
    EXPECT_EQ(Not(e, value, out), is_boolean);
    if (is_boolean) continue;
    EXPECT_EQ(e.error().message, "expected a boolean, found " + std::string(TypeName(value.type)));
  }
}

TEST(ConditionTest, NotInverts) {
  Evaluation e;
  Value out;
  ASSERT_TRUE(Not(e, B(false), out));
  EXPECT_TRUE(out.boolean);
  ASSERT_TRUE(Not(e, out, out));
  EXPECT_FALSE(out.boolean);
}

TEST(RangeTest, IncludesBothEndsAndMakesNoElements) {
  Evaluation e;
  Value range;
  ASSERT_TRUE(Range(e, I(1), I(100'000), range));
  EXPECT_EQ(range.array->count, 100'000u);
  EXPECT_EQ(range.array->elements, nullptr);
  EXPECT_LT(e.arena().used_bytes(), 100u);
  EXPECT_EQ(Apply(Range, I(5), I(5)), "[5]");
  EXPECT_EQ(Apply(Range, I(-1), I(1)), "[-1,0,1]");
}

TEST(RangeTest, IsEmptyWhenReversed) {
  EXPECT_EQ(Apply(Range, I(10), I(1)), "[]");
}

TEST(RangeTest, RefusesTooManyElementsWithoutOverflow) {
  EXPECT_EQ(Apply(Range, I(1), I(100'001)), "Too many array elements: 1..100001, at most 100000");
  EXPECT_EQ(Apply(Range, I(kMin), I(kMax)).substr(0, 24), "Too many array elements:");
  EXPECT_EQ(Apply(Range, I(kMax), I(kMax)), "[9223372036854775807]");
  EXPECT_EQ(Apply(Range, I(kMax), I(kMin)), "[]");
}

TEST(IndexTest, CoercesWholeNumbers) {
  Evaluation e;
  Value range;
  ASSERT_TRUE(Range(e, I(10), I(14), range));
  for (const Value& index : {I(4), D(4), S("4"), C(4)}) {
    EXPECT_EQ(Apply(Index, range, index), "14");
  }
}

TEST(IndexTest, RefusesEveryOtherIndex) {
  Evaluation e;
  Value range;
  ASSERT_TRUE(Range(e, I(1), I(3), range));
  EXPECT_EQ(Apply(Index, range, I(3)), "Invalid index: 3 in an array of 3");
  EXPECT_EQ(Apply(Index, range, I(-1)), "Invalid index: -1 in an array of 3");
  EXPECT_EQ(Apply(Index, range, I(kMin)), "Invalid index: -9223372036854775808 in an array of 3");
  EXPECT_EQ(Apply(Index, range, D(1.5)), "Invalid index: 1.5 in an array of 3");
  EXPECT_EQ(Apply(Index, range, S("")), "Invalid index: '' in an array of 3");
  EXPECT_EQ(Apply(Index, range, N()), "Invalid index: NullType in an array of 3");
  EXPECT_EQ(Apply(Index, range, range), "Invalid index: ArrayType in an array of 3");
}

TEST(IndexTest, NeedsAnArray) {
  Evaluation e;
  for (const Value& value : OneOfEach(e)) {
    if (value.type == ValueType::kArray) continue;
    EXPECT_EQ(Apply(Index, value, I(0)),
              "Expression to index must be an array: Found: " + std::string(TypeName(value.type)));
  }
}

TEST(IndexTest, KeepsWhatTheElementCarries) {
  Evaluation e;
  Value element = C(5), array;
  element.revision = 3;
  element.expires_ms = 1000;
  ASSERT_TRUE(MakeArray(e, &element, 1, array));
  ASSERT_TRUE(Index(e, array, I(0), array));
  EXPECT_EQ(array.revision, 3);
  EXPECT_EQ(array.expires_ms, 1000);
}

TEST(MakeArrayTest, CopiesItsElements) {
  Evaluation e;
  Value elements[] = {I(1), S("b"), N()};
  Value array;
  ASSERT_TRUE(MakeArray(e, elements, 3, array));
  elements[0] = I(9);
  EXPECT_EQ(Show(e, array), "[1,\"b\",null]");
}

TEST(MakeArrayTest, RefusesNestingBeyondTheLimit) {
  Evaluation e;
  Value array;
  ASSERT_TRUE(MakeArray(e, nullptr, 0, array));
  for (int depth = 2; depth <= base::kNestingDepthMax; ++depth) {
    ASSERT_TRUE(MakeArray(e, &array, 1, array));
  }
  EXPECT_EQ(array.array->depth, base::kNestingDepthMax);
  std::string_view text;
  EXPECT_TRUE(JsonText(e, array, text));
  EXPECT_FALSE(MakeArray(e, &array, 1, array));
  EXPECT_EQ(e.error().message, "Nesting too deep");
  EXPECT_EQ(e.error().code, model::Code::kLimit);
}

TEST(MakeArrayTest, RefusesTooManyElementsAndTooMuchMemory) {
  Evaluation e;
  Value array;
  const std::vector<Value> many(base::kArrayElementsMax + 1);
  EXPECT_FALSE(MakeArray(e, many.data(), many.size(), array));
  EXPECT_EQ(e.error().message, "Too many array elements: 100001, at most 100000");
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(MakeArray(e, many.data(), 100'000, array));
  EXPECT_FALSE(MakeArray(e, many.data(), 100'000, array));
  EXPECT_EQ(e.error().message, "Script memory limit exceeded: 16777216");
}

}  // namespace
}  // namespace palena::script
