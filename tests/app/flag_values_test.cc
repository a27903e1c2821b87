#include "app/flag_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace palena::app {
namespace {

using testing::HasSubstr;

std::string Refusal(const CLI::Validator& validator, std::string text) {
  return validator(text);
}

TEST(WholeNumberTest, TakesWhatLiesBetweenItsEnds) {
  EXPECT_EQ(Refusal(WholeNumber(1, 256), "1"), "");
  EXPECT_EQ(Refusal(WholeNumber(1, 256), "256"), "");
}

TEST(WholeNumberTest, NamesTheValueAndWhatIsAllowed) {
  for (const std::string text : {"0", "257", "-1", "1.5", "many", "", "99999999999999999999999"}) {
    EXPECT_EQ(Refusal(WholeNumber(1, 256), text),
              "\"" + text + "\" is not a whole number from 1 to 256");
  }
}

TEST(NumberTest, TakesFractionsAndNamesWhatIsAllowed) {
  EXPECT_EQ(Refusal(Number(0.1, 60), "0.5"), "");
  EXPECT_EQ(Refusal(Number(0.1, 60), "abc"), "\"abc\" is not a number from 0.1 to 60");
  EXPECT_EQ(Refusal(Number(0.1, 60), "nan"), "\"nan\" is not a number from 0.1 to 60");
}

TEST(SizeTest, ReadsBytesAndTheirMultiples) {
  const auto bytes = [](std::string text) {
    EXPECT_EQ(Size()(text), "");
    return text;
  };
  EXPECT_EQ(bytes("4096"), "4096");
  EXPECT_EQ(bytes("1KiB"), "1024");
  EXPECT_EQ(bytes("2mb"), "2097152");
  EXPECT_EQ(bytes("4 GiB"), "4294967296");
}

TEST(SizeTest, SaysInWordsWhatASizeIs) {
  for (const std::string text : {"lots", "1.5GiB", "-1", "GiB", "1parsec", "99999999TiB", ""}) {
    EXPECT_THAT(Refusal(Size(), text), HasSubstr("\"" + text + "\" is no size; write a whole"));
  }
}

TEST(DurationTest, ReadsMillisecondsAndTheirMultiples) {
  const auto milliseconds = [](std::string text) {
    EXPECT_EQ(Duration()(text), "");
    return text;
  };
  EXPECT_EQ(milliseconds("0s"), "0");
  EXPECT_EQ(milliseconds("250ms"), "250");
  EXPECT_EQ(milliseconds("2m"), "120000");
  EXPECT_EQ(milliseconds("7d"), "604800000");
}

TEST(DurationTest, SaysInWordsWhatATimeIs) {
  for (const std::string text :
       {"7", "long", "1.5h", "-1s", "h", "1 s", "99999999999999999d", ""}) {
    EXPECT_THAT(Refusal(Duration(), text), HasSubstr("\"" + text + "\" is no time; write a whole"));
  }
}

TEST(AddChoiceTest, TakesOneOfItsWordsOrNamesThem) {
  CLI::App app;
  int chosen = 7;
  AddChoice(app, "--size", chosen, Choices<int>{{"small", 1}, {"large", 9}}, "");
  app.parse("", false);
  EXPECT_EQ(chosen, 7);
  app.parse("--size large", false);
  EXPECT_EQ(chosen, 9);
  EXPECT_THAT(
      [&] { app.parse("--size huge", false); },
      testing::ThrowsMessage<CLI::ValidationError>("--size: 'huge' is none of: large, small"));
}

TEST(ParameterTextTest, SaysWhatAParameterLooksLike) {
  EXPECT_EQ(Refusal(ParameterText("name=value"), "k=v"), "");
  EXPECT_EQ(Refusal(ParameterText("name=value"), "a b=v"),
            "\"a b=v\" is not name=value with a name of letters, digits and '_'");
}

TEST(FlagValuesTest, AddNothingToHelpTexts) {
  EXPECT_EQ(WholeNumber(1, 2).get_description(), "");
  EXPECT_EQ(Number(1, 2).get_description(), "");
  EXPECT_EQ(Size().get_description(), "");
  EXPECT_EQ(ParameterText("name=value").get_description(), "");
}

}  // namespace
}  // namespace palena::app
