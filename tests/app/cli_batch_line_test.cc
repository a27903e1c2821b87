#include "app/cli_batch_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace palena::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

BatchRequest Read(std::string_view line) {
  auto parsed = ParseBatchLine(line);
  EXPECT_TRUE(std::holds_alternative<BatchRequest>(parsed)) << std::get<std::string>(parsed);
  return std::get<BatchRequest>(std::move(parsed));
}

std::string Refusal(std::string_view line) {
  auto parsed = ParseBatchLine(line);
  return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "accepted";
}

TEST(BatchLineTest, ReadsScriptAndParameters) {
  const BatchRequest request = Read(R"({"script":"get @k","params":{"@k":"v","n":"w"}})");
  EXPECT_EQ(request.script, "get @k");
  EXPECT_THAT(request.parameters, ElementsAre(Pair("@k", "v"), Pair("n", "w")));
}

TEST(BatchLineTest, NeedsNoParameters) {
  EXPECT_THAT(Read(R"({"script":"return 1"})").parameters, IsEmpty());
  EXPECT_THAT(Read(R"({"params":{},"script":""})").parameters, IsEmpty());
}

TEST(BatchLineTest, TakesNumbersAndBooleansAsTheyAreWritten) {
  const BatchRequest request =
      Read(R"({"script":"x","params":{"a":5,"b":-7,"c":1.50,"d":1e3,"e":true,"f":false}})");
  EXPECT_THAT(request.parameters,
              ElementsAre(Pair("a", "5"), Pair("b", "-7"), Pair("c", "1.50"), Pair("d", "1e3"),
                          Pair("e", "true"), Pair("f", "false")));
}

TEST(BatchLineTest, DecodesEscapes) {
  EXPECT_EQ(Read(R"({"script":"a\nb\u00e9"})").script, "a\nb\xC3\xA9");
}

TEST(BatchLineTest, RefusesOtherMembersByName) {
  EXPECT_EQ(Refusal(R"({"script":"x","parameters":{"k":"v"}})"),
            R"(unknown member "parameters"; "script" and "params" are known)");
  EXPECT_THAT(Refusal(R"({"id":[1,{"script":2}],"script":"x"})"), HasSubstr("\"id\""));
}

TEST(BatchLineTest, RefusesWhatIsThereTwice) {
  EXPECT_EQ(Refusal(R"({"script":"x","script":"y"})"), R"("script" is there twice)");
  EXPECT_EQ(Refusal(R"({"script":"x","params":{},"params":{}})"), R"("params" is there twice)");
  EXPECT_EQ(Refusal(R"({"script":"x","params":{"k":1,"k":2}})"), R"(parameter "k" is there twice)");
  EXPECT_EQ(Refusal(R"({"script":"x","params":{"k":1,"@k":2}})"),
            R"(parameter "@k" is there twice)");
}

TEST(BatchLineTest, RefusesWhatIsNoObject) {
  EXPECT_THAT(Refusal("[]"), HasSubstr("array instead of an object"));
  EXPECT_THAT(Refusal("5"), HasSubstr("number instead of an object"));
  EXPECT_THAT(Refusal("null"), HasSubstr("null instead of an object"));
}

TEST(BatchLineTest, RefusesWhatIsNoJson) {
  EXPECT_THAT(Refusal(""), HasSubstr("not JSON"));
  EXPECT_THAT(Refusal("get k"), HasSubstr("not JSON"));
  EXPECT_THAT(Refusal(R"({"script":"x"} more)"), HasSubstr("not JSON"));
  EXPECT_THAT(Refusal("{\"script\":\"\xFF\"}"), HasSubstr("not JSON"));
}

TEST(BatchLineTest, RefusesAScriptThatIsMissingOrNoText) {
  EXPECT_EQ(Refusal("{}"), "\"script\" is missing");
  EXPECT_THAT(Refusal(R"({"script":5})"), HasSubstr("\"script\" is a number"));
  EXPECT_THAT(Refusal(R"({"script":null})"), HasSubstr("\"script\" is a null"));
  EXPECT_THAT(Refusal(R"({"script":["x"]})"), HasSubstr("\"script\" is an array"));
}

TEST(BatchLineTest, RefusesParametersThatAreNoTexts) {
  EXPECT_THAT(Refusal(R"({"script":"x","params":[]})"), HasSubstr("\"params\" is an array"));
  EXPECT_THAT(Refusal(R"({"script":"x","params":"k"})"), HasSubstr("\"params\" is a string"));
  EXPECT_THAT(Refusal(R"({"script":"x","params":{"k":null}})"), HasSubstr("\"k\" is null"));
  EXPECT_THAT(Refusal(R"({"script":"x","params":{"k":{}}})"), HasSubstr("\"k\" is an object"));
}

TEST(BatchLineTest, SurvivesDepth) {
  EXPECT_THAT(Refusal(R"({"script":)" + std::string(100'000, '[')), HasSubstr("is an array"));
  EXPECT_THAT(Refusal(std::string(100'000, '[')), HasSubstr("array instead of an object"));
}

}  // namespace
}  // namespace palena::app
