// Integers and floats at their edges: each of these is a trap, undefined behaviour or a silent
// wrong answer in plain C++. Each must be the typed error or the exact answer in the table.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "script/operators.h"
#include "values.h"

namespace palena::script {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr char kOverflow[] = "Integer overflow";
constexpr char kZeroDivisor[] = "Division by zero";
constexpr char kMinText[] = "-9223372036854775808";
constexpr char kMaxText[] = "9223372036854775807";

struct OperatorCase {
  const char* name;
  BinaryOperator op;
  Value a;
  Value b;
  std::string expected;
};

void PrintTo(const OperatorCase& c, std::ostream* out) {
  *out << c.name;
}

const OperatorCase kOperatorCases[] = {
    {"integer by zero", Divide, I(1), I(0), kZeroDivisor},
    {"zero by zero", Divide, I(0), I(0), kZeroDivisor},
    {"minimum by zero", Divide, I(kMin), I(0), kZeroDivisor},
    {"float by zero", Divide, D(1), D(0), kZeroDivisor},
    {"float by minus zero", Divide, D(1), D(-0.0), kZeroDivisor},
    {"NaN by zero", Divide, D(kNaN), I(0), kZeroDivisor},
    {"infinity by zero", Divide, D(kInfinity), I(0), kZeroDivisor},
    {"integer by float zero", Divide, I(1), D(0), kZeroDivisor},
    {"float by integer zero", Divide, D(1), I(0), kZeroDivisor},
    {"integer by text zero", Divide, I(5), S("0"), kZeroDivisor},
    {"integer by text 0.0", Divide, I(5), S("0.0"), kZeroDivisor},
    {"integer by text -0", Divide, I(5), S("-0"), kZeroDivisor},
    {"text by zero", Divide, S("5"), I(0), kZeroDivisor},
    {"counter by zero", Divide, C(5), I(0), kZeroDivisor},
    {"integer by counter zero", Divide, I(5), C(0), kZeroDivisor},
    {"minimum by -1", Divide, I(kMin), I(-1), kOverflow},
    {"minimum by text -1", Divide, I(kMin), S("-1"), kOverflow},
    {"text minimum by -1", Divide, S(kMinText), I(-1), kOverflow},
    {"counter minimum by -1", Divide, C(kMin), I(-1), kOverflow},
    {"minimum by 1", Divide, I(kMin), I(1), kMinText},
    {"maximum by -1", Divide, I(kMax), I(-1), "-9223372036854775807"},
    {"minimum by -1.0", Divide, I(kMin), D(-1), "9.223372036854776E+18d"},
    {"minimum times -1", Multiply, I(kMin), I(-1), kOverflow},
    {"-1 times minimum", Multiply, I(-1), I(kMin), kOverflow},
    {"minimum times text -1", Multiply, I(kMin), S("-1"), kOverflow},
    {"maximum times 2", Multiply, I(kMax), I(2), kOverflow},
    {"2^62 times 4", Multiply, I(std::int64_t{1} << 62), I(4), kOverflow},
    {"minimum times 0", Multiply, I(kMin), I(0), "0"},
    {"1E308 times 10", Multiply, D(1e308), I(10), "Infinityd"},
    {"maximum plus 1", Add, I(kMax), I(1), kOverflow},
    {"text maximum plus 1", Add, S(kMaxText), I(1), kOverflow},
    {"counter maximum plus 1", Add, C(kMax), I(1), kOverflow},
    {"1 plus counter maximum", Add, I(1), C(kMax), kOverflow},
    {"minimum plus -1", Add, I(kMin), I(-1), kOverflow},
    {"maximum plus minimum", Add, I(kMax), I(kMin), "-1"},
    {"2^31-1 plus 1", Add, I(2147483647), I(1), "2147483648"},
    {"text 2^63 plus 0", Add, S("9223372036854775808"), I(0), "9.223372036854776E+18d"},
    {"text 1e400 plus 1", Add, S("1e400"), I(1), "Invalid operands: StringType + LongType"},
    {"text 12abc plus 1", Add, S("12abc"), I(1), "Invalid operands: StringType + LongType"},
    {"text NaN plus 1", Add, S("NaN"), I(1), "Invalid operands: StringType + LongType"},
    {"text inf plus 1", Add, S("inf"), I(1), "Invalid operands: StringType + LongType"},
    {"text 0x10 plus 1", Add, S("0x10"), I(1), "Invalid operands: StringType + LongType"},
    {"blank plus 1", Add, S(" "), I(1), "Invalid operands: StringType + LongType"},
    {"minimum minus 1", Subtract, I(kMin), I(1), kOverflow},
    {"0 minus minimum", Subtract, I(0), I(kMin), kOverflow},
    {"-1 minus minimum", Subtract, I(-1), I(kMin), kMaxText},
    {"infinity minus infinity", Subtract, D(kInfinity), D(kInfinity), "NaNd"},
    {"NaN equals NaN", Equal, D(kNaN), D(kNaN), "false"},
    {"NaN differs from NaN", NotEqual, D(kNaN), D(kNaN), "true"},
    {"integer below NaN", Less, I(1), D(kNaN), "false"},
    {"integer at most NaN", LessEqual, I(1), D(kNaN), "false"},
    {"NaN at least integer", GreaterEqual, D(kNaN), I(1), "false"},
    {"maximum below infinity", Less, I(kMax), D(kInfinity), "true"},
    {"minimum above -infinity", Greater, I(kMin), D(-kInfinity), "true"},
    {"maximum equals 2^63", Equal, I(kMax), D(kTwoTo63), "false"},
    {"maximum below 2^63", Less, I(kMax), D(kTwoTo63), "true"},
    {"integer equals text 1e400", Equal, I(1), S("1e400"),
     "Invalid operands: LongType == StringType"},
    {"range at the maximum", Range, I(kMax), I(kMax), "[9223372036854775807]"},
    {"range at the minimum", Range, I(kMin), I(kMin), "[-9223372036854775808]"},
    {"range up to the maximum", Range, I(kMax - 1), I(kMax),
     "[9223372036854775806,9223372036854775807]"},
    {"range of everything", Range, I(kMin), I(kMax),
     "Too many array elements: -9223372036854775808..9223372036854775807, at most 100000"},
    {"range of two thousand million", Range, I(1), I(2'000'000'000),
     "Too many array elements: 1..2000000000, at most 100000"},
    {"range reversed over everything", Range, I(kMax), I(kMin), "[]"},
};

class OperatorHazardTest : public testing::TestWithParam<OperatorCase> {};

TEST_P(OperatorHazardTest, AnswersExactlyOrRefuses) {
  const OperatorCase& c = GetParam();
  EXPECT_EQ(Apply(c.op, c.a, c.b), c.expected);
}

INSTANTIATE_TEST_SUITE_P(All, OperatorHazardTest, testing::ValuesIn(kOperatorCases));

struct FunctionCase {
  const char* function;
  std::vector<Value> arguments;
  std::string expected;
};

void PrintTo(const FunctionCase& c, std::ostream* out) {
  *out << c.function;
}

std::vector<FunctionCase> FunctionCases() {
  return {
      {"abs", {I(kMin)}, kOverflow},
      {"abs", {I(kMin + 1)}, kMaxText},
      {"abs", {D(-kInfinity)}, "Infinityd"},
      {"abs", {D(-0.0)}, "0d"},
      {"mod", {I(kMin), I(-1)}, "0"},
      {"mod", {I(1), I(0)}, kZeroDivisor},
      {"mod", {I(kMin), I(0)}, kZeroDivisor},
      {"to_int", {D(kTwoTo63)}, "Cannot cast double value 9.223372036854776E+18 to int"},
      {"to_int", {D(-kTwoTo63)}, kMinText},
      {"to_int", {D(1e300)}, "Cannot cast double value 1E+300 to int"},
      {"to_int", {D(-1e300)}, "Cannot cast double value -1E+300 to int"},
      {"to_int", {D(kNaN)}, "Cannot cast double value NaN to int"},
      {"to_int", {D(kInfinity)}, "Cannot cast double value Infinity to int"},
      {"to_int", {D(-0.9)}, "0"},
      {"to_int",
       {S("9223372036854775808")},
       "Cannot cast string value '9223372036854775808' to int"},
      {"to_int", {S(kMinText)}, kMinText},
      {"to_int", {S("12abc")}, "Cannot cast string value '12abc' to int"},
      {"to_int", {S("1e400")}, "Cannot cast string value '1e400' to int"},
      {"to_double", {S("1e400")}, "Cannot cast string value '1e400' to double"},
      {"to_double", {S("-1e400")}, "Cannot cast string value '-1e400' to double"},
      {"to_double", {S("12abc")}, "Cannot cast string value '12abc' to double"},
      {"to_double", {S("NaN")}, "Cannot cast string value 'NaN' to double"},
      {"to_double", {I(kMax)}, "9.223372036854776E+18d"},
      {"to_bool", {D(kNaN)}, "true"},
      {"round", {D(1e308), I(15)}, "1E+308d"},
      {"round", {D(kNaN), I(2)}, "NaNd"},
      {"round", {D(kInfinity), I(2)}, "Infinityd"},
      {"round", {D(-0.4), I(0)}, "-0d"},
      {"round",
       {D(1), I(kMin)},
       "Invalid value for digits: -9223372036854775808, it must be 0 to 15"},
      {"round", {I(kMin), I(0)}, "-9.223372036854776E+18d"},
      {"pow", {I(10), I(400)}, "Infinityd"},
      {"pow", {I(0), I(-1)}, "Infinityd"},
      {"pow", {I(-1), D(0.5)}, "NaNd"},
      {"min", {I(kMin), I(kMax)}, kMinText},
      {"max", {D(kNaN), D(kInfinity)}, "NaNd"},
      {"nearly_equals", {I(kMin), I(kMax), I(0)}, "false"},
      {"nearly_equals", {I(kMax), I(kMax - 1), I(0)}, "false"},
      {"nearly_equals", {D(kInfinity), D(kInfinity), I(0)}, "true"},
      {"nearly_equals", {D(kNaN), D(kNaN), D(kInfinity)}, "false"},
      {"nearly_equals", {I(1), I(1), D(kNaN)}, "Invalid tolerance: NaN, it must not be negative"},
      {"substring",
       {S("abc"), I(kMax)},
       "Substring start out of range: 9223372036854775807, the text has 3 characters"},
      {"substring",
       {S("abc"), I(kMin)},
       "Substring start out of range: -9223372036854775808, the text has 3 characters"},
      {"substring",
       {S("abc"), I(1), I(kMax)},
       "Substring length out of range: 9223372036854775807, the text has 3 characters"},
      {"substring",
       {S("abc"), I(3), I(-1)},
       "Substring length out of range: -1, the text has 3 characters"},
      {"substring", {S("abc"), D(1e300)}, "Invalid substring position: 1E+300"},
      {"substring", {S("abc"), D(kNaN)}, "Invalid substring position: NaN"},
  };
}

class FunctionHazardTest : public testing::TestWithParam<FunctionCase> {};

TEST_P(FunctionHazardTest, AnswersExactlyOrRefuses) {
  EXPECT_EQ(Call(GetParam().function, GetParam().arguments), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(All, FunctionHazardTest, testing::ValuesIn(FunctionCases()));

TEST(NegateHazardTest, RefusesTheMinimumInEveryForm) {
  for (const Value& value : {I(kMin), S(kMinText), C(kMin)}) {
    Evaluation e;
    Value out;
    EXPECT_FALSE(Negate(e, value, out));
    EXPECT_EQ(e.error().message, kOverflow);
  }
}

TEST(StatementArgumentHazardTest, TakesThe64BitEdgesAndNothingBeyond) {
  EXPECT_EQ(WholeNumber(S(kMaxText)), kMax);
  EXPECT_EQ(WholeNumber(S(kMinText)), kMin);
  EXPECT_EQ(WholeNumber(S("9223372036854775808")), std::nullopt);
  EXPECT_EQ(WholeNumber(D(kTwoTo63)), std::nullopt);
  EXPECT_EQ(WholeNumber(D(-kTwoTo63)), kMin);
  EXPECT_EQ(WholeNumber(S("1e400")), std::nullopt);
}

}  // namespace
}  // namespace palena::script
