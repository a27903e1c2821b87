// Several limits in one call, from many threads at once, on four shards.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/hostile.h"
#include "limits/limit_service.h"
#include "limits/limits_file.h"
#include "node/runtime.h"

namespace palena::limits {
namespace {

constexpr unsigned kShards = 4;
constexpr unsigned kThreads = 16;
constexpr std::int64_t kUserBudget = 40;
constexpr std::int64_t kTenantBudget = 1'000;

// Windows of a year: none ends meanwhile.
constexpr const char* kFile = R"(
[limits.user]
limiter   = "fixed_window"
key       = "user:{subject}"
limit     = 40
window_ms = 31536000000
[limits.tenant]
limiter       = "token_bucket"
key           = "tenant:{tenant}"
capacity      = 1000
refill_tokens = 0
refill_ms     = 1000
durability    = "persistent"
[limits.all]
limiter   = "first_hit_window"
key       = "all"
limit     = 1000000
window_ms = 31536000000
)";

// One thread's calls, which wait for their answers.
class Caller : private TakeSink {
 public:
  Caller(node::Runtime& runtime, LimitService& service, unsigned shard)
      : runtime_(runtime), service_(service), shard_(shard) {}

  model::TakeAnswer Call(model::TakeMode mode, std::span<const model::TakeWish> wishes) {
    answer_ = {};
    std::future<model::TakeAnswer> answer = answer_.get_future();
    runtime_.loops()[shard_]->Post([this, mode, wishes] {
      engine::Shard& shard = runtime_.engine().shard(shard_);
      shard.BeginTurn();
      service_.Execute({mode, wishes, 0}, {shard_, 0}, {this, 0, 0});
      shard.EndTurn();
    });
    return answer.get();
  }

 private:
  void OnTake(std::uint64_t, std::uint64_t, model::TakeAnswer& answer) override {
    answer_.set_value(std::move(answer));
  }
  void OnReset(std::uint64_t, std::uint64_t, model::Result&) override {}

  node::Runtime& runtime_;
  LimitService& service_;
  const unsigned shard_;
  std::promise<model::TakeAnswer> answer_;
};

class ConcurrentTakeTest : public testing::Test {
 protected:
  ConcurrentTakeTest() {
    NodeOptions options;
    options.shards = kShards;
    runtime_ = *node::Runtime::Open(options, clock_, nullptr, base::TestCapacities());
    const std::vector<net::Loop*> loops = runtime_->loops();
    service_ = std::make_unique<LimitService>(
        runtime_->engine(), std::vector<base::Executor*>(loops.begin(), loops.end()));
    service_->Install(*ParseLimits(kFile, "limits.toml"));
  }
  ~ConcurrentTakeTest() override { runtime_->Stop(10'000); }

  template <typename Body>
  void InThreads(Body body) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < kThreads; ++i) threads.emplace_back([=] { body(i); });
    for (std::thread& thread : threads) thread.join();
  }

  // What is left of a limit.
  std::int64_t Remaining(std::string_view limit, std::span<const model::TakePart> parts) {
    const model::TakeWish wish{limit, parts, 1, ""};
    const model::TakeAnswer answer =
        Caller(*runtime_, *service_, 0).Call(model::TakeMode::kPeek, {&wish, 1});
    EXPECT_EQ(answer.fault, model::TakeFault::kNone) << answer.reason;
    return answer.records[0].remaining;
  }

  base::SystemClock clock_;
  std::unique_ptr<node::Runtime> runtime_;
  std::unique_ptr<LimitService> service_;
};

TEST_F(ConcurrentTakeTest, ChargesAllLimitsOrNoneExactly) {
  const int calls = base::IsHostile() ? 40 : 250;
  std::atomic<std::int64_t> allowed = 0;
  std::array<std::atomic<std::int64_t>, 10> allowed_of_user{};
  InThreads([&](unsigned thread) {
    Caller caller(*runtime_, *service_, thread % kShards);
    for (int i = 0; i < calls; ++i) {
      const std::size_t user = (thread * 7 + static_cast<unsigned>(i)) % allowed_of_user.size();
      const std::string name = std::to_string(user);
      const model::TakePart subject{"subject", name};
      const model::TakePart tenant{"tenant", "acme"};
      const model::TakeWish wishes[] = {
          {"user", {&subject, 1}, 1, ""}, {"tenant", {&tenant, 1}, 2, ""}, {"all", {}, 1, ""}};
      const model::TakeAnswer answer = caller.Call(model::TakeMode::kTake, wishes);
      ASSERT_EQ(answer.fault, model::TakeFault::kNone) << answer.reason;
      if (!answer.is_allowed) continue;
      ++allowed;
      ++allowed_of_user[user];
    }
  });
  const model::TakePart tenant{"tenant", "acme"};
  EXPECT_EQ(Remaining("tenant", {&tenant, 1}), kTenantBudget - 2 * allowed);
  EXPECT_EQ(Remaining("all", {}), 1'000'000 - allowed);
  for (std::size_t user = 0; user < allowed_of_user.size(); ++user) {
    const std::string name = std::to_string(user);
    const model::TakePart subject{"subject", name};
    EXPECT_EQ(Remaining("user", {&subject, 1}), kUserBudget - allowed_of_user[user]);
  }
  if (!base::IsHostile()) {
    EXPECT_EQ(allowed, 10 * kUserBudget) << "every user's budget, which the tenant's allows";
  }
}

TEST_F(ConcurrentTakeTest, KeepsEveryCountWhileFilesAreExchanged) {
  std::atomic<std::int64_t> allowed = 0;
  std::atomic<bool> is_over = false;
  std::thread exchanger([&] {
    for (int i = 0; !is_over; ++i) {
      // Now and then without one of them: calls end with what they began with.
      const std::string file(kFile);
      const bool is_whole = i % 2 == 0;
      service_->Install(
          *ParseLimits(is_whole ? file : file.substr(file.find("[limits.tenant]")), "limits.toml"));
    }
  });
  InThreads([&](unsigned thread) {
    Caller caller(*runtime_, *service_, thread % kShards);
    const model::TakePart tenant{"tenant", "acme"};
    for (int i = 0; i < 50; ++i) {
      const model::TakeWish wishes[] = {{"tenant", {&tenant, 1}, 1, ""}, {"all", {}, 1, ""}};
      allowed += caller.Call(model::TakeMode::kTake, wishes).is_allowed ? 1 : 0;
    }
  });
  is_over = true;
  exchanger.join();
  EXPECT_EQ(allowed, kThreads * 50);
  const model::TakePart tenant{"tenant", "acme"};
  EXPECT_EQ(Remaining("tenant", {&tenant, 1}), kTenantBudget - allowed);
  std::promise<LimitReport> collected;
  service_->Collect([&](LimitReport report) { collected.set_value(std::move(report)); });
  for (const LimitCounts& counts : collected.get_future().get().limits) {
    if (counts.limit == "user") continue;
    EXPECT_EQ(counts.allowed, static_cast<std::uint64_t>(allowed)) << counts.limit;
  }
}

}  // namespace
}  // namespace palena::limits
