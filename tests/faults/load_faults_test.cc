// Many callers at once, and more than there is room for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/clock.h"
#include "faults/limiters.h"
#include "server/running_server.h"
#include "server/wire_client.h"

namespace palena::limits {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kHour = 3'600'000;

Parameters TakeOf(const Rule& rule, const std::string& key) {
  Parameters parameters = rule.numbers;
  parameters.emplace_back("key", key);
  parameters.emplace_back("cost", "1");
  return parameters;
}

// Strangers who come once each.
class Flood {
 public:
  explicit Flood(Limiters& limiters) : limiters_(limiters) {}

  // The error of the first that could not be decided, or "".
  std::string Come(int strangers) {
    const Rule rule = PerWindow("fixed_window", 10, kHour);
    for (int i = 0; i < strangers; ++i) {
      const Answer answer = limiters_.Take(rule, 1, "stranger:" + std::to_string(++came_));
      if (!answer.error.empty()) return answer.error;
    }
    return "";
  }

 private:
  Limiters& limiters_;
  int came_ = 0;
};

using LoadFaults = testing::TestWithParam<std::string>;
INSTANTIATE_TEST_SUITE_P(Limiters, LoadFaults, testing::ValuesIn(Takers()),
                         [](const auto& test) { return test.param; });

// RL-005: whatever breaks off, and when, no caller is left with a count that never ends.
TEST_P(LoadFaults, ClientsWhoGoInTheMiddleLeaveNoKeyWithoutAnExpiry) {
  const base::SystemClock clock;
  const server::RunningServer server(clock, {.shards = 2});
  const Rule rule = PerWindow(GetParam(), 10, kHour);
  const std::string script = LimiterSource(rule.limiter);
  std::mt19937_64 random(5);
  for (int client = 0; client < 64; ++client) {
    std::string sent;
    for (int i = 0; i < 20; ++i) {
      const std::string key = "caller:" + std::to_string(random() % 100);
      sent += server::ExecuteFrame(static_cast<std::uint64_t>(i + 1), script, TakeOf(rule, key));
    }
    server::WireClient leaving = server::WireClient::Greeted(server.address());
    leaving.Send(sent.substr(0, sent.size() - random() % (sent.size() / 2)));
    for (std::size_t read = random() % 10; read > 0; --read) leaving.ReceiveResult();
  }
  const auto reader = server.Connect();
  const auto found = reader->Execute("escan by prefix 'caller:'");
  ASSERT_TRUE(found.ok());
  EXPECT_GT(found->values.size(), 50U);
  for (const Value& key : found->values) EXPECT_GT(key.expires_ms, 0) << key.key;
}

// RL-121: without eviction memory stays within its bound, who is new is refused with the reason,
// and who is known keeps his count.
TEST_P(LoadFaults, StrangersWithoutEndAreRefusedAndNobodyIsForgotten) {
  Limiters limiters(Keys::kEphemeral, {.memory_bytes_max = std::size_t{2} << 20});
  const Rule rule = PerWindow(GetParam(), 10, kHour);
  limiters.WaitForMultipleOf(kHour);
  ASSERT_EQ(limiters.Drain(rule, "anna"), 10);
  ASSERT_TRUE(limiters.Take(rule, 4, "bert").is_allowed);
  Flood flood(limiters);
  EXPECT_THAT(flood.Come(100'000), HasSubstr("memory"));
  EXPECT_LE(limiters.Metric("memory_bytes"), 2 << 20);
  EXPECT_FALSE(limiters.Take(rule, 1, "anna").is_allowed);
  const std::int64_t left = limiters.Drain(rule, "bert");
  EXPECT_LE(left, 6);
  if (GetParam() != "sliding_log") {
    EXPECT_EQ(left, 6) << "a state that does not grow needs no more room";
  }
}

// RL-121: with eviction those go first who come no more, and not the one who is refused.
TEST(LoadFaultsTest, StrangersWithoutEndDoNotPushOutWhoIsRefused) {
  Limiters limiters(Keys::kEphemeral,
                    {.memory_bytes_max = std::size_t{2} << 20, .eviction = Eviction::kLru});
  limiters.WaitForMultipleOf(kHour);
  for (const std::string& limiter : Takers()) {
    ASSERT_EQ(limiters.Drain(PerWindow(limiter, 10, kHour), limiter), 10);
  }
  Flood flood(limiters);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(flood.Come(500), "");
    for (const std::string& limiter : Takers()) {
      ASSERT_FALSE(limiters.Take(PerWindow(limiter, 10, kHour), 1, limiter).is_allowed)
          << limiter << " after " << 500 * i << " strangers";
    }
  }
  EXPECT_LE(limiters.Metric("memory_bytes"), 2 << 20);
  EXPECT_GT(limiters.Metric("ephemeral_evicted"), 10'000);
}

// RL-106: nothing is left of callers who came once, neither in the store nor beside it.
TEST(LoadFaultsTest, CallersWhoComeNoMoreAreForgotten) {
  Limiters limiters;
  const std::int64_t empty = limiters.Metric("memory_bytes");
  for (const std::string& limiter : Takers()) {
    const Rule rule = PerWindow(limiter, 10, 1'000);
    for (int i = 0; i < 10'000; ++i) limiters.Take(rule, 1, limiter + std::to_string(i));
  }
  EXPECT_EQ(limiters.Metric("entries"), 60'000);
  for (int i = 0; i < 1'000 && limiters.Metric("entries") > 0; ++i) {
    limiters.WaitMs(100);
    limiters.PollUntilIdle();
  }
  EXPECT_EQ(limiters.Metric("entries"), 0);
  EXPECT_EQ(limiters.Metric("memory_bytes"), empty);
}

}  // namespace
}  // namespace palena::limits
