// scripts/recipes/redis_fixed_window.pal decides as INCR and EXPIRE do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/read_file.h"
#include "limits/calls.h"
#include "limits/scripts.h"
#include "node/inline_node.h"

namespace palena::limits {
namespace {

using testing::HasSubstr;

const std::string& Recipe() {
  static const std::string recipe =
      base::ReadFile(std::string(PALENA_SOURCE_DIR) + "/scripts/recipes/redis_fixed_window.pal");
  return recipe;
}

// What Redis keeps under the key: INCR counts from 0 and leaves the expiry alone, EXPIRE follows
// when the count has become 1. A key is there up to and including the millisecond of its expiry.
struct RedisCounter {
  std::int64_t calls = 0;
  std::int64_t expires_ms = 0;

  bool Take(std::int64_t now_ms, std::int64_t window_s, std::int64_t requests_max) {
    if (now_ms > expires_ms) calls = 0;
    if (++calls == 1) expires_ms = now_ms + window_s * 1'000;
    return calls <= requests_max;
  }
};

class RedisFixedWindow : public testing::Test {
 protected:
  RedisFixedWindow() {
    auto impl = node::InlineNode::Open({.threading = Threading::kInline}, clock_, {});
    EXPECT_TRUE(impl.ok()) << impl.status();
    node_ = std::make_unique<Node>(*std::move(impl));
  }

  Result Take(const std::string& key, const std::string& window, const std::string& most,
              Keys keys = Keys::kEphemeral) {
    return node_->Execute(ScriptFor(Recipe(), keys),
                          {{"key", key}, {"window", window}, {"maxRequests", most}});
  }
  Value Key(const std::string& key, Keys keys = Keys::kEphemeral) {
    return node_->Execute(ScriptFor("eget @k", keys), {{"k", key}}).values.at(0);
  }
  std::int64_t NowMs() const { return clock_->WallNs() / 1'000'000; }

  const std::shared_ptr<base::ManualClock> clock_ = std::make_shared<base::ManualClock>();
  std::unique_ptr<Node> node_;
};

// 10,000 sequences, each on a key of its own, half of them persistent.
TEST_F(RedisFixedWindow, DecidesAsIncrAndExpireOnceAndNeitherLosesNorStretchesTheWindow) {
  Random random(7);
  for (int sequence = 0; sequence < 10'000 && !HasFailure(); ++sequence) {
    SCOPED_TRACE("sequence " + std::to_string(sequence));
    const std::string name = "counter" + std::to_string(sequence);
    const Keys keys = sequence % 2 == 0 ? Keys::kEphemeral : Keys::kPersistent;
    RedisCounter redis;
    for (int call = 0; call < 12; ++call) {
      const std::int64_t to_expiry = redis.expires_ms - NowMs();
      const std::int64_t near = to_expiry > 1 ? to_expiry - 1 : 0;
      clock_->AdvanceMs(random.Of<std::int64_t>({0, 0, 1, 300, 1'000, near, near + 1, near + 2}));
      const std::int64_t window = random.Of<std::int64_t>({1, 1, 2, 10});
      const std::int64_t most = random.Of<std::int64_t>({0, 1, 2, 2, 3, 5});
      const Result result = Take(name, std::to_string(window), std::to_string(most), keys);
      const bool is_allowed = redis.Take(NowMs(), window, most);
      EXPECT_EQ(result.text(), is_allowed ? "1" : "0") << result.reason;
      const Value key = Key(name, keys);
      EXPECT_EQ(key.value, std::to_string(redis.calls));
      EXPECT_EQ(key.expires_ms, redis.expires_ms);
    }
  }
}

TEST_F(RedisFixedWindow, GivesACounterThatComesToOneItsWindow) {
  node_->Execute("eset k 0");
  Take("k", "10", "2");
  EXPECT_EQ(Key("k").expires_ms, NowMs() + 10'000);
}

TEST_F(RedisFixedWindow, NamesWhatIsNoNumberAndCountsNothing) {
  for (const char* const text : {"", "0", "-1", "ten", "9223372036854775807"}) {
    EXPECT_THAT(Take("k", text, "2").reason, HasSubstr("@window")) << text;
  }
  for (const char* const text : {"", "two"}) {
    EXPECT_THAT(Take("k", "10", text).reason, HasSubstr("@maxRequests")) << text;
  }
  EXPECT_EQ(Key("k").value, std::nullopt);
}

TEST_F(RedisFixedWindow, KeepsWhatIsNoCounter) {
  for (const char* const value : {"", "abc", "1.5", "9223372036854775807"}) {
    node_->Execute("eset k @value ex 5000", {{"value", value}});
    EXPECT_EQ(Take("k", "10", "2").type, ResultType::kErrored) << value;
    EXPECT_EQ(Key("k").value, value);
    EXPECT_EQ(Key("k").expires_ms, NowMs() + 5'000);
  }
}

}  // namespace
}  // namespace palena::limits
