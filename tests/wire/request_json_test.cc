// What `palena batch` and the HTTP door share; tests/app/cli_batch_line_test.cc has the rest.

#include "wire/request_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace palena::wire {
namespace {

std::string ErrorOf(std::string_view text, RequestTimeout timeout = RequestTimeout::kAllowed) {
  auto parsed = ParseRequestJson(text, timeout);
  return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "";
}

TEST(RequestJsonTest, ReadsATimeoutWhereOneIsAllowed) {
  const auto parsed =
      ParseRequestJson(R"({"script":"return 1","timeout_ms":250})", RequestTimeout::kAllowed);
  ASSERT_TRUE(std::holds_alternative<JsonRequest>(parsed));
  EXPECT_EQ(std::get<JsonRequest>(parsed).timeout_ms, 250);
}

TEST(RequestJsonTest, ATimeoutIsAWholeNumberAboveZero) {
  EXPECT_EQ(ErrorOf(R"({"script":"","timeout_ms":0})"),
            "\"timeout_ms\" is 0, not a number above 0");
  EXPECT_EQ(ErrorOf(R"({"script":"","timeout_ms":-5})"),
            "\"timeout_ms\" is -5, not a number above 0");
  EXPECT_EQ(ErrorOf(R"({"script":"","timeout_ms":18446744073709551615})"),
            "\"timeout_ms\" is 18446744073709551615, not a number above 0");
  for (const char* value : {"1.5", "\"5\"", "null", "true"}) {
    EXPECT_EQ(ErrorOf(std::string(R"({"script":"","timeout_ms":)") + value + "}"),
              "\"timeout_ms\" is no whole number");
  }
  EXPECT_EQ(ErrorOf(R"({"script":"","timeout_ms":{}})"), "\"timeout_ms\" is an object");
}

TEST(RequestJsonTest, ElsewhereATimeoutIsUnknown) {
  EXPECT_EQ(ErrorOf(R"({"script":"","timeout_ms":5})", RequestTimeout::kUnknown),
            "unknown member \"timeout_ms\"; \"script\" and \"params\" are known");
}

}  // namespace
}  // namespace palena::wire
