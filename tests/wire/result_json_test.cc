#include "wire/result_json.h"

#include <gtest/gtest.h>

namespace palena::wire {
namespace {

Result Answer(std::optional<std::string> value) {
  Result result;
  result.values.push_back({"", std::move(value), -1, 0, 0});
  return result;
}

TEST(ResultJsonTest, HasTheFieldsOfTheContractInOrder) {
  EXPECT_EQ(ResultJson(Answer("1")),
            R"({"type":"get","code":"","values":[{"key":"","value":"1","revision":-1,)"
            R"("expires_ms":0,"last_modified_ms":0}],"reason":"","line":0,)"
            R"("stamp":{"ms":0,"counter":0,"node":0},"truncated":false,"applied":"yes"})");
}

TEST(ResultJsonTest, ShowsAFailureWithCodeLineAndNoValues) {
  Result result;
  result.type = ResultType::kErrored;
  result.code = "RUNTIME";
  result.reason = "Division by zero at line 2";
  result.line = 2;
  result.stamp = {1'700'000'000'000, 7, 3};
  result.applied = Applied::kNo;
  EXPECT_EQ(ResultJson(result),
            R"({"type":"errored","code":"RUNTIME","values":[],)"
            R"("reason":"Division by zero at line 2","line":2,)"
            R"("stamp":{"ms":1700000000000,"counter":7,"node":3},"truncated":false,)"
            R"("applied":"no"})");
}

TEST(ResultJsonTest, TellsNullFromEmpty) {
  EXPECT_NE(ResultJson(Answer(std::nullopt)).find(R"("value":null)"), std::string::npos);
  EXPECT_NE(ResultJson(Answer("")).find(R"("value":"")"), std::string::npos);
}

TEST(ResultJsonTest, SendsBytesThatAreNoTextAsBase64) {
  const std::string json = ResultJson(Answer(std::string("\xFF\x00\x01", 3)));
  EXPECT_NE(json.find(R"({"key":"","value_base64":"/wAB","revision")"), std::string::npos) << json;
  EXPECT_EQ(json.find("\"value\":"), std::string::npos);
}

TEST(ResultJsonTest, KeepsTextBeyondAsciiAndEscapesControlCharacters) {
  const std::string json = ResultJson(Answer("h\xC3\xA9\n\"\x01"));
  EXPECT_NE(json.find("\"value\":\"h\xC3\xA9\\n\\\"\\u0001\""), std::string::npos) << json;
}

TEST(ResultJsonTest, ReplacesStrayBytesInKeysAndReasons) {
  Result result = Answer("1");
  result.values.front().key = "k\xFF";
  result.reason = "\xC0";
  const std::string json = ResultJson(result);
  EXPECT_NE(json.find("\"key\":\"k\xEF\xBF\xBD\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"reason\":\"\xEF\xBF\xBD\""), std::string::npos) << json;
}

TEST(IsUtf8Test, RefusesSurrogatesOverlongFormsAndCutSequences) {
  EXPECT_TRUE(IsUtf8("\xF0\x9F\x98\x80 \xE2\x82\xAC"));
  EXPECT_FALSE(IsUtf8("\xED\xA0\x80"));
  EXPECT_FALSE(IsUtf8("\xC0\x80"));
  EXPECT_FALSE(IsUtf8("\xE2\x82"));
}

}  // namespace
}  // namespace palena::wire
