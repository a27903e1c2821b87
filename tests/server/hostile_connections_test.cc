// Connections that break the rules: each ends in a typed refusal or a counted close, and the server
// serves on. One shard, so that an answer to a ping means that everything before it has happened.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/limits.h"
#include "server/running_server.h"
#include "server/wire_client.h"

namespace palena::server {
namespace {

using model::Code;
using net::CloseReason;
using testing::HasSubstr;

class HostileConnectionTest : public testing::Test {
 protected:
  WireClient Silent() const { return WireClient(server_.address()); }
  WireClient Greeted() const { return WireClient::Greeted(server_.address()); }
  void Barrier() { ASSERT_TRUE(other_->Ping().ok()); }
  std::uint64_t Closed(CloseReason reason) {
    Barrier();
    return server_.Closed(reason);
  }
  // One byte after the other, more slowly than any deadline allows.
  void Trickle(WireClient& client) {
    for (int i = 0; i < 110; ++i) {
      client.Send("t");
      Barrier();
      clock_.AdvanceMs(100);
    }
  }
  void ExpectServes() {
    const auto answer = other_->Execute("return 1 + 1");
    ASSERT_TRUE(answer.ok()) << answer.status().message();
    EXPECT_EQ(answer->text(), "2");
  }

  base::ManualClock clock_;
  RunningServer server_{clock_, {}};
  std::unique_ptr<Client> other_ = server_.Connect();
};

// ---- frames

struct FrameCase {
  std::string name;
  std::uint32_t announced_bytes;
  std::size_t sent_bytes;
  Code code;
  std::string reason;
};

constexpr std::uint32_t kHandshakeMax = base::kHandshakeFrameBytesMax;
constexpr std::uint32_t kRequestMax = base::kRequestFrameBytesMax;

TEST_F(HostileConnectionTest, FramesBeforeTheHelloAreRefusedAndTheConnectionClosed) {
  const FrameCase cases[] = {
      {"nothing", 0, 0, Code::kMalformed, "length 0"},
      {"a byte", 1, 1, Code::kMalformed, "ClientFrame"},
      {"the limit", kHandshakeMax, kHandshakeMax, Code::kMalformed, "ClientFrame"},
      {"above the limit", kHandshakeMax + 1, 0, Code::kTooLarge, "65537 bytes, at most 65536"},
      {"a request's limit", kRequestMax, 0, Code::kTooLarge, "at most 65536"},
      {"2^31-1", 0x7FFFFFFF, 0, Code::kTooLarge, "2147483647 bytes, at most 65536"},
      {"2^32-1", 0xFFFFFFFF, 0, Code::kTooLarge, "4294967295 bytes, at most 65536"},
  };
  std::uint64_t closed = 0;
  for (const FrameCase& c : cases) {
    SCOPED_TRACE(c.name);
    WireClient client = Silent();
    client.Send(FrameHeader(c.announced_bytes) + std::string(c.sent_bytes, '\xFF'));
    const model::Result result = client.ReceiveResult();
    EXPECT_EQ(result.code, c.code);
    EXPECT_THAT(result.reason, HasSubstr(c.reason));
    EXPECT_TRUE(client.IsClosed());
    EXPECT_EQ(Closed(CloseReason::kHandlerClosed), ++closed);
  }
  ExpectServes();
}

TEST_F(HostileConnectionTest, AFrameAboveTheRequestLimitIsRefusedAtItsHeader) {
  std::uint64_t closed = 0;
  for (const std::uint32_t bytes : {std::uint32_t{0}, kRequestMax + 1, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    SCOPED_TRACE(bytes);
    WireClient client = Greeted();
    client.Send(FrameHeader(bytes));
    const model::Result result = client.ReceiveResult();
    EXPECT_EQ(result.code, bytes == 0 ? Code::kMalformed : Code::kTooLarge);
    EXPECT_THAT(result.reason, HasSubstr(std::to_string(bytes)));
    EXPECT_TRUE(client.IsClosed());
    EXPECT_EQ(Closed(CloseReason::kHandlerClosed), ++closed);
  }
  ExpectServes();
}

TEST_F(HostileConnectionTest, AMessageThatIsNoRequestIsRefusedAndTheConnectionGoesOn) {
  WireClient client = Greeted();
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{kRequestMax}}) {
    SCOPED_TRACE(bytes);
    client.Send(Frame(std::string(bytes, '\xFF')));
    EXPECT_EQ(client.ReceiveResult().code, Code::kMalformed);
    EXPECT_TRUE(client.Pings());
  }
}

TEST_F(HostileConnectionTest, HalfAHeaderAndHalfAFrameEndWithTheirConnection) {
  std::uint64_t closed = 0;
  for (const std::string& half : {std::string("\x10\x00", 2), FrameHeader(1'000) + "half"}) {
    for (const bool is_greeted : {false, true}) {
      WireClient client = is_greeted ? Greeted() : Silent();
      client.Send(half);
      client.peer().CloseSending();
      EXPECT_TRUE(client.IsClosed());
      EXPECT_EQ(Closed(CloseReason::kPeerClosed), ++closed);
    }
  }
  ExpectServes();
}

TEST_F(HostileConnectionTest, GarbageGetsRefusalsOrNothing) {
  std::mt19937 random(7);
  constexpr int kConnections = 200;
  for (int i = 0; i < kConnections; ++i) {
    WireClient client = i % 2 == 0 ? Silent() : Greeted();
    std::string garbage(1 + random() % 5'000, '\0');
    for (char& byte : garbage) byte = static_cast<char>(random());
    // Every fourth time a likely length, so that the garbage is looked at as a message.
    if (i % 4 < 2) garbage = Frame(garbage) + garbage;
    client.Send(garbage);
    client.peer().CloseSending();
    while (const auto message = client.Receive()) {
      const auto* result = std::get_if<model::Result>(&message->reply);
      ASSERT_NE(result, nullptr);
      EXPECT_EQ(result->type, model::ResultType::kInvalidInput) << result->reason;
    }
  }
  Barrier();
  EXPECT_EQ(server_.stats().open, 1);
  EXPECT_EQ(server_.Closed(CloseReason::kHandlerClosed) + server_.Closed(CloseReason::kPeerClosed) +
                server_.Closed(CloseReason::kReset),
            kConnections);
  ExpectServes();
}

// ---- the handshake

TEST_F(HostileConnectionTest, ARequestBeforeTheHelloIsRefused) {
  WireClient client = Silent();
  client.SendExecute(5, "eset stray 1");
  const auto message = client.Receive();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->id, 5u);
  EXPECT_EQ(std::get<model::Result>(message->reply).code, Code::kUnauthenticated);
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(other_->Execute("eexists stray")->type, palena::ResultType::kDoesNotExist);
}

TEST_F(HostileConnectionTest, AnotherProtocolVersionIsRefusedByName) {
  for (const std::uint32_t version : {0U, 2U, 0xFFFFFFFFU}) {
    WireClient client = Silent();
    client.SendHello(version);
    const model::Result result = client.ReceiveResult();
    EXPECT_EQ(result.code, Code::kMalformed);
    EXPECT_THAT(result.reason, HasSubstr("version: " + std::to_string(version)));
    EXPECT_TRUE(client.IsClosed());
  }
}

TEST_F(HostileConnectionTest, AHelloAbove64KibIsRefused) {
  WireClient client = Silent();
  client.SendHello(1, std::string(70'000, 't'));
  EXPECT_EQ(client.ReceiveResult().code, Code::kTooLarge);
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(HostileConnectionTest, ASecondHelloChangesNothing) {
  WireClient client = Greeted();
  client.SendHello();
  EXPECT_TRUE(client.Receive().has_value());
  EXPECT_EQ(client.Execute("return 1").type, model::ResultType::kGet);
}

TEST_F(HostileConnectionTest, ConnectionsBeforeTheirHelloCostLittle) {
  constexpr int kConnections = 200;
  const std::int64_t before_bytes = ResidentBytes();
  std::vector<WireClient> clients;
  for (int i = 0; i < kConnections; ++i) {
    clients.push_back(Silent());
    clients.back().Send(FrameHeader(kHandshakeMax) + "begins");
  }
  EXPECT_TRUE(
      RunningServer::Await(*other_, [&] { return server_.stats().open == kConnections + 1; }));
  EXPECT_LT(ResidentBytes() - before_bytes, kConnections * (std::int64_t{32} << 10));
  ExpectServes();
}

// ---- time

TEST_F(HostileConnectionTest, AConnectionThatSaysNothingIsClosed) {
  WireClient client = Silent();
  ASSERT_TRUE(RunningServer::Await(*other_, [&] { return server_.stats().open == 2; }));
  Barrier();
  clock_.AdvanceMs(base::kHandshakeTimeoutMs);
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(Closed(CloseReason::kHandshakeLate), 1u);
  ExpectServes();
}

TEST_F(HostileConnectionTest, TricklingDoesNotExtendTheHandshake) {
  WireClient client = Silent();
  client.Send(FrameHeader(1'000));
  Trickle(client);
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(Closed(CloseReason::kHandshakeLate) + Closed(CloseReason::kInputStalled), 1u);
  ExpectServes();
}

TEST_F(HostileConnectionTest, AFrameThatTricklesInIsClosedAfterItsTime) {
  WireClient client = Greeted();
  client.Send(FrameHeader(100'000));
  Trickle(client);
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(Closed(CloseReason::kInputStalled), 1u);
  ExpectServes();
}

// ---- how many

TEST_F(HostileConnectionTest, AClientThatClosesItsSendingSideGetsItsAnswers) {
  WireClient client = Greeted();
  std::string requests;
  for (std::uint64_t id = 1; id <= 50; ++id)
    requests += ExecuteFrame(id, "return @v", {{"@v", "x"}});
  client.Send(requests);
  client.peer().CloseSending();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.ReceiveResult().type, model::ResultType::kGet);
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(Closed(CloseReason::kPeerClosed), 1u);
}

TEST(ConnectionLimitTest, ConnectionsAboveTheLimitAreClosedAtOnceAndCounted) {
  const base::ManualClock clock;
  const RunningServer server(clock, {.connections_max = 3});
  const auto other = server.Connect();
  WireClient second = WireClient::Greeted(server.address());
  auto third = std::make_unique<WireClient>(WireClient::Greeted(server.address()));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(WireClient(server.address()).IsClosed());
  EXPECT_EQ(server.stats().refused, 20u);
  EXPECT_TRUE(second.Pings());

  third->peer().CloseSending();
  EXPECT_TRUE(third->IsClosed());
  third.reset();
  ASSERT_TRUE(other->Ping().ok());
  EXPECT_TRUE(WireClient::Greeted(server.address()).Pings());
}

}  // namespace
}  // namespace palena::server
