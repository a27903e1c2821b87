#include "server/http_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/http_routes.h"

namespace palena::server {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

HttpTarget Read(std::string_view text) {
  auto parsed = ParseHttpTarget(text);
  EXPECT_TRUE(std::holds_alternative<HttpTarget>(parsed)) << std::get<std::string>(parsed);
  return std::get<HttpTarget>(std::move(parsed));
}

std::string ErrorOf(std::string_view text) {
  auto parsed = ParseHttpTarget(text);
  return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "";
}

TEST(HttpTargetTest, SplitsBeforeItDecodes) {
  const HttpTarget target = Read("/v1/limits/a%2Fb/subjects/x%3Fy?subject=a%26b%3Dc&path=/a/b");
  EXPECT_THAT(target.path, ElementsAre("v1", "limits", "a/b", "subjects", "x?y"));
  EXPECT_THAT(target.query, ElementsAre(Pair("subject", "a&b=c"), Pair("path", "/a/b")));
}

TEST(HttpTargetTest, ReadsAPlusAsFormsWriteIt) {
  EXPECT_THAT(Read("/a+b?c+d=e+f%2B").path, ElementsAre("a+b"));
  EXPECT_THAT(Read("/?c+d=e+f%2B").query, ElementsAre(Pair("c d", "e f+")));
}

TEST(HttpTargetTest, KeepsBytesThatAreNoText) {
  EXPECT_EQ(*Read("/?subject=%00%ff").Find("subject"), std::string("\0\xff", 2));
}

TEST(HttpTargetTest, ReadsEmptyPartsAsEmpty) {
  EXPECT_THAT(Read("//a/").path, ElementsAre("", "a", ""));
  EXPECT_THAT(Read("/?a&b=&&c=1=2").query,
              ElementsAre(Pair("a", ""), Pair("b", ""), Pair("c", "1=2")));
  EXPECT_THAT(Read("/a?").query, ElementsAre());
}

TEST(HttpTargetTest, IgnoresTheHostThatProxiesPutInFront) {
  EXPECT_THAT(Read("http://host:80/healthz?x=1").path, ElementsAre("healthz"));
  EXPECT_THAT(Read("http://host").path, ElementsAre(""));
  EXPECT_THAT(Read("/a://b").path, ElementsAre("a:", "", "b"));
}

TEST(HttpTargetTest, RefusesAParameterThatIsThereTwice) {
  EXPECT_EQ(ErrorOf("/?subject=me&cost=1&%73ubject=you"),
            "The parameter \"subject\" is there twice; give it once");
}

TEST(HttpTargetTest, RefusesWhatIsNotEscaped) {
  for (const char* text : {"/%", "/%4", "/%zz", "/?a=%", "/?a=%4", "/?%G0=1", "/?a=100%&b=1"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("write %25 for a %")) << text;
  }
  EXPECT_EQ(ErrorOf("/?=1"), "The parameter \"=1\" has no name");
  EXPECT_THAT(ErrorOf("*"), HasSubstr("is no path"));
  EXPECT_THAT(ErrorOf("healthz"), HasSubstr("is no path"));
}

TEST(HttpRoutesTest, FindsTheRouteOfAPath) {
  std::vector<std::string_view> names;
  const HttpTarget target = Read("/v1/limits/log%20in/subjects/me");
  const HttpRoute* const route = FindHttpRoute(target.path, names);
  ASSERT_NE(route, nullptr);
  EXPECT_EQ(route->action, HttpAction::kReset);
  EXPECT_THAT(names, ElementsAre("log in", "me"));
}

TEST(HttpRoutesTest, KnowsNoOtherPath) {
  std::vector<std::string_view> names;
  for (const char* text : {"/", "/healthz/", "/v1", "/v1/limits/a/take/", "/v1/limits/a/takes",
                           "//healthz", "/v1/execute/x"}) {
    EXPECT_EQ(FindHttpRoute(Read(text).path, names), nullptr) << text;
  }
}

TEST(HttpRoutesTest, AllowsWholeMethodsOnly) {
  const HttpRoute route{HttpAction::kTake, "/", "GET, HEAD, POST"};
  EXPECT_TRUE(route.Allows("GET"));
  EXPECT_TRUE(route.Allows("POST"));
  for (const char* method : {"", "GE", "get", "GET, HEAD", "PUT"}) {
    EXPECT_FALSE(route.Allows(method)) << method;
  }
}

}  // namespace
}  // namespace palena::server
