#include <gtest/gtest.h>

#include <sched.h>
#include <future>

#include "base/clock.h"
#include "base/executor_contract.h"
#include "net/loop.h"

namespace palena::base {
namespace {

class LoopUnderTest final : public ExecutorUnderTest {
 public:
  Executor& executor() override { return loop_; }
  std::int64_t SteadyNs() const override { return clock_.SteadyNs(); }
  void RunUntil(Event& event) override { event.Wait(); }

 private:
  SystemClock clock_;
  net::Loop loop_{clock_, "test-loop"};
};

std::unique_ptr<ExecutorUnderTest> MakeLoop() {
  return std::make_unique<LoopUnderTest>();
}

INSTANTIATE_TEST_SUITE_P(Loop, ExecutorTest, testing::Values(ExecutorKind{"Loop", MakeLoop}),
                         NameOfKind);

}  // namespace
}  // namespace palena::base

namespace palena::net {
namespace {

TEST(LoopTest, DelayedTasksFollowTheClockTheyWereGiven) {
  base::ManualClock clock;
  Loop loop(clock, "test-loop");
  std::promise<std::int64_t> ran_at;
  const std::int64_t posted_at = clock.SteadyNs();
  loop.PostAfter(60'000'000'000, [&] { ran_at.set_value(clock.SteadyNs()); });
  clock.AdvanceMs(60'000);
  EXPECT_EQ(ran_at.get_future().get() - posted_at, 60'000'000'000);
}

TEST(LoopTest, DropsTasksOnceStopped) {
  const base::SystemClock clock;
  Loop loop(clock, "test-loop");
  loop.Stop();
  auto held = std::make_shared<int>(1);
  loop.Post([copy = held] { ADD_FAILURE(); });
  loop.PostAfter(0, [copy = held] { ADD_FAILURE(); });
  EXPECT_EQ(held.use_count(), 1);
}

TEST(LoopTest, MayBeStoppedTwice) {
  const base::SystemClock clock;
  Loop loop(clock, "test-loop");
  loop.Stop();
  loop.Stop();
}

TEST(LoopTest, PinsItsThread) {
  const base::SystemClock clock;
  Loop loop(clock, "test-loop", 0);
  std::promise<int> cpu;
  loop.Post([&cpu] { cpu.set_value(sched_getcpu()); });
  EXPECT_EQ(cpu.get_future().get(), 0);
}

}  // namespace
}  // namespace palena::net
