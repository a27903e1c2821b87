// The HTTP door over sockets: what is answered, in which order, and how connections end.

#include "server/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <set>
#include <string>
#include <vector>

#include "server/running_http.h"

namespace palena::server {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class HttpServerTest : public testing::Test {
 protected:
  HttpClient Connect() { return http_.Connect(); }

  base::ManualClock clock_;
  RunningHttp http_{clock_, {}};
};

std::string Script(const std::string& text, const std::string& more = "") {
  return R"({"script":")" + text + "\"" + more + "}";
}

std::string ErrorBody(const std::string& code) {
  return R"(\{"error":\{"code":")" + code + R"(","message":".+"\}\})";
}

TEST_F(HttpServerTest, AnswersThatItLives) {
  const HttpAnswer answer = Connect().Get("/healthz");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "ok\n");
  EXPECT_EQ(answer.header("content-type"), "text/plain; charset=utf-8");
  EXPECT_EQ(answer.header("cache-control"), "no-store");
  EXPECT_EQ(answer.header("date"), "Tue, 14 Nov 2023 22:13:20 GMT");
  EXPECT_EQ(answer.header("connection"), "");
}

TEST_F(HttpServerTest, IsReadyWhenToldSo) {
  http_.server().SetReady(false);
  HttpClient client = Connect();
  const HttpAnswer starting = client.Get("/readyz");
  EXPECT_EQ(starting.status, 503);
  EXPECT_THAT(starting.body, MatchesRegex(ErrorBody("NOT_READY")));
  http_.server().SetReady(true);
  EXPECT_EQ(client.Get("/readyz").body, "ready\n");
}

TEST_F(HttpServerTest, AHeadHasTheHeadersOfItsGetAndNoBody) {
  HttpClient client = Connect();
  const HttpAnswer head = client.Ask("HEAD", "/healthz");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), "3");
  EXPECT_EQ(client.Get("/healthz").body, "ok\n");
}

// ---- scripts

TEST_F(HttpServerTest, RunsAScript) {
  const HttpAnswer answer =
      http_.Execute(Script("eset @k @v eget @k", R"(,"params":{"@k":"a","v":5})"));
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.header("content-type"), "application/json");
  EXPECT_THAT(answer.body, StartsWith(R"({"type":"get","code":"","values":[{"key":"a","value":"5",)"
                                      R"("revision":0,"expires_ms":0,)"));
  EXPECT_THAT(answer.body, HasSubstr(R"(,"truncated":false,"applied":"yes"})"));
}

struct RefusedScript {
  std::string script;
  int status;
  std::string code;
};

TEST_F(HttpServerTest, AFailureHasTheStatusOfItsCode) {
  HttpClient client = Connect();
  for (const auto& [script, status, code] : std::vector<RefusedScript>{
           {"return (", 422, "SYNTAX"},
           {"return 1 / 0", 422, "RUNTIME"},
           {"throw 'no'", 422, "THROWN"},
           {"begin set k 1 rollback end", 409, "ROLLED_BACK"},
       }) {
    const HttpAnswer answer = client.Ask("POST", "/v1/execute", Script(script));
    EXPECT_EQ(answer.status, status) << script << answer.body;
    EXPECT_THAT(answer.body, HasSubstr("\"code\":\"" + code + "\""));
  }
}

TEST_F(HttpServerTest, ABodyThatIsNoRequestIsMalformed) {
  const HttpAnswer answer = http_.Execute(R"({"skript":"return 1"})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr(R"("type":"invalid_input","code":"MALFORMED")"));
  EXPECT_THAT(answer.body, HasSubstr("Malformed body: unknown member"));
  EXPECT_EQ(http_.Execute(R"({"script":"return 1","timeout_ms":"soon"})").status, 400);
}

TEST_F(HttpServerTest, SeveralShardsAnswerInTheOrderOfTheRequests) {
  RunningHttp http(clock_, {.shards = 3});
  HttpClient client = http.Connect();
  for (int i = 0; i < 50; ++i) {
    client.SendRequest("POST", "/v1/execute",
                       Script("eset k" + std::to_string(i) + " " + std::to_string(i) + " eget k" +
                              std::to_string(i)));
  }
  for (int i = 0; i < 50; ++i) {
    const HttpAnswer answer = client.Receive();
    EXPECT_THAT(answer.body, HasSubstr("\"value\":\"" + std::to_string(i) + "\"")) << answer.body;
  }
}

// ---- addresses and methods

TEST_F(HttpServerTest, RefusesAnUnknownPath) {
  const HttpAnswer answer = Connect().Get("/v2/execute");
  EXPECT_EQ(answer.status, 404);
  EXPECT_THAT(answer.body, MatchesRegex(ErrorBody("NOT_FOUND")));
  EXPECT_THAT(answer.body, HasSubstr("/v2/execute"));
}

TEST_F(HttpServerTest, RefusesAnotherMethodAndNamesThoseAllowed) {
  HttpClient client = Connect();
  const HttpAnswer answer = client.Get("/v1/execute");
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.header("allow"), "POST");
  EXPECT_THAT(answer.body, MatchesRegex(ErrorBody("METHOD_NOT_ALLOWED")));
  EXPECT_EQ(client.Ask("BREW", "/healthz").header("allow"), "GET, HEAD");
}

TEST_F(HttpServerTest, RefusesAQueryThatMayBeForged) {
  const HttpAnswer answer = Connect().Get("/healthz?a=1&a=2");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr(R"(The parameter \"a\" is there twice)"));
}

// A page that somebody opens must not run scripts on the node of their own machine.
TEST_F(HttpServerTest, RefusesRequestsOfPagesInBrowsers) {
  const HttpAnswer answer =
      Connect().Ask("POST", "/v1/execute", Script("return 1"), "Origin: http://evil.example\r\n");
  EXPECT_EQ(answer.status, 403);
  EXPECT_THAT(answer.body, MatchesRegex(ErrorBody("FOREIGN_ORIGIN")));
}

// ---- connections

TEST_F(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  HttpClient client = Connect();
  std::string all;
  for (const std::string& body : {Script("return 1"), Script("return 2"), Script("return 3")}) {
    all +=
        "POST /v1/execute HTTP/1.1\r\nHost: p\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body;
    all += "GET /nowhere HTTP/1.1\r\nHost: p\r\n\r\n";
  }
  client.Send(all);
  for (const char* value : {"1", "2", "3"}) {
    EXPECT_THAT(client.Receive().body, HasSubstr(std::string(R"("value":")") + value + "\""));
    EXPECT_EQ(client.Receive().status, 404);
  }
}

// The second of two must see what the first has done, though it sleeps.
TEST_F(HttpServerTest, WhatIsPipelinedTakesEffectInOrder) {
  const base::SystemClock clock;
  RunningHttp http(clock, {.shards = 2});
  HttpClient client = http.Connect();
  client.SendRequest("POST", "/v1/execute", Script("sleep 30 eset order 1"));
  client.SendRequest("POST", "/v1/execute", Script("eget order"));
  EXPECT_EQ(client.Receive().status, 200);
  EXPECT_THAT(client.Receive().body, HasSubstr(R"("value":"1")"));
}

TEST_F(HttpServerTest, ClosesWhenAsked) {
  HttpClient client = Connect();
  const HttpAnswer answer = client.Ask("GET", "/healthz", "", "Connection: close\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header("connection"), "close");
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(HttpServerTest, ClosesBehindAnAnswerThatCameLater) {
  HttpClient client = Connect();
  client.SendRequest("GET", "/metrics", "", "Connection: close\r\n");
  client.SendRequest("GET", "/healthz");
  EXPECT_EQ(client.Receive().header("connection"), "close");
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(HttpServerTest, SpeaksHttp10) {
  HttpClient client = Connect();
  client.Send("GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
  EXPECT_EQ(client.Receive().header("connection"), "keep-alive");
  client.Send("GET /healthz HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.Receive().header("connection"), "close");
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(HttpServerTest, LetsAPeerSendItsBody) {
  HttpClient client = Connect();
  const std::string body = Script("return 7");
  client.Send("POST /v1/execute HTTP/1.1\r\nHost: p\r\nExpect: 100-continue\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n");
  EXPECT_EQ(client.Receive().status, 100);
  client.Send(body);
  EXPECT_THAT(client.Receive().body, HasSubstr(R"("value":"7")"));
}

TEST_F(HttpServerTest, ReadsABodyInChunks) {
  HttpClient client = Connect();
  client.Send("POST /v1/execute HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n");
  client.Send("a\r\n{\"script\":\r\nb\r\n\"return 8\"}\r\n0\r\n\r\n");
  EXPECT_THAT(client.Receive().body, HasSubstr(R"("value":"8")"));
}

TEST_F(HttpServerTest, AnswersAPeerThatHasSaidItsLast) {
  HttpClient client = Connect();
  client.SendRequest("GET", "/metrics");
  client.peer().CloseSending();
  EXPECT_EQ(client.Receive().status, 200);
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(HttpServerTest, RefusesWhatIsNoHttpAndCloses) {
  HttpClient client = Connect();
  client.Send("\x16\x03\x01\x02\r\n\r\n");
  const HttpAnswer answer = client.Receive();
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.header("connection"), "close");
  EXPECT_THAT(answer.body, MatchesRegex(ErrorBody("MALFORMED")));
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(HttpServerTest, AnswersWhatCameBeforeARefusal) {
  HttpClient client = Connect();
  client.SendRequest("POST", "/v1/execute", Script("return 9"));
  client.SendRequest("POST", "/v1/execute", "", "Content-Length: 99999999\r\n");
  EXPECT_THAT(client.Receive().body, HasSubstr(R"("value":"9")"));
  EXPECT_EQ(client.Receive().status, 413);
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(HttpServerTest, TellsASlowPeerThatItIsTooSlow) {
  HttpClient client = Connect();
  client.Send("GET /healthz HTTP/1.1\r\nHost: p\r\nX: ");
  Connect().Get("/metrics");  // what was sent before it has been read by now
  auto answer = std::async(std::launch::async, [&] { return client.Receive(); });
  while (answer.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) {
    clock_.AdvanceMs(base::kHttpRequestTimeoutMs);
  }
  EXPECT_THAT(answer.get().body, MatchesRegex(ErrorBody("REQUEST_TIMEOUT")));
}

TEST_F(HttpServerTest, ClosesAConnectionThatIsIdle) {
  HttpClient client = Connect();
  client.Get("/healthz");
  auto closed = std::async(std::launch::async, [&] { return client.IsClosed(); });
  while (closed.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) {
    clock_.AdvanceMs(base::kHttpIdleTimeoutMs);
  }
  EXPECT_TRUE(closed.get());
}

TEST_F(HttpServerTest, HasAConnectionLimitOfItsOwn) {
  RunningHttp http(clock_, {.connections_max = 1});
  HttpClient served = http.Connect();
  EXPECT_EQ(served.Get("/healthz").status, 200);
  EXPECT_EQ(http.Connect().Receive().status, 0);
}

TEST_F(HttpServerTest, WhileDrainingItRefusesAndCloses) {
  HttpClient client = Connect();
  client.Get("/healthz");
  http_.Drain();
  const HttpAnswer answer = client.Ask("POST", "/v1/execute", Script("return 1"));
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.header("connection"), "close");
  EXPECT_THAT(answer.body, HasSubstr(R"("code":"DRAINING")"));
  EXPECT_TRUE(client.IsClosed());
}

// ---- metrics

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_F(HttpServerTest, ShowsEveryNumberOfTheEngine) {
  std::promise<std::vector<engine::Metric>> gathered;
  http_.runtime().engine().CollectMetrics([&](auto metrics) { gathered.set_value(metrics); });
  std::set<std::string> engine_names;
  for (const engine::Metric& metric : gathered.get_future().get()) engine_names.insert(metric.name);
  std::set<std::string> table;
#define X(engine_name, name, type, units, help) table.insert(engine_name);
  PALENA_ENGINE_METRICS(X)
#undef X
  EXPECT_EQ(engine_names, table);
}

TEST_F(HttpServerTest, DescribesEachMetricBeforeItsNumbers) {
  HttpClient client = Connect();
  client.Get("/nowhere");
  const HttpAnswer answer = client.Get("/metrics");
  EXPECT_EQ(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  std::string described;
  for (const std::string& line : Lines(answer.body)) {
    if (line.starts_with("# HELP ")) continue;
    if (line.starts_with("# TYPE ")) {
      described = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(line.ends_with(" gauge") != described.ends_with("_total")) << line;
    } else {
      EXPECT_EQ(line.substr(0, line.find_first_of(" {")), described);
    }
  }
  EXPECT_THAT(Lines(answer.body),
              testing::IsSupersetOf({R"(palena_build_info{version="1.2.3",node_id="1"} 1)",
                                     R"(palena_connections{door="http"} 1)",
                                     R"(palena_http_responses_total{status="4xx"} 1)",
                                     "palena_clock_seconds 1700000000.000"}));
}

TEST(HttpMetricsTest, EscapesLabels) {
  EXPECT_EQ(EscapeLabel("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
}

TEST(HttpMetricsTest, WritesFractionsExactly) {
  MetricsPage page;
  page.AddEngine({{"clock_ms", -5}, {"clock_offset_us", 1'000'042}, {"runs", 3}});
  const std::string text = page.Take();
  EXPECT_THAT(text, HasSubstr("\npalena_clock_seconds -0.005\n"));
  EXPECT_THAT(text, HasSubstr("\npalena_clock_offset_seconds 1.000042\n"));
  EXPECT_THAT(text, HasSubstr("\npalena_runs_total 3\n"));
}

}  // namespace
}  // namespace palena::server
