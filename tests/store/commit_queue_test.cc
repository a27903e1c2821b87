// When the queue begins a batch, seen from the writer's side.

#include "store/commit_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "base/inline_executor.h"
#include "base/thread_executor.h"
#include "store/commit_log_fixture.h"

namespace palena::store {
namespace {

using ::testing::ElementsAre;

// Remembers how many commits each batch had; may do something while it writes.
class RecordingWriter final : public BatchWriter {
 public:
  base::Status Write(const CommitBatch& batch) override {
    sizes.push_back(batch.commits.size());
    if (during) std::exchange(during, nullptr)();
    return base::Ok();
  }

  std::vector<std::size_t> sizes;
  std::function<void()> during;
};

class CommitQueueTest : public ::testing::Test {
 protected:
  void SetUp() override { queue_->SetListener(&listener_); }
  void Append(int commits) {
    for (int i = 0; i < commits; ++i) queue_->Append(CommitOf("k", TextVersion(i, "v")));
  }

  base::ManualClock clock_;
  base::InlineExecutor executor_{clock_};
  RecordingListener listener_;
  RecordingWriter writer_;
  std::shared_ptr<CommitQueue> queue_ = CommitQueue::Create(executor_, writer_);
};

TEST_F(CommitQueueTest, CommitsGatherUntilTheStart) {
  Append(2);
  executor_.RunReady();
  Append(1);
  queue_->Start();
  Append(1);
  executor_.RunReady();
  EXPECT_THAT(writer_.sizes, ElementsAre(4));
}

TEST_F(CommitQueueTest, AStartWhileABatchIsWrittenDoesNotSplitTheNext) {
  writer_.during = [&] {
    Append(1);
    queue_->Start();
  };
  Append(1);
  queue_->Start();
  executor_.RunReady();
  EXPECT_THAT(writer_.sizes, ElementsAre(1));
  Append(2);
  queue_->Start();
  executor_.RunReady();
  EXPECT_THAT(writer_.sizes, ElementsAre(1, 3));
}

TEST_F(CommitQueueTest, AClockBoundTakesTheCommitsAlong) {
  Append(2);
  queue_->RenewClockBound(hlc::HybridTime::FromMs(9000));
  executor_.RunReady();
  EXPECT_THAT(writer_.sizes, ElementsAre(2));
}

TEST_F(CommitQueueTest, ABatchIsBoundedAndTheRestFollows) {
  queue_ = CommitQueue::Create(executor_, writer_, /*commits_per_batch=*/2);
  queue_->SetListener(&listener_);
  Append(5);
  queue_->Start();
  executor_.RunReady();
  EXPECT_THAT(writer_.sizes, ElementsAre(2, 2, 1));
}

TEST_F(CommitQueueTest, TheBoundOfABatchIsNeverBelowThatOfTheLast) {
  for (const int ms : {5000, 3000}) {
    model::Commit commit = CommitOf("k", TextVersion(0, "v"));
    commit.stamp.time = hlc::HybridTime::FromMs(ms);
    queue_->Append(std::move(commit));
    queue_->Start();
    executor_.RunReady();
  }
  EXPECT_EQ(listener_.durable().back().clock_bound, hlc::HybridTime::FromMs(5000));
}

TEST_F(CommitQueueTest, ClosingWhileABatchIsWrittenWritesTheRest) {
  base::SystemClock clock;
  base::ThreadExecutor thread(clock, "writer");
  queue_ = CommitQueue::Create(thread, writer_);
  queue_->SetListener(&listener_);
  std::promise<void> is_writing;
  std::promise<void> go_on;
  writer_.during = [&] {
    Append(1);
    is_writing.set_value();
    go_on.get_future().wait();
  };
  Append(1);
  queue_->Start();
  is_writing.get_future().wait();
  std::promise<void> is_closing;
  std::thread closing([&] {
    is_closing.set_value();
    queue_->Close();
  });
  is_closing.get_future().wait();
  go_on.set_value();
  closing.join();
  EXPECT_THAT(writer_.sizes, ElementsAre(1, 1));
}

TEST_F(CommitQueueTest, ClosingNeedsNoStart) {
  Append(2);
  queue_->Close();
  EXPECT_THAT(writer_.sizes, ElementsAre(2));
}

}  // namespace
}  // namespace palena::store
