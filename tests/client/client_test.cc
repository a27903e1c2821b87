#include "palena/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/hostile.h"
#include "client/access.h"
#include "client/test_server.h"
#include "net/loop.h"

namespace palena::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Asked = TestServer::Run;

std::unique_ptr<Client> ConnectTo(const TestServer& server, std::int64_t call_timeout_ms = 30'000) {
  ClientOptions options;
  options.address = server.address();
  options.call_timeout_ms = call_timeout_ms;
  auto client = Access::Connect(options, base::TestCapacities());
  EXPECT_TRUE(client.ok()) << client.status().message();
  return std::move(*client);
}

std::string TextOf(const StatusOr<Result>& result) {
  return result.ok() ? std::string(result->text()) : "failed: " + result.status().message();
}

// Starts a call; the future is its end.
std::future<StatusOr<Result>> Start(Client& client, const std::string& script,
                                    const Parameters& parameters = {}) {
  auto promise = std::make_shared<std::promise<StatusOr<Result>>>();
  client.ExecuteAsync(script, parameters, [promise](StatusOr<Result> result) {
    promise->set_value(std::move(result));
  });
  return promise->get_future();
}

void NeverAnswer(TestServer& /*server*/, const Asked& /*run*/) {}

TEST(ClientTest, RunsAScriptAndKnowsTheServer) {
  TestServer server;
  const auto client = ConnectTo(server);
  EXPECT_EQ(TextOf(client->Execute("get k", {{"@p", "v"}})), "text get k @p=v");
  EXPECT_EQ(client->server().server_version, "1.2.3");
  EXPECT_EQ(client->server().node_id, 7u);
  EXPECT_EQ(client->server().boot_id, 99u);
}

TEST(ClientTest, PingsAndAsksForCounters) {
  TestServer server;
  const auto client = ConnectTo(server);
  EXPECT_GE(*client->Ping(), 0);
  EXPECT_THAT(*client->Info(),
              ElementsAre(testing::Pair("runs", "12"), testing::Pair("server_version", "1.2.3")));
}

TEST(ClientTest, SendsATextOnceAndItsIdFromThenOn) {
  TestServer server;
  server.SetParameters({"@b", "@a"});
  const auto client = ConnectTo(server);
  const Parameters parameters = {{"a", "1"}, {"@b", "2"}, {"b", "ignored"}, {"c", "unused"}};
  client->Execute("s", parameters);
  client->Ping();  // by now the Prepare is answered
  EXPECT_EQ(TextOf(client->Execute("s", parameters)), "program 0=2 1=1");
  EXPECT_THAT(server.seen(), ElementsAre("hello", "text s a=1 @b=2 b=ignored c=unused", "prepare s",
                                         "ping", "program 0=2 1=1"));
}

TEST(ClientTest, KeepsSendingATextThatTheServerRefusesToPrepare) {
  TestServer server;
  server.RefuseToPrepare();
  const auto client = ConnectTo(server);
  client->Execute("s");
  client->Ping();
  client->Execute("s");
  EXPECT_THAT(server.seen(), ElementsAre("hello", "text s", "prepare s", "ping", "text s"));
}

TEST(ClientTest, SendsTheTextAgainWhenTheServerForgotTheProgram) {
  TestServer server([](TestServer& self, const Asked& run) {
    if (run.request != "program") return TestServer::Echo(self, run);
    self.Answer(run, model::Result::Failure({model::Code::kUnknownProgram, "unknown", 0, {}}));
  });
  const auto client = ConnectTo(server);
  client->Execute("s");
  client->Ping();
  EXPECT_EQ(TextOf(client->Execute("s")), "text s");
  client->Ping();  // by now the second Prepare has been seen
  EXPECT_THAT(server.seen(), ElementsAre("hello", "text s", "prepare s", "ping", "program",
                                         "text s", "prepare s", "ping"));
}

// A result of many with as many answers as there are brackets in the request.
model::Result ManyAnswer(const std::string& request) {
  model::Result result;
  const auto calls = std::ranges::count(request, '[');
  result.many.emplace().calls.resize(static_cast<std::size_t>(calls));
  return result;
}

TEST(ClientTest, SendsSeveralScriptsAsOneAndTheirIdsFromThenOn) {
  PALENA_SKIP_IF_HOSTILE("only one program is remembered");
  TestServer server(
      [](TestServer& self, const Asked& run) { self.Answer(run, ManyAnswer(run.request)); });
  server.SetParameters({"@a"});
  const auto client = ConnectTo(server);
  const Many many{{{"s", {{"@a", "1"}}}, {"t"}, {"s", {{"a", "2"}}}}, {{"u"}}};
  EXPECT_EQ(client->ExecuteMany(many)->calls.size(), 3u);
  client->Ping();  // by now the Prepares are answered
  client->ExecuteMany(many);
  EXPECT_THAT(server.seen(),
              ElementsAre("hello", "many [text s @a=1] [text t] [text s a=2] (text u)", "prepare s",
                          "prepare t", "prepare u", "ping",
                          "many [program 0=1] [program] [program 0=2] (program)"));
}

TEST(ClientTest, SendsAllTextsAgainWhenTheServerForgotOneOfSeveralPrograms) {
  PALENA_SKIP_IF_HOSTILE("only one program is remembered");
  TestServer server([](TestServer& self, const Asked& run) {
    if (!run.request.starts_with("many [program]")) {
      return self.Answer(run, ManyAnswer(run.request));
    }
    model::Result refusal =
        model::Result::Failure({model::Code::kUnknownProgram, "unknown", 0, {}});
    refusal.many.emplace().failed = 1;
    self.Answer(run, refusal);
  });
  const auto client = ConnectTo(server);
  const Many many{{{"s"}, {"t"}}};
  client->ExecuteMany(many);
  client->Ping();
  EXPECT_EQ(client->ExecuteMany(many)->calls.size(), 2u);
  client->Ping();  // by now the second Prepare has been seen
  EXPECT_THAT(server.seen(), ElementsAre("hello", "many [text s] [text t]", "prepare s",
                                         "prepare t", "ping", "many [program] [program]",
                                         "many [text s] [text t]", "prepare t", "ping"));
}

TEST(ClientTest, ARefusalWithoutAnswersIsTheVerdict) {
  TestServer server([](TestServer& self, const Asked& run) {
    self.Answer(run, model::Result::Failure({model::Code::kDraining, "closing", 0, {}}));
  });
  const auto client = ConnectTo(server);
  const StatusOr<ManyResult> result = client->ExecuteMany({{{"s"}}});
  EXPECT_EQ(result->verdict.code, "DRAINING");
  EXPECT_FALSE(result->ok());
  EXPECT_FALSE(result->failed.has_value());
}

TEST(ClientTest, AsksInTheOrderOfTheCalls) {
  TestServer server;
  const auto client = ConnectTo(server);
  std::vector<std::future<StatusOr<Result>>> answers;
  std::vector<std::string> expected;
  for (int i = 0; i < 200; ++i) {
    answers.push_back(Start(*client, "s" + std::to_string(i)));
    expected.push_back("text s" + std::to_string(i));
  }
  for (auto& answer : answers) EXPECT_TRUE(answer.get().ok());
  std::vector<std::string> runs = server.seen();
  std::erase_if(runs, [](const std::string& s) { return !s.starts_with("text"); });
  EXPECT_EQ(runs, expected);
}

TEST(ClientTest, MatchesAnswersThatComeInAnotherOrder) {
  PALENA_SKIP_IF_HOSTILE("one call is in flight at a time");
  std::vector<Asked> open;  // the server's thread
  TestServer server([&open](TestServer& self, const Asked& run) {
    open.push_back(run);
    if (open.size() < 3) return;
    for (; !open.empty(); open.pop_back()) TestServer::Echo(self, open.back());
  });
  const auto client = ConnectTo(server);
  auto a = Start(*client, "a");
  auto b = Start(*client, "b");
  auto c = Start(*client, "c");
  EXPECT_EQ(TextOf(a.get()), "text a");
  EXPECT_EQ(TextOf(b.get()), "text b");
  EXPECT_EQ(TextOf(c.get()), "text c");
}

TEST(ClientTest, KeepsWithinTheServersWindow) {
  std::vector<Asked> open;  // the server's thread
  std::atomic<std::size_t> most = 0;
  TestServer server([&](TestServer& self, const Asked& run) {
    open.push_back(run);
    most = std::max(most.load(), open.size());
    if (open.size() > 1) return;  // an earlier one answers for all
    self.Later([&] {
      for (const Asked& waiting : std::exchange(open, {})) TestServer::Echo(self, waiting);
    });
  });
  const auto client = ConnectTo(server);
  std::vector<std::future<StatusOr<Result>>> answers;
  for (int i = 0; i < 5000; ++i) answers.push_back(Start(*client, "s"));
  for (auto& answer : answers) EXPECT_TRUE(answer.get().ok());
  EXPECT_LE(most.load(), 1024u);
}

TEST(ClientTest, RefusesByItselfWhatNoServerWouldRead) {
  TestServer server;
  const auto client = ConnectTo(server);
  const StatusOr<Result> result = client->Execute("s", {{"v", std::string(2'000'000, 'x')}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->type, ResultType::kInvalidInput);
  EXPECT_EQ(result->code, "TOO_LARGE");
  EXPECT_EQ(TextOf(client->Execute("t")), "text t");
}

TEST(ClientTest, GivesUpACallThatIsNotAnsweredInTime) {
  TestServer server([](TestServer& self, const Asked& run) {
    if (run.request == "text good") TestServer::Echo(self, run);
  });
  const auto client = ConnectTo(server, 50);
  const StatusOr<Result> result = client->Execute("silence");
  EXPECT_EQ(result.status().code(), StatusCode::kDeadlineExceeded);
  EXPECT_THAT(result.status().message(), HasSubstr("no answer within 50 ms"));
  EXPECT_EQ(TextOf(client->Execute("good")), "text good");
}

TEST(ClientTest, FailsCallsInFlightWhenTheConnectionBreaksAndConnectsAgain) {
  PALENA_SKIP_IF_HOSTILE("one call is in flight at a time");
  TestServer server([](TestServer& self, const Asked& run) {
    if (run.request == "text break") return self.Break(run);
    if (run.request != "text silence") TestServer::Echo(self, run);
  });
  const auto client = ConnectTo(server);
  auto in_flight = Start(*client, "silence");
  EXPECT_EQ(client->Execute("break").status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(in_flight.get().status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(TextOf(client->Execute("again")), "text again");
}

TEST(ClientTest, ForgetsProgramsOfABrokenConnection) {
  TestServer server([](TestServer& self, const Asked& run) {
    run.request == "text break" ? self.Break(run) : TestServer::Echo(self, run);
  });
  const auto client = ConnectTo(server);
  client->Execute("s");
  client->Execute("break");
  EXPECT_EQ(TextOf(client->Execute("s")), "text s");
}

TEST(ClientTest, CallsMadeMeanwhileWaitForTheServerToComeBack) {
  auto server = std::make_unique<TestServer>();
  const std::uint16_t port = server->port();
  const auto client = ConnectTo(*server);
  server.reset();
  auto first = Start(*client, "a");
  auto second = Start(*client, "b");
  server = std::make_unique<TestServer>(TestServer::Echo, port);
  // The first may have left before the client noticed the break.
  const StatusOr<Result> answer = first.get();
  EXPECT_TRUE(answer.ok() || answer.status().code() == StatusCode::kUnavailable);
  if (answer.ok()) {
    EXPECT_EQ(TextOf(second.get()), "text b");
  }
  EXPECT_EQ(TextOf(client->Execute("c")), "text c");
}

TEST(ClientTest, CallsWithoutAConnectionEndInTime) {
  auto server = std::make_unique<TestServer>();
  const auto client = ConnectTo(*server, 100);
  server.reset();
  client->Execute("notices the break, or waits");
  const StatusOr<Result> result = client->Execute("s");
  EXPECT_EQ(result.status().code(), StatusCode::kDeadlineExceeded);
  EXPECT_THAT(result.status().message(), HasSubstr("no connection within 100 ms: cannot connect"));
  EXPECT_FALSE(client->is_connected());
}

TEST(ClientTest, KnowsThatItIsConnected) {
  TestServer server;
  EXPECT_TRUE(ConnectTo(server)->is_connected());
}

TEST(ClientTest, AServerThatClosesBeforeTheHandshakeMayBeFull) {
  base::SystemClock clock;
  net::Loop loop(clock, "full");
  auto listener =
      net::Listener::Open({.address = {"127.0.0.1", 0}, .connections_max = 0}, {{&loop, nullptr}});
  ASSERT_TRUE(listener.ok()) << listener.status();
  const auto client = Client::Connect({.address = net::FormatAddress((*listener)->address())});
  EXPECT_EQ(client.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(client.status().message(),
              HasSubstr("closed the connection before the handshake, its connection limit may be"));
  listener->reset();
  loop.Stop();
}

TEST(ClientTest, ClosingFailsWhatIsInFlight) {
  TestServer server(NeverAnswer);
  auto client = ConnectTo(server);
  auto open = Start(*client, "s");
  server.AwaitSeen("text s", 1);
  client.reset();
  EXPECT_EQ(open.get().status().code(), StatusCode::kUnavailable);
}

TEST(ClientTest, ACallbackMayCallButNotWait) {
  TestServer server;
  const auto client = ConnectTo(server);
  std::promise<StatusCode> waited;
  std::promise<std::string> called;
  client->ExecuteAsync("a", {}, [&](const StatusOr<Result>&) {
    waited.set_value(client->Execute("b").status().code());
    client->ExecuteAsync("c", {}, [&](const StatusOr<Result>& r) { called.set_value(TextOf(r)); });
  });
  EXPECT_EQ(waited.get_future().get(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(called.get_future().get(), "text c");
}

TEST(ClientTest, SaysWhatAServerThatTalksNonsenseDid) {
  TestServer server([](TestServer& self, const Asked& run) {
    if (run.request == "text good") return TestServer::Echo(self, run);
    self.SendBytes(run, std::string("\xFF\xFF\xFF\xFF", 4));
  });
  const auto client = ConnectTo(server);
  const StatusOr<Result> result = client->Execute("bad");
  EXPECT_EQ(result.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(result.status().message(), HasSubstr("4294967295 bytes"));
  EXPECT_EQ(TextOf(client->Execute("good")), "text good");
}

TEST(ClientConnectTest, NamesTheAddressWhenNobodyAnswers) {
  auto server = std::make_unique<TestServer>();
  ClientOptions options;
  options.address = server->address();
  server.reset();
  const auto client = Access::Connect(options, base::TestCapacities());
  EXPECT_EQ(client.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(client.status().message(), HasSubstr(options.address));
}

TEST(ClientConnectTest, SaysWhyAServerRefused) {
  TestServer server;
  server.RefuseHandshakes();
  ClientOptions options;
  options.address = server.address();
  const auto client = Access::Connect(options, base::TestCapacities());
  EXPECT_EQ(client.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(client.status().message(), HasSubstr("not today"));
}

TEST(ClientConnectTest, RefusesBadOptions) {
  EXPECT_EQ(Client::Connect({.address = "nowhere"}).status().code(), StatusCode::kInvalidArgument);
  ClientOptions options;
  options.connect_timeout_ms = 0;
  EXPECT_EQ(Client::Connect(options).status().code(), StatusCode::kInvalidArgument);
  options = {};
  options.call_timeout_ms = -1;
  EXPECT_EQ(Client::Connect(options).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace palena::client
