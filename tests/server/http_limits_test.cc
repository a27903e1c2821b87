// Named limits over HTTP: what is asked by an address, and how it is answered. Time stands still
// unless a test moves it; 40 s of the window of a minute are left.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/hostile.h"
#include "server/running_http.h"

namespace palena::server {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kLimits = R"(
[limits.login]
limiter = "fixed_window"
key = "login:{subject}"
limit = 10
window_ms = 60000

[limits.page]
limiter = "fixed_window"
key = "page:{user_type}:{subject}:{path}"
limit = 1
window_ms = 60000

[limits.bucket]
limiter = "token_bucket"
key = "bucket:{subject}"
capacity = 5
refill_tokens = 1
refill_ms = 1500

[limits.lease]
limiter = "concurrency"
key = "lease:{subject}"
limit = 1
lease_ms = 30000

[limits.shadow]
limiter = "fixed_window"
key = "shadow:{subject}"
limit = 0
window_ms = 60000
shadow = true

[limits.open]
limiter = "fixed_window"
key = "open:{subject}"
limit = 1
window_ms = 60000
on_error = "allow"
)";

class HttpLimitsTest : public testing::Test {
 protected:
  HttpAnswer Take(const std::string& rest) { return client_.Get("/v1/limits/" + rest); }
  HttpAnswer Post(const std::string& rest) { return client_.Ask("POST", "/v1/limits/" + rest); }
  HttpAnswer TakeMany(const std::string& body, const std::string& query = "") {
    return client_.Ask("POST", "/v1/take" + query, body);
  }
  void ExpectRefused(const HttpAnswer& answer, int status, const std::string& code,
                     const std::string& reason) {
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_THAT(answer.body, StartsWith(R"({"error":{"code":")" + code + "\""));
    EXPECT_THAT(answer.body, HasSubstr(reason));
  }

  base::ManualClock clock_;
  RunningHttp http_{clock_, {.shards = 2, .limits = kLimits}};
  HttpClient client_ = http_.Connect();
};

TEST_F(HttpLimitsTest, ATakeHasTheBodyAndTheHeadersOfTheContract) {
  const HttpAnswer answer = Take("login/take?subject=ada&cost=7");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"allowed":true,"limit":10,"remaining":3,"retry_after_ms":0,)"
                         R"("reset_at_ms":1700000040000,"name":"login"})");
  EXPECT_EQ(answer.header("ratelimit-policy"), R"("login";q=10;w=60)");
  EXPECT_EQ(answer.header("ratelimit"), R"("login";r=3;t=40)");
  EXPECT_EQ(answer.header("cache-control"), "no-store");
  EXPECT_EQ(answer.headers.count("retry-after"), 0u);
}

TEST_F(HttpLimitsTest, TheEleventhIsRefusedAndToldWhenToComeAgain) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Post("login/take?subject=ada").status, 200);
  const HttpAnswer refused = Take("login/take?subject=ada");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.body, R"({"allowed":false,"limit":10,"remaining":0,"retry_after_ms":40000,)"
                          R"("reset_at_ms":1700000040000,"name":"login"})");
  EXPECT_EQ(refused.header("retry-after"), "40");
  EXPECT_EQ(refused.header("ratelimit"), R"("login";r=0;t=40)");
  EXPECT_EQ(Take("login/take?subject=bob").status, 200);
}

TEST_F(HttpLimitsTest, WaitsAreRoundedUpToSeconds) {
  Take("login/take?subject=ada&cost=10");
  clock_.AdvanceMs(1);
  EXPECT_EQ(Take("login/take?subject=ada").header("retry-after"), "40");
  clock_.AdvanceMs(999);
  EXPECT_EQ(Take("login/take?subject=ada").header("retry-after"), "39");
  clock_.AdvanceMs(38'999);
  EXPECT_EQ(Take("login/take?subject=ada").header("retry-after"), "1");
  clock_.AdvanceMs(1);
  EXPECT_EQ(Take("login/take?subject=ada").status, 200);
}

TEST_F(HttpLimitsTest, TheWaitIsThisCallersAndNotThatOfTheWindow) {
  Take("bucket/take?subject=ada&cost=5");
  const HttpAnswer refused = Take("bucket/take?subject=ada");
  EXPECT_THAT(refused.body, HasSubstr(R"("retry_after_ms":1500)"));
  EXPECT_EQ(refused.header("retry-after"), "2");
  EXPECT_EQ(refused.header("ratelimit"), R"("bucket";r=0;t=2)");
}

TEST_F(HttpLimitsTest, WhatNeverFitsIsNotToldToComeAgain) {
  const HttpAnswer refused = Take("login/take?subject=ada&cost=11");
  EXPECT_EQ(refused.status, 429);
  EXPECT_THAT(refused.body, HasSubstr(R"("remaining":10,"retry_after_ms":-1,)"));
  EXPECT_EQ(refused.headers.count("retry-after"), 0u);
}

TEST_F(HttpLimitsTest, ARefusalHasTheStatusThatTheProxyTakes) {
  Take("login/take?subject=ada&cost=10");
  EXPECT_EQ(Take("login/take?subject=ada&deny_status=403").status, 403);
  EXPECT_EQ(Take("login/take?subject=ada&deny_status=503").status, 503);
  ExpectRefused(Take("login/take?subject=ada&deny_status=200"), 400, "MALFORMED",
                "403, 429 or 503");
}

TEST_F(HttpLimitsTest, APeekTakesNothing) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Take("login/peek?subject=ada").body, HasSubstr(R"("remaining":10,)"));
  }
  Take("login/take?subject=ada&cost=10");
  const HttpAnswer peeked = Take("login/peek?subject=ada");
  EXPECT_EQ(peeked.status, 200);
  EXPECT_THAT(peeked.body, StartsWith(R"({"allowed":false,)"));
}

TEST_F(HttpLimitsTest, AHeadTakesToo) {
  client_.Ask("HEAD", "/v1/limits/login/take?subject=ada");
  EXPECT_THAT(Take("login/peek?subject=ada").body, HasSubstr(R"("remaining":9,)"));
}

// ---- who is meant

TEST_F(HttpLimitsTest, PartsAreDecodedAndKeptApart) {
  EXPECT_EQ(Take("page/take?user_type=user&subject=a%3Ab&path=/x").status, 200);
  EXPECT_EQ(Take("page/take?user_type=user%3Aa&subject=b&path=/x").status, 200);
  EXPECT_EQ(Take("page/take?path=%2Fx&subject=a%3ab&user%5ftype=user").status, 429);
}

TEST_F(HttpLimitsTest, PartsMayComeAsHeadersThatNobodyCanWriteParametersInto) {
  const std::string forged = "Palena-Part-Subject: ada&cost=0\r\nPalena-Part-user_TYPE: user\r\n";
  EXPECT_EQ(client_.Ask("GET", "/v1/limits/page/take?path=/x", "", forged).status, 200);
  EXPECT_EQ(client_.Ask("GET", "/v1/limits/page/take?path=/x", "", forged).status, 429);
}

TEST_F(HttpLimitsTest, NothingIsSaidTwiceOrByAHeaderThatMayNot) {
  const std::string subject = "Palena-Part-subject: ada\r\n";
  ExpectRefused(client_.Ask("GET", "/v1/limits/login/take?subject=bob", "", subject), 400,
                "MALFORMED", "given twice");
  ExpectRefused(client_.Ask("GET", "/v1/limits/login/take", "", subject + subject), 400,
                "MALFORMED", "given twice");
  ExpectRefused(
      client_.Ask("GET", "/v1/limits/login/take", "", subject + "Palena-Part-Cost: 0\r\n"), 400,
      "MALFORMED", "cannot be given by a header");
  ExpectRefused(Take("login/take?subject=bob&subject=ada"), 400, "MALFORMED", "there twice");
}

TEST_F(HttpLimitsTest, AMistakeIsNamed) {
  ExpectRefused(Take("nope/take?subject=ada"), 404, "UNKNOWN_LIMIT", "nope");
  ExpectRefused(Take("login/take"), 400, "MALFORMED", "subject");
  ExpectRefused(Take("login/take?subject=ada&path=/"), 400, "MALFORMED", "path");
  for (const char* cost : {"-1", "", "1.5", "+1", "%201", "99999999999999999999", "x"}) {
    ExpectRefused(Take(std::string("login/take?subject=ada&cost=") + cost), 400, "MALFORMED",
                  "cost");
  }
  ExpectRefused(client_.Ask("POST", "/v1/limits/login/take?subject=ada", "cost=5"), 400,
                "MALFORMED", "has a body");
  EXPECT_THAT(Take("login/peek?subject=ada").body, HasSubstr(R"("remaining":10,)"));
}

// ---- leases

TEST_F(HttpLimitsTest, ALeaseIsTakenRenewedAndGivenBack) {
  EXPECT_EQ(Post("lease/take?subject=s&owner=a").status, 200);
  const HttpAnswer refused = Post("lease/take?subject=s&owner=b");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.header("retry-after"), "30");
  EXPECT_EQ(Post("lease/renew?subject=s&owner=a").body, R"({"held":true,"name":"lease"})");
  const HttpAnswer none = Post("lease/renew?subject=s&owner=b");
  EXPECT_EQ(none.status, 409);
  EXPECT_EQ(none.body, R"({"held":false,"name":"lease"})");
  EXPECT_EQ(Post("lease/release?subject=s&owner=a").body, R"({"held":true,"name":"lease"})");
  const HttpAnswer again = Post("lease/release?subject=s&owner=a");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, R"({"held":false,"name":"lease"})");
  EXPECT_EQ(Post("lease/take?subject=s&owner=b").status, 200);
}

TEST_F(HttpLimitsTest, OnlyLimitsOfLeasesHaveOwners) {
  ExpectRefused(Post("login/renew?subject=s&owner=a"), 400, "MALFORMED", "login");
  ExpectRefused(Post("lease/take?subject=s"), 400, "MALFORMED", "owner");
}

// ---- what an operator does

TEST_F(HttpLimitsTest, AResetForgetsOneCaller) {
  Take("login/take?subject=a%2Fb&cost=10");
  Take("login/take?subject=bob&cost=10");
  const std::string address = "/v1/limits/login/subjects/";
  EXPECT_EQ(client_.Ask("DELETE", address + "a%2Fb").body, R"({"reset":true})");
  EXPECT_EQ(client_.Ask("DELETE", address + "a%2Fb").body, R"({"reset":false})");
  EXPECT_EQ(Take("login/take?subject=a%2Fb").status, 200);
  EXPECT_EQ(Take("login/take?subject=bob").status, 429);
  ExpectRefused(client_.Ask("DELETE", "/v1/limits/nope/subjects/ada"), 404, "UNKNOWN_LIMIT",
                "nope");
}

TEST_F(HttpLimitsTest, AResetOfAKeyOfSeveralPartsNeedsThemAll) {
  Take("page/take?user_type=user&subject=ada&path=/x");
  const std::string address = "/v1/limits/page/subjects/ada";
  ExpectRefused(client_.Ask("DELETE", address), 400, "MALFORMED", "user_type");
  EXPECT_EQ(client_.Ask("DELETE", address + "?user_type=user&path=/x").status, 200);
  EXPECT_EQ(Take("page/take?user_type=user&subject=ada&path=/x").status, 200);
}

TEST_F(HttpLimitsTest, AShadowAllowsAndSaysThatItWouldNot) {
  const HttpAnswer answer = Take("shadow/take?subject=ada");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, StartsWith(R"({"allowed":true,)"));
  EXPECT_THAT(answer.body, HasSubstr(R"("shadow_refused":true})"));
}

TEST_F(HttpLimitsTest, CountsAreListedAndInTheMetrics) {
  Take("login/take?subject=ada&cost=10");
  Take("login/take?subject=a%22b&cost=11");
  Take("shadow/take?subject=ada");
  const HttpAnswer list = client_.Get("/v1/limits");
  EXPECT_THAT(list.body, HasSubstr(R"({"name":"login","limiter":"fixed_window",)"
                                   R"("key":"login:{subject}","limit":10,"window_ms":60000,)"
                                   R"("shadow":false,"counts":{"allowed":1,"denied":1,)"
                                   R"("shadow_denied":0,"errors":0}})"));
  EXPECT_THAT(list.body,
              HasSubstr(R"({"limit":"login","subject":"a\"b","refused":1,"over_by":0})"));
  const HttpAnswer metrics = client_.Get("/metrics");
  EXPECT_THAT(metrics.body,
              HasSubstr("\npalena_limit_takes_total{limit=\"login\",outcome=\"denied\"} 1\n"));
  EXPECT_THAT(
      metrics.body,
      HasSubstr("\npalena_limit_takes_total{limit=\"shadow\",outcome=\"shadow_denied\"} 1\n"));
  EXPECT_THAT(metrics.body, Not(HasSubstr("a\\\"b")));
}

// ---- several at once

constexpr const char* kBoth = R"({"limits":[{"name":"login","subject":"ada","cost":4},)"
                              R"({"name":"page","parts":{"user_type":"u","path":"/"},)"
                              R"("subject":"ada"}]})";

TEST_F(HttpLimitsTest, SeveralAreTakenAtOnce) {
  const HttpAnswer answer = TakeMany(kBoth);
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.body, R"({"allowed":true,"retry_after_ms":0,"refused":[],"limits":[)"
                         R"({"allowed":true,"limit":10,"remaining":6,"retry_after_ms":0,)"
                         R"("reset_at_ms":1700000040000,"name":"login"},)"
                         R"({"allowed":true,"limit":1,"remaining":0,"retry_after_ms":0,)"
                         R"("reset_at_ms":1700000040000,"name":"page"}]})");
  EXPECT_EQ(answer.header("ratelimit-policy"), R"("login";q=10;w=60, "page";q=1;w=60)");
  EXPECT_EQ(answer.header("ratelimit"), R"("login";r=6;t=40, "page";r=0;t=40)");
}

TEST_F(HttpLimitsTest, WhenOneRefusesNoneIsCharged) {
  TakeMany(kBoth);
  const HttpAnswer refused = TakeMany(kBoth, "?deny_status=403");
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, StartsWith(R"({"allowed":false,"retry_after_ms":40000,)"
                                       R"("refused":["page"],"limits":[{"allowed":true,)"));
  EXPECT_EQ(refused.header("retry-after"), "40");
  EXPECT_THAT(Take("login/peek?subject=ada").body, HasSubstr(R"("remaining":6,)"));
}

TEST_F(HttpLimitsTest, ABodyThatIsNoListOfLimitsIsRefused) {
  for (const auto& [body, reason] : std::vector<std::pair<std::string, std::string>>{
           {"", "no JSON"},
           {"[]", "no object"},
           {R"({"limits":{}})", "no array"},
           {R"({"limits":[]})", "missing or empty"},
           {R"({"limits":[7]})", "no object"},
           {R"({"limits":[{"subject":"ada"}]})", R"(no \"name\")"},
           {R"({"limits":[{"name":"login","subject":7}]})", R"(\"subject\" is no string)"},
           {R"({"limits":[{"name":"login","subject":"a","cost":-1}]})", R"(\"cost\")"},
           {R"({"limits":[{"name":"login","subject":"a","cost":1.5}]})", R"(\"cost\")"},
           {R"({"limits":[{"name":"login","subject":"a","price":1}]})", R"(\"price\")"},
           {R"({"limits":[{"name":"login","parts":[]}]})", R"(\"parts\" is no object)"},
           {R"({"limit":[]})", R"(\"limit\")"},
       }) {
    ExpectRefused(TakeMany(body), 400, "MALFORMED", reason);
  }
  ExpectRefused(TakeMany(kBoth, "?cost=2"), 400, "MALFORMED", "belongs into the body");
  ExpectRefused(TakeMany(std::string(base::kHttpTakeBodyBytesMax + 1, ' ')), 413, "BODY_TOO_LARGE",
                "at most 65536");
  EXPECT_EQ(TakeMany(R"({"limits":[{"name":"nope"}]})").status, 404);
}

TEST_F(HttpLimitsTest, TakesAtMostSoManyAtOnce) {
  const auto many = [](std::size_t count) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) {
      list += (i == 0 ? "" : ",") + (R"({"name":"login","subject":")" + std::to_string(i) + "\"}");
    }
    return R"({"limits":[)" + list + "]}";
  };
  EXPECT_EQ(TakeMany(many(limits::kWishesMax)).status, 200);
  ExpectRefused(TakeMany(many(limits::kWishesMax + 1)), 400, "MALFORMED", "at most 16");
}

// ---- when the node cannot decide

TEST_F(HttpLimitsTest, WhatCannotBeDecidedIsAnsweredAsTheLimitSays) {
  http_.Drain();
  const HttpAnswer denied = http_.Connect().Get("/v1/limits/login/take?subject=ada");
  EXPECT_EQ(denied.status, 503);
  EXPECT_THAT(denied.body, StartsWith(R"({"allowed":false,"retry_after_ms":)"));
  EXPECT_THAT(denied.body, HasSubstr(R"("error":{"code":"DRAINING",)"));
  EXPECT_NE(denied.header("retry-after"), "");
  EXPECT_EQ(denied.header("connection"), "close");
  EXPECT_EQ(http_.Connect().Get("/v1/limits/login/take?subject=a&deny_status=403").status, 403);
  const HttpAnswer allowed = http_.Connect().Get("/v1/limits/open/take?subject=ada");
  EXPECT_EQ(allowed.status, 200);
  EXPECT_THAT(allowed.body, StartsWith(R"({"allowed":true,)"));
}

// ---- all at once

struct Budget {
  std::string limiter;
  std::string settings;
  std::string query;  // {i}: the number of the take
};

class HttpConcurrentTakesTest : public testing::TestWithParam<Budget> {};

// Two thousand takes on forty connections, all sent before the first answer is read.
TEST_P(HttpConcurrentTakesTest, AdmitExactlyTheBudget) {
  PALENA_SKIP_IF_HOSTILE("half a million reads of one byte each say no more");
  constexpr int kConnections = 40;
  constexpr int kTakesEach = 50;
  const base::ManualClock clock;
  RunningHttp http(clock, {.shards = 4,
                           .limits = "[limits.budget]\nlimiter = \"" + GetParam().limiter +
                                     "\"\nkey = \"b:{subject}\"\n" + GetParam().settings});
  std::vector<HttpClient> clients;
  for (int i = 0; i < kConnections; ++i) clients.push_back(http.Connect());
  for (int i = 0; i < kConnections; ++i) {
    for (int take = 0; take < kTakesEach; ++take) {
      const std::string owner = GetParam().query + std::to_string(i) + "-" + std::to_string(take);
      clients[i].SendRequest(
          "POST", "/v1/limits/budget/take?subject=all" + (GetParam().query.empty() ? "" : owner));
    }
  }
  int allowed = 0;
  for (HttpClient& client : clients) {
    for (int take = 0; take < kTakesEach; ++take) {
      const HttpAnswer answer = client.Receive();
      EXPECT_TRUE(answer.status == 200 || answer.status == 429) << answer.body;
      allowed += answer.status == 200 ? 1 : 0;
    }
  }
  EXPECT_EQ(allowed, 100);
}

INSTANTIATE_TEST_SUITE_P(
    Limiters, HttpConcurrentTakesTest,
    testing::Values(Budget{"fixed_window", "limit = 100\nwindow_ms = 60000\n", ""},
                    Budget{"first_hit_window", "limit = 100\nwindow_ms = 60000\n", ""},
                    Budget{"sliding_window", "limit = 100\nwindow_ms = 60000\nsegments = 6\n", ""},
                    Budget{"sliding_log", "limit = 100\nwindow_ms = 60000\n", ""},
                    Budget{"token_bucket", "capacity = 100\nrefill_tokens = 1\nrefill_ms = 60000\n",
                           ""},
                    Budget{"gcra", "max_burst = 99\ncount = 1\nperiod_ms = 60000\n", ""},
                    Budget{"concurrency", "limit = 100\nlease_ms = 60000\n", "&owner="}),
    [](const auto& budget) { return budget.param.limiter; });

}  // namespace
}  // namespace palena::server
