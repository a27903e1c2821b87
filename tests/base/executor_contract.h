#pragma once

// What every Executor promises. A new kind of executor instantiates the suite:
//
//   INSTANTIATE_TEST_SUITE_P(Loop, ExecutorTest, ::testing::Values(ExecutorKind{"Loop", MakeLoop}),
//                            NameOfKind);

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/executor.h"

namespace palena::base {

// Something that happens once and can be waited for.
class Event {
 public:
  void Set() {
    std::lock_guard lock(mutex_);
    is_set_ = true;
    changed_.notify_all();
  }
  bool IsSet() const {
    std::lock_guard lock(mutex_);
    return is_set_;
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_set_; });
  }

 private:
  mutable std::mutex mutex_;  // guards is_set_
  std::condition_variable changed_;
  bool is_set_ = false;
};

// An executor and the way to let it run. Destroying it stops and destroys the executor.
class ExecutorUnderTest {
 public:
  virtual ~ExecutorUnderTest() = default;
  virtual Executor& executor() = 0;
  virtual std::int64_t SteadyNs() const = 0;
  // Lets tasks run, and time pass, until one of them sets the event.
  virtual void RunUntil(Event& event) = 0;

  // Lets everything run that was posted before.
  void RunPosted() {
    Event ran;
    executor().Post([&ran] { ran.Set(); });
    RunUntil(ran);
  }
};

struct ExecutorKind {
  std::string name;
  std::function<std::unique_ptr<ExecutorUnderTest>()> make;
};

inline std::string NameOfKind(const ::testing::TestParamInfo<ExecutorKind>& kind) {
  return kind.param.name;
}

class ExecutorTest : public ::testing::TestWithParam<ExecutorKind> {
 protected:
  void SetUp() override { subject_ = GetParam().make(); }
  Executor& executor() { return subject_->executor(); }

  std::unique_ptr<ExecutorUnderTest> subject_;
};

TEST_P(ExecutorTest, RunsTasksInTheOrderTheyWerePosted) {
  std::vector<int> ran;
  for (int i = 0; i < 100; ++i) {
    executor().Post([&ran, i] { ran.push_back(i); });
  }
  subject_->RunPosted();
  ASSERT_EQ(ran.size(), 100u);
  EXPECT_TRUE(std::is_sorted(ran.begin(), ran.end()));
}

TEST_P(ExecutorTest, NeverRunsATaskInsidePost) {
  std::vector<std::string> ran;
  executor().Post([&] {
    executor().Post([&ran] { ran.push_back("inner"); });
    ran.push_back("outer");
  });
  subject_->RunPosted();
  subject_->RunPosted();
  EXPECT_EQ(ran, (std::vector<std::string>{"outer", "inner"}));
}

TEST_P(ExecutorTest, IsCurrentInsideItsTasks) {
  bool is_current = false;
  executor().Post([&] { is_current = executor().IsCurrent(); });
  subject_->RunPosted();
  EXPECT_TRUE(is_current);
}

TEST_P(ExecutorTest, TasksOfManyThreadsRunOneAtATimeInEachThreadsOrder) {
  constexpr int kThreads = 4;
  constexpr int kTasks = 500;
  std::vector<int> last(kThreads, -1);  // unguarded: tasks do not overlap
  int out_of_order = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTasks; ++i) {
        executor().Post([&last, &out_of_order, t, i] {
          if (std::exchange(last[t], i) != i - 1) ++out_of_order;
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  subject_->RunPosted();
  EXPECT_EQ(last, std::vector<int>(kThreads, kTasks - 1));
  EXPECT_EQ(out_of_order, 0);
}

TEST_P(ExecutorTest, ADelayedTaskRunsOnceItsTimeHasCome) {
  constexpr std::int64_t kDelayNs = 2'000'000;
  const std::int64_t posted_ns = subject_->SteadyNs();
  std::int64_t ran_ns = 0;
  Event ran;
  executor().PostAfter(kDelayNs, [&] {
    ran_ns = subject_->SteadyNs();
    ran.Set();
  });
  subject_->RunUntil(ran);
  EXPECT_GE(ran_ns - posted_ns, kDelayNs);
}

TEST_P(ExecutorTest, DelayedTasksRunInTheOrderOfTheirTimes) {
  std::vector<int> ran;
  Event last;
  executor().PostAfter(30'000'000, [&] {
    ran.push_back(3);
    last.Set();
  });
  executor().PostAfter(10'000'000, [&ran] { ran.push_back(1); });
  executor().PostAfter(20'000'000, [&ran] { ran.push_back(2); });
  executor().Post([&ran] { ran.push_back(0); });
  subject_->RunUntil(last);
  EXPECT_EQ(ran, (std::vector<int>{0, 1, 2, 3}));
}

TEST_P(ExecutorTest, ATaskMayPostItselfAgain) {
  int rounds = 0;
  Event done;
  std::function<void()> again = [&] {
    if (++rounds == 50) return done.Set();
    executor().Post([&again] { again(); });
  };
  executor().Post([&again] { again(); });
  subject_->RunUntil(done);
  EXPECT_EQ(rounds, 50);
}

TEST_P(ExecutorTest, ATaskIsDestroyedOnceItRan) {
  auto held = std::make_shared<int>(1);
  executor().Post([copy = held] {});
  subject_->RunPosted();
  subject_->RunPosted();  // the first may return while its batch is still alive
  EXPECT_EQ(held.use_count(), 1);
}

TEST_P(ExecutorTest, TasksThatNeverRanAreDestroyedWithIt) {
  auto held = std::make_shared<int>(1);
  executor().PostAfter(std::int64_t{3600} * 1'000'000'000, [copy = held] { ADD_FAILURE(); });
  subject_.reset();
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace palena::base
