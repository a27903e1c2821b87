#include "base/executor_contract.h"
#include "base/inline_executor.h"
#include "base/thread_executor.h"

namespace palena::base {
namespace {

class InlineUnderTest final : public ExecutorUnderTest {
 public:
  Executor& executor() override { return executor_; }
  std::int64_t SteadyNs() const override { return clock_.SteadyNs(); }
  void RunUntil(Event& event) override {
    while (!event.IsSet()) {
      if (executor_.RunReady()) continue;
      const std::int64_t delay_ns = executor_.NextDelayNs();
      ASSERT_GE(delay_ns, 0) << "nothing left that could set the event";
      clock_.Advance(delay_ns);
    }
  }

 private:
  ManualClock clock_;
  InlineExecutor executor_{clock_};
};

class ThreadUnderTest final : public ExecutorUnderTest {
 public:
  Executor& executor() override { return executor_; }
  std::int64_t SteadyNs() const override { return clock_.SteadyNs(); }
  void RunUntil(Event& event) override { event.Wait(); }

 private:
  SystemClock clock_;
  ThreadExecutor executor_{clock_, "under test"};
};

INSTANTIATE_TEST_SUITE_P(
    Base, ExecutorTest,
    ::testing::Values(ExecutorKind{"Inline", [] { return std::make_unique<InlineUnderTest>(); }},
                      ExecutorKind{"Thread", [] { return std::make_unique<ThreadUnderTest>(); }}),
    NameOfKind);

TEST(InlineExecutorTest, RunsNothingByItself) {
  ManualClock clock;
  InlineExecutor executor(clock);
  bool ran = false;
  executor.Post([&ran] { ran = true; });
  EXPECT_FALSE(ran);
  EXPECT_TRUE(executor.RunReady());
  EXPECT_TRUE(ran);
  EXPECT_FALSE(executor.RunReady());
}

TEST(InlineExecutorTest, TellsWhenTheNextDelayedTaskIsDue) {
  ManualClock clock;
  InlineExecutor executor(clock);
  EXPECT_EQ(executor.NextDelayNs(), -1);
  executor.PostAfter(500, [] {});
  executor.PostAfter(200, [] {});
  EXPECT_EQ(executor.NextDelayNs(), 200);
  clock.Advance(300);
  EXPECT_EQ(executor.NextDelayNs(), 0);
  EXPECT_TRUE(executor.RunReady());
  EXPECT_EQ(executor.NextDelayNs(), 200);
}

TEST(InlineExecutorTest, ABatchLeavesWhatItsTasksPostForTheNext) {
  ManualClock clock;
  InlineExecutor executor(clock);
  int ran = 0;
  executor.Post([&] {
    ++ran;
    executor.Post([&] { ++ran; });
  });
  EXPECT_TRUE(executor.RunBatch());
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(executor.NextDelayNs(), 0);
  EXPECT_TRUE(executor.RunBatch());
  EXPECT_EQ(ran, 2);
  EXPECT_FALSE(executor.RunBatch());
}

TEST(InlineExecutorTest, KnowsWithoutALockWhetherSomethingIsDue) {
  ManualClock clock;
  InlineExecutor executor(clock);
  EXPECT_FALSE(executor.IsDue(clock.SteadyNs()));
  executor.PostAfter(100, [] {});
  EXPECT_FALSE(executor.IsDue(clock.SteadyNs() + 99));
  EXPECT_TRUE(executor.IsDue(clock.SteadyNs() + 100));
  executor.Post([] {});
  EXPECT_TRUE(executor.IsDue(clock.SteadyNs()));
  executor.RunReady();
  EXPECT_FALSE(executor.IsDue(clock.SteadyNs()));
}

TEST(ThreadExecutorTest, IsCurrentOnItsOwnThreadOnly) {
  SystemClock clock;
  ThreadExecutor executor(clock, "test");
  EXPECT_FALSE(executor.IsCurrent());
}

TEST(ThreadExecutorTest, RunsWhatWasPostedBeforeItStops) {
  SystemClock clock;
  int ran = 0;
  {
    ThreadExecutor executor(clock, "test");
    for (int i = 0; i < 1000; ++i) executor.Post([&ran] { ++ran; });
  }
  EXPECT_EQ(ran, 1000);
}

// Posts itself again and again, so it ends only by being dropped.
struct EndlessTask {
  ThreadExecutor* executor;
  std::shared_ptr<int> held;
  void operator()() const { executor->Post(EndlessTask{executor, held}); }
};

TEST(ThreadExecutorTest, DropsWhatIsPostedOnceItStops) {
  SystemClock clock;
  const auto held = std::make_shared<int>(1);
  auto executor = std::make_unique<ThreadExecutor>(clock, "test");
  executor->Post(EndlessTask{executor.get(), held});
  executor.reset();
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace palena::base
