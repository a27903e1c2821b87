// A quota on persistent keys survives the death of its node: nothing is given back.

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "app/daemon_fixture.h"

namespace palena::limits {
namespace {

std::vector<std::string> TakeOf(const std::string& limiter,
                                const std::vector<std::string>& numbers) {
  std::vector<std::string> command = {
      "run", std::string(PALENA_SOURCE_DIR) + "/scripts/limits/" + limiter + ".pal", "--persistent",
      "-p", "key=quota/" + limiter};
  for (const std::string& number : numbers) {
    command.insert(command.end(), {"-p", number});
  }
  return command;
}

std::vector<std::vector<std::string>> Quotas() {
  return {
      TakeOf("fixed_window", {"limit=5", "window_ms=9000000000000", "cost=1"}),
      TakeOf("first_hit_window", {"limit=5", "window_ms=86400000", "cost=1"}),
      TakeOf("sliding_window", {"limit=5", "window_ms=8640000000", "segments=10", "cost=1"}),
      TakeOf("sliding_log", {"limit=5", "window_ms=86400000", "cost=1"}),
      TakeOf("token_bucket", {"capacity=5", "refill_tokens=0", "refill_ms=1000", "cost=1"}),
      TakeOf("gcra", {"max_burst=4", "count=1", "period_ms=86400000", "cost=1"}),
  };
}

bool IsAllowed(const app::Daemon& daemon, const std::vector<std::string>& take) {
  const app::Ended ended = daemon.Palena(take);
  EXPECT_EQ(ended.status, 0) << ended.err;
  return ended.out.starts_with("1\n");
}

TEST(PersistentQuota, SurvivesKillMinusNineAndExactlyTheRestPassesAfterwards) {
  app::Daemon daemon;
  for (const auto& take : Quotas()) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(IsAllowed(daemon, take));
  }
  EXPECT_EQ(daemon.Stop(SIGKILL), 128 + SIGKILL);
  daemon.Start();
  for (const auto& take : Quotas()) {
    SCOPED_TRACE(take[1]);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(IsAllowed(daemon, take));
    EXPECT_FALSE(IsAllowed(daemon, take));
  }
}

}  // namespace
}  // namespace palena::limits
