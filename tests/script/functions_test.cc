#include "script/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <span>

#include "script/operators.h"
#include "values.h"

namespace palena::script {
namespace {

Value RangeOf(Evaluation& e, std::int64_t first, std::int64_t last) {
  Value out;
  EXPECT_TRUE(Range(e, I(first), I(last), out));
  return out;
}

TEST(FunctionTableTest, FindsEveryNameAndAlias) {
  for (const Function& function : Functions()) {
    EXPECT_EQ(FindFunction(function.name), &function);
    EXPECT_LE(function.arity_min, function.arity_max);
    for (const std::string_view alias : function.aliases) {
      EXPECT_EQ(FindFunction(alias), &function) << alias;
    }
  }
}

TEST(FunctionTableTest, HasTheAliasesOfTheLanguage) {
  const std::map<std::string_view, std::string_view> aliases = {
      {"to_integer", "to_int"},  {"to_long", "to_int"},     {"to_number", "to_int"},
      {"to_float", "to_double"}, {"to_string", "to_str"},   {"to_boolean", "to_bool"},
      {"is_int", "is_long"},     {"is_integer", "is_long"}, {"is_float", "is_double"},
      {"is_str", "is_string"},   {"is_boolean", "is_bool"}, {"len", "length"},
      {"rev", "revision"}};
  for (const auto& [alias, name] : aliases) {
    ASSERT_NE(FindFunction(alias), nullptr) << alias;
    EXPECT_EQ(FindFunction(alias)->name, name);
  }
}

TEST(FunctionTableTest, IsCaseSensitiveAndKnowsNothingElse) {
  EXPECT_EQ(FindFunction("ABS"), nullptr);
  EXPECT_EQ(FindFunction("ab"), nullptr);
  EXPECT_EQ(FindFunction("zzz"), nullptr);
  EXPECT_EQ(FindFunction(""), nullptr);
}

// Every function with arguments refuses what it does not take by its canonical name.
TEST(FunctionTableTest, NamesItselfWhenAnArgumentHasTheWrongType) {
  Evaluation e;
  const Value array = RangeOf(e, 1, 2);
  for (const char* name : {"abs", "ceil", "floor", "upper", "lower", "length", "trim"}) {
    const std::string refusal = "Cannot use '" + std::string(name) + "' function with argument ";
    EXPECT_EQ(Call(name, {N()}), refusal + "NullType");
    EXPECT_EQ(Call(name, {B(true)}), refusal + "BoolType");
    EXPECT_EQ(Call(name, {array}), refusal + "ArrayType");
  }
  for (const char* name : {"min", "max", "pow", "mod", "round"}) {
    const std::string refusal = "Cannot use '" + std::string(name) + "' function with argument ";
    EXPECT_EQ(Call(name, {S("1"), I(1)}), refusal + "StringType");
    EXPECT_EQ(Call(name, {I(1), C(1)}), refusal + "StringType");
    EXPECT_EQ(Call(name, {I(1), N()}), refusal + "NullType");
  }
  for (const char* name : {"concat", "starts_with", "ends_with", "index_of", "split"}) {
    const std::string refusal = "Cannot use '" + std::string(name) + "' function with argument ";
    EXPECT_EQ(Call(name, {S("a"), I(1)}), refusal + "LongType");
    EXPECT_EQ(Call(name, {D(1), S("a")}), refusal + "DoubleType");
  }
  for (const char* name : {"count", "truncated"}) {
    EXPECT_EQ(Call(name, {S("a")}),
              "Cannot use '" + std::string(name) + "' function with argument StringType");
  }
}

TEST(FunctionTableTest, BlamesTheArgumentThatCameFromAParameter) {
  Evaluation e;
  Value bad = S("1");
  bad.origin = 6;
  Call(e, "max", {I(1), bad});
  EXPECT_EQ(e.culprit_origin(), 6);
  bad = S("x1");
  bad.origin = 7;
  EXPECT_EQ(Call(e, "to_int", {bad}), "Cannot cast string value 'x1' to int");
  EXPECT_EQ(e.culprit_origin(), 7);
}

TEST(NumberFunctionsTest, AbsCeilFloor) {
  EXPECT_EQ(Call("abs", {I(-19)}), "19");
  EXPECT_EQ(Call("abs", {D(-2.5)}), "2.5d");
  EXPECT_EQ(Call("ceil", {D(2.1)}), "3d");
  EXPECT_EQ(Call("ceil", {D(-0.5)}), "-0d");
  EXPECT_EQ(Call("floor", {D(-2.1)}), "-3d");
  EXPECT_EQ(Call("floor", {I(7)}), "7d");
  EXPECT_EQ(Call("abs", {S("1")}), "Cannot use 'abs' function with argument StringType");
}

TEST(NumberFunctionsTest, RoundGoesHalfToEven) {
  EXPECT_EQ(Call("round", {D(3.14159), I(2)}), "3.14d");
  EXPECT_EQ(Call("round", {D(2.5), I(0)}), "2d");
  EXPECT_EQ(Call("round", {D(3.5), I(0)}), "4d");
  EXPECT_EQ(Call("round", {D(-2.5), I(0)}), "-2d");
  EXPECT_EQ(Call("round", {D(1.115), I(2)}), "1.12d");
  EXPECT_EQ(Call("round", {I(7), I(15)}), "7d");
  EXPECT_EQ(Call("round", {D(1e300), I(15)}), "1E+300d");
}

TEST(NumberFunctionsTest, RoundTakesZeroToFifteenDigits) {
  EXPECT_EQ(Call("round", {D(1), I(16)}), "Invalid value for digits: 16, it must be 0 to 15");
  EXPECT_EQ(Call("round", {D(1), I(-1)}), "Invalid value for digits: -1, it must be 0 to 15");
  EXPECT_EQ(Call("round", {D(1), D(1)}), "Cannot use 'round' function with argument DoubleType");
}

TEST(NumberFunctionsTest, MinMaxKeepIntegersUnlessOneIsAFloat) {
  EXPECT_EQ(Call("min", {I(4), I(3)}), "3");
  EXPECT_EQ(Call("min", {I(4), D(2.5)}), "2.5d");
  EXPECT_EQ(Call("max", {I(3), I(9)}), "9");
  EXPECT_EQ(Call("max", {I(3), D(2.5)}), "3d");
  EXPECT_EQ(Call("max", {D(std::nan("")), I(1)}), "NaNd");
  EXPECT_EQ(Call("min", {I(1), D(std::nan(""))}), "NaNd");
}

TEST(NumberFunctionsTest, PowGivesFloats) {
  EXPECT_EQ(Call("pow", {I(3), I(4)}), "81d");
  EXPECT_EQ(Call("pow", {I(2), D(0.5)}), "1.4142135623730951d");
  EXPECT_EQ(Call("pow", {I(2), I(-1)}), "0.5d");
}

TEST(NumberFunctionsTest, ModHasTheSignOfTheDividend) {
  EXPECT_EQ(Call("mod", {I(7), I(3)}), "1");
  EXPECT_EQ(Call("mod", {I(-7), I(3)}), "-1");
  EXPECT_EQ(Call("mod", {I(7), I(-3)}), "1");
  EXPECT_EQ(Call("mod", {I(7), D(3)}), "Cannot use 'mod' function with argument DoubleType");
}

TEST(NumberFunctionsTest, NearlyEqualsWithinTheTolerance) {
  EXPECT_EQ(Call("nearly_equals", {D(1.0), D(1.0005), D(0.001)}), "true");
  EXPECT_EQ(Call("nearly_equals", {I(1), I(3), I(1)}), "false");
  EXPECT_EQ(Call("nearly_equals", {I(1), D(1), I(0)}), "true");
  EXPECT_EQ(Call("nearly_equals", {I(1), I(1), D(-0.5)}),
            "Invalid tolerance: -0.5, it must not be negative");
  EXPECT_EQ(Call("nearly_equals", {I(1), S("1"), I(0)}),
            "Cannot use 'nearly_equals' function with argument StringType");
}

TEST(ConversionFunctionsTest, ToInt) {
  EXPECT_EQ(Call("to_int", {I(5)}), "5");
  EXPECT_EQ(Call("to_int", {D(-3.99)}), "-3");
  EXPECT_EQ(Call("to_int", {B(true)}), "1");
  EXPECT_EQ(Call("to_int", {S("")}), "0");
  EXPECT_EQ(Call("to_int", {S(" 15 ")}), "15");
  EXPECT_EQ(Call("to_int", {S("+7")}), "7");
  EXPECT_EQ(Call("to_int", {C(42)}), "42");
}

TEST(ConversionFunctionsTest, ToIntRefusesWhatIsNoInteger) {
  Evaluation e;
  EXPECT_EQ(Call("to_int", {S("1.5")}), "Cannot cast string value '1.5' to int");
  EXPECT_EQ(Call("to_int", {S(" ")}), "Cannot cast string value ' ' to int");
  EXPECT_EQ(Call("to_int", {N()}), "Cannot cast NullType to int");
  EXPECT_EQ(Call("to_number", {RangeOf(e, 1, 2)}), "Cannot cast ArrayType to int");
}

TEST(ConversionFunctionsTest, ToIntQuotesOnlyTheStartOfALongText) {
  EXPECT_LT(Call("to_int", {S(std::string(1'000'000, 'x'))}).size(), 200u);
}

TEST(ConversionFunctionsTest, ToDouble) {
  EXPECT_EQ(Call("to_double", {S("2.50")}), "2.5d");
  EXPECT_EQ(Call("to_double", {S("1e3")}), "1000d");
  EXPECT_EQ(Call("to_float", {S("")}), "0d");
  EXPECT_EQ(Call("to_double", {I(3)}), "3d");
  EXPECT_EQ(Call("to_double", {B(true)}), "1d");
  EXPECT_EQ(Call("to_double", {C(3)}), "3d");
  EXPECT_EQ(Call("to_double", {S("1,5")}), "Cannot cast string value '1,5' to double");
  EXPECT_EQ(Call("to_double", {N()}), "Cannot cast NullType to double");
}

TEST(ConversionFunctionsTest, ToStr) {
  Evaluation e;
  EXPECT_EQ(Call("to_str", {I(12)}), "'12'");
  EXPECT_EQ(Call("to_str", {D(1e15)}), "'1E+15'");
  EXPECT_EQ(Call("to_string", {B(false)}), "'false'");
  EXPECT_EQ(Call("to_str", {N()}), "''");
  EXPECT_EQ(Call("to_str", {S("x")}), "'x'");
  EXPECT_EQ(Call("to_str", {RangeOf(e, 1, 2)}), "Cannot cast ArrayType to string");
}

TEST(ConversionFunctionsTest, ToBool) {
  Evaluation e;
  EXPECT_EQ(Call("to_bool", {S("TRUE")}), "true");
  EXPECT_EQ(Call("to_bool", {S("yes")}), "false");
  EXPECT_EQ(Call("to_bool", {S(" true")}), "false");
  EXPECT_EQ(Call("to_bool", {C(1)}), "false");
  EXPECT_EQ(Call("to_boolean", {I(0)}), "false");
  EXPECT_EQ(Call("to_bool", {D(0.1)}), "true");
  EXPECT_EQ(Call("to_bool", {N()}), "Cannot cast NullType to bool");
  EXPECT_EQ(Call("to_bool", {RangeOf(e, 1, 2)}), "Cannot cast ArrayType to bool");
}

TEST(ConversionFunctionsTest, TypeTestsLookAtTheTypeNotTheText) {
  Evaluation e;
  EXPECT_EQ(Call("is_long", {I(5)}), "true");
  EXPECT_EQ(Call("is_int", {C(5)}), "false");
  EXPECT_EQ(Call("is_string", {C(5)}), "true");
  EXPECT_EQ(Call("is_float", {D(5)}), "true");
  EXPECT_EQ(Call("is_bool", {B(false)}), "true");
  EXPECT_EQ(Call("is_null", {N()}), "true");
  EXPECT_EQ(Call("is_null", {S("")}), "false");
  EXPECT_EQ(Call("is_array", {RangeOf(e, 1, 0)}), "true");
  EXPECT_EQ(Call("is_array", {S("a")}), "false");
}

TEST(ConversionFunctionsTest, ToJson) {
  Evaluation e;
  EXPECT_EQ(Call("to_json", {S("hi")}), "'\"hi\"'");
  EXPECT_EQ(Call("to_json", {RangeOf(e, 1, 3)}), "'[1,2,3]'");
  EXPECT_EQ(Call("to_json", {N()}), "'null'");
}

TEST(MetadataFunctionsTest, RevisionAndExpiryAreThoseTheValueCarries) {
  Evaluation e;
  Value stored = S("a"), out;
  stored.revision = 4;
  stored.expires_ms = 1234;
  ASSERT_TRUE(FindFunction("rev")->body(e, std::span(&stored, 1), out));
  EXPECT_EQ(out.integer, 4);
  EXPECT_EQ(out.revision, 4);
  EXPECT_EQ(Call("expires", {stored}), "1234");
  EXPECT_EQ(Call("revision", {I(1)}), "-1");
  EXPECT_EQ(Call("expires", {I(1)}), "0");
}

TEST(MetadataFunctionsTest, TimeIsTheStampOfTheRun) {
  Evaluation e;
  e.Reset({hlc::HybridTime{(std::uint64_t{1'700'000'000'000} << 16) | 42}, 1});
  EXPECT_EQ(Call(e, "hlc", {}), "1700000000000");
  EXPECT_EQ(Call(e, "current_time", {}), "1700000000000");
  EXPECT_EQ(Call(e, "hlc_counter", {}), "42");
}

TEST(MetadataFunctionsTest, CountAndTruncated) {
  Evaluation e;
  Array cut;
  cut.truncated = true;
  EXPECT_EQ(Call("count", {RangeOf(e, 4, 6)}), "3");
  EXPECT_EQ(Call("truncated", {RangeOf(e, 4, 6)}), "false");
  EXPECT_EQ(Call("truncated", {Value::OfArray(&cut)}), "true");
}

TEST(TextFunctionsTest, ConcatTakesTextsAndCounters) {
  EXPECT_EQ(Call("concat", {S("a"), S("b")}), "'ab'");
  EXPECT_EQ(Call("concat", {C(12), S("")}), "'12'");
  EXPECT_EQ(Call("concat", {S(""), S("")}), "''");
  EXPECT_EQ(Call("concat", {S({}), S({})}), "''");
}

TEST(TextFunctionsTest, ConcatGivesAFreshValue) {
  Evaluation e;
  Value texts[] = {S("a"), S("b")};
  texts[0].revision = 4;
  texts[0].origin = 1;
  ASSERT_TRUE(FindFunction("concat")->body(e, std::span<const Value>(texts, 2), texts[0]));
  EXPECT_EQ(texts[0].revision, model::kNoRevision);
  EXPECT_EQ(texts[0].origin, 0);
}

TEST(TextFunctionsTest, DoublingATextEndsAtTheMemoryLimit) {
  Evaluation e;
  Value texts[] = {S("0123456789"), N()};
  int doublings = 0;
  do {
    texts[1] = texts[0];
    ++doublings;
  } while (FindFunction("concat")->body(e, std::span<const Value>(texts, 2), texts[0]));
  EXPECT_LT(doublings, 22);
  EXPECT_EQ(e.error().message, "Script memory limit exceeded: 16777216");
  EXPECT_EQ(e.error().code, model::Code::kLimit);
  EXPECT_GT(e.steps(), 100'000u);
}

TEST(TextFunctionsTest, UpperAndLowerMapOneCharacterToOne) {
  EXPECT_EQ(Call("upper", {S("mixed Case 1")}), "'MIXED CASE 1'");
  EXPECT_EQ(Call("upper", {S("straße é ı ɐ")}), "'STRAßE É I Ɐ'");
  EXPECT_EQ(Call("lower", {S("ÀÉ ẞ K")}), "'àé ß k'");
  EXPECT_EQ(Call("upper", {S("a\xFF"
                             "b\xE2\x82")}),
            "'A\xFF"
            "B\xE2\x82'");
  EXPECT_EQ(Call("upper", {C(-5)}), "'-5'");
}

TEST(TextFunctionsTest, LengthCountsCharacters) {
  EXPECT_EQ(Call("length", {S("")}), "0");
  EXPECT_EQ(Call("len", {S("aé€😀")}), "4");
  EXPECT_EQ(Call("length", {S("\xFF\xC3")}), "2");
  EXPECT_EQ(Call("length", {C(-12)}), "3");
}

TEST(TextFunctionsTest, WorkOnLongTextsCostsStepsBySize) {
  const std::string text(64'000, 'x');
  for (const char* name : {"length", "upper", "lower", "trim", "to_int", "to_json"}) {
    Evaluation e;
    Call(e, name, {S(text)});
    EXPECT_GE(e.steps(), 1000u) << name;
  }
  for (const char* name : {"concat", "starts_with", "index_of", "split"}) {
    Evaluation e;
    Call(e, name, {S(text), S("y")});
    EXPECT_GE(e.steps(), 1000u) << name;
  }
}

TEST(TextFunctionsTest, SubstringCutsByCharacters) {
  EXPECT_EQ(Call("substring", {S("aé€😀"), I(1), I(2)}), "'é€'");
  EXPECT_EQ(Call("substring", {S("abc"), D(1)}), "'bc'");
  EXPECT_EQ(Call("substring", {S("abc"), I(3)}), "''");
  EXPECT_EQ(Call("substring", {S("abc"), I(0), I(0)}), "''");
  EXPECT_EQ(Call("substring", {C(12345), I(1), I(3)}), "'234'");
}

TEST(TextFunctionsTest, SubstringRefusesWhatIsOutOfRange) {
  EXPECT_EQ(Call("substring", {S("abc"), I(4)}),
            "Substring start out of range: 4, the text has 3 characters");
  EXPECT_EQ(Call("substring", {S("abc"), I(1), I(3)}),
            "Substring length out of range: 3, the text has 3 characters");
  EXPECT_EQ(Call("substring", {S("abc"), D(0.5)}), "Invalid substring position: 0.5");
  EXPECT_EQ(Call("substring", {S("abc"), S("1")}),
            "Cannot use 'substring' function with argument StringType");
}

TEST(TextFunctionsTest, SearchesAreOrdinal) {
  EXPECT_EQ(Call("starts_with", {S("user:7"), S("user:")}), "true");
  EXPECT_EQ(Call("starts_with", {S("User"), S("user")}), "false");
  EXPECT_EQ(Call("ends_with", {S("a.log"), S(".log")}), "true");
  EXPECT_EQ(Call("ends_with", {S("g"), S(".log")}), "false");
  EXPECT_EQ(Call("index_of", {S("é=v"), S("=")}), "1");
  EXPECT_EQ(Call("index_of", {S("kv"), S("=")}), "-1");
  EXPECT_EQ(Call("index_of", {S("kv"), S("")}), "0");
  EXPECT_EQ(Call("index_of", {C(1234), S("3")}), "2");
}

TEST(TextFunctionsTest, SearchTakesLinearTimeForHostileTexts) {
  const std::string text(1'000'000, 'a');
  const std::string part = std::string(400'000, 'a') + "b" + std::string(100'000, 'a');
  EXPECT_EQ(Call("index_of", {S(text), S(part)}), "-1");
}

TEST(TextFunctionsTest, SplitKeepsEmptyParts) {
  EXPECT_EQ(Call("split", {S(":a::"), S(":")}), "[\"\",\"a\",\"\",\"\"]");
  EXPECT_EQ(Call("split", {S(""), S(":")}), "[\"\"]");
  EXPECT_EQ(Call("split", {S("a--b"), S("--")}), "[\"a\",\"b\"]");
  EXPECT_EQ(Call("split", {C(10203), S("0")}), "[\"1\",\"2\",\"3\"]");
}

TEST(TextFunctionsTest, SplitRefusesAnEmptySeparatorAndTooManyParts) {
  EXPECT_EQ(Call("split", {S("abc"), S("")}), "Invalid separator: it is empty");
  EXPECT_EQ(Call("split", {S(std::string(200'000, ',')), S(",")}),
            "Too many array elements: 100001, at most 100000");
  Evaluation e;
  Value out;
  const std::string commas(99'999, ',');
  const Value arguments[] = {S(commas), S(",")};
  ASSERT_TRUE(FindFunction("split")->body(e, std::span<const Value>(arguments, 2), out));
  EXPECT_EQ(out.array->count, 100'000u);
}

TEST(TextFunctionsTest, TrimTakesOffAsciiBlanks) {
  EXPECT_EQ(Call("trim", {S(" \t\r\n\f\vx y ")}), "'x y'");
  EXPECT_EQ(Call("trim", {S("   ")}), "''");
  EXPECT_EQ(Call("trim", {S("\xC2\xA0x")}), "'\xC2\xA0x'");
}

TEST(TextFunctionsTest, JoinTakesTheTextFormsOfTheElements) {
  Evaluation e;
  Value array, empty;
  const Value elements[] = {I(1), D(2.5), S("x"), B(true), N(), C(7)};
  ASSERT_TRUE(MakeArray(e, elements, 6, array));
  ASSERT_TRUE(MakeArray(e, nullptr, 0, empty));
  EXPECT_EQ(Call("join", {array, S(", ")}), "'1, 2.5, x, true, , 7'");
  EXPECT_EQ(Call("join", {RangeOf(e, 1, 3), S("")}), "'123'");
  EXPECT_EQ(Call("join", {empty, S(",")}), "''");
  EXPECT_EQ(Call("join", {S("a"), S(",")}), "Cannot use 'join' function with argument StringType");
}

TEST(TextFunctionsTest, JoinRefusesNestedArraysAndTextsBeyondMemory) {
  Evaluation e;
  Value nested;
  const Value inner = RangeOf(e, 1, 2);
  ASSERT_TRUE(MakeArray(e, &inner, 1, nested));
  EXPECT_EQ(Call("join", {nested, S(",")}), "Cannot cast ArrayType to string");
  const std::string separator(1000, '-');
  EXPECT_EQ(Call("join", {RangeOf(e, 1, 100'000), S(separator)}),
            "Script memory limit exceeded: 16777216");
}

}  // namespace
}  // namespace palena::script
