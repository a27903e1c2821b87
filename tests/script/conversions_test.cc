#include "script/conversions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/limits.h"
#include "script/characters.h"
#include "script/operators.h"
#include "values.h"

namespace palena::script {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DoubleTextTest, IsTheShortestTextThatReadsBackTheSame) {
  EXPECT_EQ(DoubleText(3.0), "3");
  EXPECT_EQ(DoubleText(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(DoubleText(123456000.0), "123456000");
  EXPECT_EQ(DoubleText(-2.5), "-2.5");
  EXPECT_EQ(DoubleText(0.0), "0");
  EXPECT_EQ(DoubleText(-0.0), "-0");
}

TEST(DoubleTextTest, TakesExponentFormFrom15AndBelowMinus4) {
  EXPECT_EQ(DoubleText(999999999999999.9), "999999999999999.9");
  EXPECT_EQ(DoubleText(1e15), "1E+15");
  EXPECT_EQ(DoubleText(1.5e20), "1.5E+20");
  EXPECT_EQ(DoubleText(-1e100), "-1E+100");
  EXPECT_EQ(DoubleText(0.0001), "0.0001");
  EXPECT_EQ(DoubleText(0.00001), "1E-05");
  EXPECT_EQ(DoubleText(-1.7976931348623157e308), "-1.7976931348623157E+308");
  EXPECT_EQ(DoubleText(5e-324), "5E-324");
}

TEST(DoubleTextTest, NamesWhatIsNotFinite) {
  EXPECT_EQ(DoubleText(std::nan("")), "NaN");
  EXPECT_EQ(DoubleText(kInfinity), "Infinity");
  EXPECT_EQ(DoubleText(-kInfinity), "-Infinity");
}

TEST(ParseNumberTest, ReadsIntegersWithBlanksAndSign) {
  EXPECT_EQ(ParseInteger("42"), 42);
  EXPECT_EQ(ParseInteger("-3"), -3);
  EXPECT_EQ(ParseInteger("+7"), 7);
  EXPECT_EQ(ParseInteger(" \t\r\n\f\v15 \t\r\n\f\v"), 15);
  EXPECT_EQ(ParseInteger("007"), 7);
  EXPECT_EQ(ParseInteger("-0"), 0);
  EXPECT_EQ(ParseInteger("9223372036854775807"), kMax);
  EXPECT_EQ(ParseInteger("-9223372036854775808"), kMin);
}

TEST(ParseNumberTest, RefusesWhatIsNoInteger) {
  for (const char* text : {"", " ", "+", "-", "+-5", "-+5", "--5", "- 5", "1 2", "12abc", "0x10",
                           "1.5", "1.", "1e3", "1,000", "9223372036854775808", "NaN",
                           "\xC2\xA0"
                           "5"}) {
    EXPECT_EQ(ParseInteger(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseInteger(std::string_view("5\0", 2)), std::nullopt);
}

TEST(ParseNumberTest, ReadsFloatsWithPointAndExponent) {
  EXPECT_EQ(ParseNumber("2.50")->real, 2.5);
  EXPECT_EQ(ParseNumber(" +1e3 ")->real, 1000);
  EXPECT_EQ(ParseNumber("-1.5E-2")->real, -0.015);
  EXPECT_EQ(ParseNumber(".5")->real, 0.5);
  EXPECT_FALSE(ParseNumber("1e3")->is_integer);
  EXPECT_TRUE(ParseNumber(" 12 ")->is_integer);
}

TEST(ParseNumberTest, ReadsAnIntegerBeyond64BitsAsFloat) {
  EXPECT_FALSE(ParseNumber("9223372036854775808")->is_integer);
  EXPECT_EQ(ParseNumber("9223372036854775808")->real, 9223372036854775808.0);
}

TEST(ParseNumberTest, RefusesWhatIsNoNumber) {
  for (const char* text : {"", " ", ".", "-.", "e5", "1e", "1e+", "1.2.3", "1,5", "12abc", "nan",
                           "NaN", "inf", "-inf", "Infinity", "1e400", "-1e400", "+-1.5", "0x1p3"}) {
    EXPECT_EQ(ParseNumber(text).has_value(), false) << text;
  }
}

TEST(IntegerOfDoubleTest, CutsTowardZeroAndRefusesWhatDoesNotFit) {
  EXPECT_EQ(IntegerOfDouble(-3.99), -3);
  EXPECT_EQ(IntegerOfDouble(-9223372036854775808.0), kMin);
  EXPECT_EQ(IntegerOfDouble(9223372036854775808.0), std::nullopt);
  EXPECT_EQ(IntegerOfDouble(-9223372036854777856.0), std::nullopt);
  EXPECT_EQ(IntegerOfDouble(kInfinity), std::nullopt);
  EXPECT_EQ(IntegerOfDouble(std::nan("")), std::nullopt);
}

TEST(TextFormTest, IsThatOfLanguageSection3) {
  Evaluation e;
  std::string_view text;
  const std::pair<Value, std::string_view> cases[] = {{I(kMin), "-9223372036854775808"},
                                                      {D(3), "3"},
                                                      {B(true), "true"},
                                                      {S("x"), "x"},
                                                      {C(-12), "-12"},
                                                      {N(), ""},
                                                      {B(false), "false"}};
  for (const auto& [value, expected] : cases) {
    ASSERT_TRUE(TextForm(e, value, text));
    EXPECT_EQ(text, expected);
  }
}

TEST(TextFormTest, RefusesArrays) {
  Evaluation e;
  Value array;
  ASSERT_TRUE(Range(e, I(1), I(2), array));
  std::string_view text;
  model::ValueView stored;
  EXPECT_FALSE(TextForm(e, array, text));
  EXPECT_EQ(e.error().message, "Cannot cast ArrayType to string");
  EXPECT_FALSE(StoredForm(e, array, stored));
}

TEST(TextFormTest, RefersToStringsInsteadOfCopying) {
  Evaluation e;
  const std::string original = "some text";
  std::string_view text;
  ASSERT_TRUE(StringText(e, S(original), text));
  EXPECT_EQ(text.data(), original.data());
  EXPECT_EQ(e.arena().used_bytes(), 0u);
}

TEST(StoredFormTest, KeepsIntegersAsIntegersWithoutMemory) {
  Evaluation e;
  model::ValueView stored;
  ASSERT_TRUE(StoredForm(e, I(5), stored));
  EXPECT_TRUE(stored.is_integer);
  ASSERT_TRUE(StoredForm(e, C(7), stored));
  EXPECT_EQ(stored.integer, 7);
  EXPECT_EQ(e.arena().used_bytes(), 0u);
}

TEST(StoredFormTest, StoresEverythingElseAsText) {
  Evaluation e;
  model::ValueView stored;
  ASSERT_TRUE(StoredForm(e, D(1e15), stored));
  EXPECT_EQ(stored.ToText(), "1E+15");
  ASSERT_TRUE(StoredForm(e, N(), stored));
  EXPECT_EQ(stored.ToText(), "");
  ASSERT_TRUE(StoredForm(e, S("5"), stored));
  EXPECT_FALSE(stored.is_integer);
}

TEST(WholeNumberTest, TakesIntegersWholeFloatsAndNumericText) {
  EXPECT_EQ(WholeNumber(I(5)), 5);
  EXPECT_EQ(WholeNumber(D(5)), 5);
  EXPECT_EQ(WholeNumber(C(5)), 5);
  EXPECT_EQ(WholeNumber(S(" 5 ")), 5);
  EXPECT_EQ(WholeNumber(S("6e4")), 60000);
}

TEST(WholeNumberTest, RefusesTheRest) {
  Evaluation e;
  Value array;
  ASSERT_TRUE(Range(e, I(1), I(2), array));
  for (const Value& value : {D(1.5), D(kInfinity), D(std::nan("")), D(1e300), S(""), S("x"),
                             S("1.5"), S("1e300"), B(true), N(), array}) {
    EXPECT_EQ(WholeNumber(value), std::nullopt);
  }
}

std::string Json(const Value& value) {
  Evaluation e;
  std::string_view text;
  return JsonText(e, value, text) ? std::string(text) : e.error().message;
}

TEST(JsonTextTest, WritesEveryType) {
  EXPECT_EQ(Json(I(-5)), "-5");
  EXPECT_EQ(Json(D(2.5)), "2.5");
  EXPECT_EQ(Json(D(1e15)), "1E+15");
  EXPECT_EQ(Json(B(true)), "true");
  EXPECT_EQ(Json(N()), "null");
  EXPECT_EQ(Json(S("hi")), "\"hi\"");
  EXPECT_EQ(Json(C(5)), "\"5\"");
  EXPECT_EQ(Json(S("")), "\"\"");
}

TEST(JsonTextTest, QuotesWhatJsonHasNoNumberFor) {
  EXPECT_EQ(Json(D(std::nan(""))), "\"NaN\"");
  EXPECT_EQ(Json(D(-kInfinity)), "\"-Infinity\"");
}

TEST(JsonTextTest, EscapesOnlyWhatJsonRequires) {
  EXPECT_EQ(Json(S("a<b>&c'é")), "\"a<b>&c'é\"");
  EXPECT_EQ(Json(S("\"\\\n\x01")), "\"\\\"\\\\\\n\\u0001\"");
}

TEST(JsonTextTest, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(Json(S("a\xFF"
                   "b")),
            "\"a\xEF\xBF\xBD"
            "b\"");
}

TEST(JsonTextTest, KeepsCharactersWholeInLongTexts) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "€";
  EXPECT_EQ(Json(S(text)), "\"" + text + "\"");
}

TEST(JsonTextTest, WritesNestedArraysAndRanges) {
  Evaluation e;
  Value range, empty, nested;
  ASSERT_TRUE(Range(e, I(1), I(3), range));
  ASSERT_TRUE(MakeArray(e, nullptr, 0, empty));
  const Value elements[] = {range, S("x"), N(), empty};
  ASSERT_TRUE(MakeArray(e, elements, 4, nested));
  EXPECT_EQ(Json(nested), "[[1,2,3],\"x\",null,[]]");
}

// [a, a] of [b, b] of …: 2^100 elements in a few kilobytes.
TEST(JsonTextTest, RefusesTextFarLargerThanTheValueBeforeItTakesMemory) {
  Evaluation e;
  Value value = I(1);
  for (int i = 0; i < 100; ++i) {
    const Value twice[] = {value, value};
    ASSERT_TRUE(MakeArray(e, twice, 2, value));
  }
  const std::size_t used_before = e.arena().used_bytes();
  std::string_view text;
  EXPECT_FALSE(JsonText(e, value, text));
  EXPECT_EQ(e.error().message, "Step limit exceeded: 10000000");
  EXPECT_EQ(e.error().code, model::Code::kLimit);
  EXPECT_EQ(e.arena().used_bytes(), used_before);
}

TEST(JsonTextTest, ChargesForEscapesWhatTheyTake) {
  Evaluation e;
  std::string_view json;
  EXPECT_FALSE(JsonText(e, S(std::string(1'000'000, '\x01')), json));
  EXPECT_EQ(e.error().message, "Step limit exceeded: 10000000");
  Evaluation plain;
  EXPECT_TRUE(JsonText(plain, S(std::string(1'000'000, 'x')), json));
  EXPECT_LT(plain.steps(), 1'000'000u);
}

TEST(JsonTextTest, RefusesTextBeyondTheMemoryOfTheRun) {
  Evaluation e;
  ASSERT_NE(e.Allocate(base::kRunMemoryBytesMax - 100'000), nullptr);
  std::string_view json;
  EXPECT_FALSE(JsonText(e, S(std::string(200'000, 'x')), json));
  EXPECT_EQ(e.error().message, "Script memory limit exceeded: 16777216");
}

TEST(CharactersTest, CountsCodePointsAndStrayBytes) {
  EXPECT_EQ(CountCharacters(""), 0u);
  EXPECT_EQ(CountCharacters("aé€😀"), 4u);
  EXPECT_EQ(CountCharacters("\xFF\xFE"), 2u);
  EXPECT_EQ(CountCharacters("\xE2\x82"), 2u);
}

TEST(CharactersTest, QuotesInMessagesOnlyTheStartAndOnlyUtf8) {
  EXPECT_EQ(Excerpt("short"), "short");
  EXPECT_EQ(Excerpt("\xFF"), "\xEF\xBF\xBD");
  EXPECT_EQ(Excerpt(std::string(1000, 'x')), std::string(100, 'x') + "...");
}

}  // namespace
}  // namespace palena::script
