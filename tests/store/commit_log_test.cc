// The contract of CommitLog, the same for every implementation.

#include "store/commit_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/inline_executor.h"
#include "base/temp_dir.h"
#include "base/thread_executor.h"
#include "store/commit_log_fixture.h"
#include "store/memory_commit_log.h"
#include "store/rocks_commit_log.h"

namespace palena::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using std::string_literals::operator""s;
using Durable = RecordingListener::Durable;
using model::RangeKind;

struct Implementation {
  const char* name;
  std::function<std::unique_ptr<CommitLog>(const std::string& directory, base::Executor& writer)>
      make;
};

std::unique_ptr<CommitLog> MakeRocks(const std::string& directory, base::Executor& writer) {
  auto log = OpenRocksCommitLog({.directory = directory}, writer);
  EXPECT_TRUE(log.ok()) << log.status();
  return log.ok() ? *std::move(log) : nullptr;
}

std::unique_ptr<CommitLog> MakeMemory(const std::string&, base::Executor& writer) {
  return MakeMemoryCommitLog(writer);
}

class CommitLogTest : public ::testing::TestWithParam<Implementation> {
 protected:
  std::unique_ptr<CommitLog> Make(base::Executor& writer) {
    auto log = GetParam().make(dir_ / "data", writer);
    log->SetListener(&listener_);
    return log;
  }
  // What is queued becomes durable; false when there is nothing.
  bool Write(CommitLog& log) {
    log.Start();
    return writer_.RunReady();
  }
  static model::Version Head(CommitLog& log, std::string_view key) {
    return log.ReadHead(key).value();
  }
  static model::Version Old(CommitLog& log, std::string_view key, std::int64_t revision) {
    return log.ReadVersion(key, revision).value();
  }

  // Versions 0 to `last` of a key, written at 1000 + revision.
  void AppendVersions(CommitLog& log, const std::string& key, std::int64_t last) {
    model::Version superseded;
    for (std::int64_t i = 0; i <= last; ++i) {
      const model::Version head = TextVersion(i, std::to_string(i));
      log.Append(CommitOf(key, head, superseded));
      superseded = head;
    }
    Write(log);
  }
  static std::string AsOf(CommitLog& log, std::string_view key, std::int64_t time_ms) {
    const model::Version version = log.ReadAsOf(key, time_ms).value();
    if (version.kind == model::VersionKind::kAbsent) return "absent";
    return version.kind == model::VersionKind::kDeletion ? "deleted" : version.value.bytes;
  }
  void AppendKeys(CommitLog& log, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) log.Append(CommitOf(key, TextVersion(0, key)));
    Write(log);
  }
  static std::vector<std::string> KeysIn(CommitLog& log, RangeKind kind, std::string_view text,
                                         std::string_view after = "",
                                         std::size_t entries_max = 1000) {
    std::vector<std::string> keys;
    const model::KeyRange range{model::Durability::kPersistent, kind, text};
    const auto heads = log.ReadRange(range, after, entries_max).value();
    for (const KeyedVersion& found : heads) {
      EXPECT_EQ(found.version.value.bytes, found.key);
      keys.push_back(found.key);
    }
    return keys;
  }

  base::TempDir dir_;
  base::ManualClock clock_;
  RecordingListener listener_;
  base::InlineExecutor writer_{clock_};
};

TEST_P(CommitLogTest, IsEmptyWhenNew) {
  const auto log = Make(writer_);
  EXPECT_EQ(log->recovered_sequence(), 0u);
  EXPECT_EQ(log->recovered_clock_bound(), hlc::HybridTime{});
  EXPECT_EQ(Head(*log, "k").kind, model::VersionKind::kAbsent);
  EXPECT_EQ(Head(*log, "k").revision, model::kNoRevision);
}

TEST_P(CommitLogTest, NumbersCommitsDenselyFromOne) {
  const auto log = Make(writer_);
  for (Sequence expected = 1; expected <= 5; ++expected) {
    EXPECT_EQ(log->Append(CommitOf("k", TextVersion(0, "v"))), expected);
  }
}

TEST_P(CommitLogTest, NothingIsDurableBeforeTheWriterRan) {
  const auto log = Make(writer_);
  log->Append(CommitOf("k", TextVersion(0, "v")));
  EXPECT_FALSE(writer_.RunReady()) << "nobody has started";
  log->Start();
  EXPECT_THAT(listener_.durable(), IsEmpty());
  EXPECT_EQ(Head(*log, "k").kind, model::VersionKind::kAbsent);
  Write(*log);
  EXPECT_THAT(listener_.durable(), SizeIs(1));
  EXPECT_EQ(Head(*log, "k").value, model::Value::Bytes("v"));
}

TEST_P(CommitLogTest, PeekingSeesWhatIsDurableAndInMemory) {
  const auto log = Make(writer_);
  EXPECT_EQ(log->PeekHead("k")->kind, model::VersionKind::kAbsent);
  log->Append(CommitOf("k", TextVersion(0, "v")));
  EXPECT_EQ(log->PeekHead("k")->kind, model::VersionKind::kAbsent);
  Write(*log);
  EXPECT_EQ(log->PeekHead("k")->value, model::Value::Bytes("v"));
  EXPECT_EQ(log->PeekHead("other")->kind, model::VersionKind::kAbsent);
}

TEST_P(CommitLogTest, EverythingInFlightIsOneBatch) {
  const auto log = Make(writer_);
  for (int i = 0; i < 10; ++i) log->Append(CommitOf("k" + std::to_string(i), TextVersion(0, "v")));
  Write(*log);
  ASSERT_THAT(listener_.durable(), SizeIs(1));
  EXPECT_EQ(listener_.durable()[0].sequence, 10u);
  EXPECT_EQ(log->stats().commits, 10u);
  EXPECT_EQ(log->stats().batches, 1u);
}

TEST_P(CommitLogTest, LaterCommitsMakeTheNextBatch) {
  const auto log = Make(writer_);
  log->Append(CommitOf("k", TextVersion(0, "a")));
  Write(*log);
  log->Append(CommitOf("k", TextVersion(1, "b")));
  log->Append(CommitOf("k", TextVersion(2, "c")));
  Write(*log);
  ASSERT_THAT(listener_.durable(), SizeIs(2));
  EXPECT_EQ(listener_.durable()[1].sequence, 3u);
  EXPECT_EQ(Head(*log, "k").value, model::Value::Bytes("c"));
}

TEST_P(CommitLogTest, GivesBackTheHeadWhole) {
  const auto log = Make(writer_);
  model::Version head = TextVersion(7, std::string("\0\xFF text", 7));
  head.norev = true;
  head.expires_ms = 123'456'789;
  log->Append(CommitOf("k", head));
  Write(*log);
  const model::Version read = Head(*log, "k");
  EXPECT_EQ(read.kind, model::VersionKind::kValue);
  EXPECT_TRUE(read.norev);
  EXPECT_EQ(read.revision, 7);
  EXPECT_EQ(read.expires_ms, 123'456'789);
  EXPECT_EQ(read.stamp, head.stamp);
  EXPECT_EQ(read.value.bytes, head.value.bytes);
}

TEST_P(CommitLogTest, AnIntegerStaysAnInteger) {
  const auto log = Make(writer_);
  log->Append(CommitOf("low", ValueVersion(0, model::Value::Integer(INT64_MIN))));
  log->Append(CommitOf("text", TextVersion(0, "5")));
  Write(*log);
  EXPECT_TRUE(Head(*log, "low").value.is_integer);
  EXPECT_EQ(Head(*log, "low").value.integer, INT64_MIN);
  EXPECT_FALSE(Head(*log, "text").value.is_integer);
}

TEST_P(CommitLogTest, AStoredEmptyValueIsNotAbsent) {
  const auto log = Make(writer_);
  log->Append(CommitOf("k", TextVersion(0, "")));
  Write(*log);
  EXPECT_EQ(Head(*log, "k").kind, model::VersionKind::kValue);
  EXPECT_EQ(Head(*log, "k").value.bytes, "");
}

TEST_P(CommitLogTest, SupersededVersionsStayReadable) {
  const auto log = Make(writer_);
  log->Append(CommitOf("k", TextVersion(0, "a")));
  log->Append(CommitOf("k", TextVersion(1, "b"), TextVersion(0, "a")));
  log->Append(CommitOf("k", TextVersion(2, "c"), TextVersion(1, "b")));
  Write(*log);
  EXPECT_EQ(Old(*log, "k", 0).value, model::Value::Bytes("a"));
  EXPECT_EQ(Old(*log, "k", 1).value, model::Value::Bytes("b"));
  EXPECT_EQ(Old(*log, "k", 2).kind, model::VersionKind::kAbsent) << "the head is not history";
}

TEST_P(CommitLogTest, NorevVersionsAreGoneOnceSuperseded) {
  const auto log = Make(writer_);
  model::Version fleeting = TextVersion(0, "a");
  fleeting.norev = true;
  log->Append(CommitOf("k", fleeting));
  log->Append(CommitOf("k", TextVersion(1, "b"), /*superseded=*/{}));
  Write(*log);
  EXPECT_EQ(Old(*log, "k", 0).kind, model::VersionKind::kAbsent);
}

TEST_P(CommitLogTest, AnExtendRewritesTheHeadOnly) {
  const auto log = Make(writer_);
  model::Version head = TextVersion(0, "a");
  log->Append(CommitOf("k", head));
  head.expires_ms = 99;
  log->Append(CommitOf("k", head));
  Write(*log);
  EXPECT_EQ(Head(*log, "k").expires_ms, 99);
  EXPECT_EQ(Old(*log, "k", 0).kind, model::VersionKind::kAbsent);
}

TEST_P(CommitLogTest, DeletionMarksKeepTheirRevision) {
  const auto log = Make(writer_);
  log->Append(CommitOf("k", DeletionVersion(1), TextVersion(0, "a")));
  Write(*log);
  EXPECT_EQ(Head(*log, "k").kind, model::VersionKind::kDeletion);
  EXPECT_EQ(Head(*log, "k").revision, 1);

  log->Append(CommitOf("k", TextVersion(2, "b"), DeletionVersion(1)));
  Write(*log);
  EXPECT_EQ(Head(*log, "k").revision, 2);
  EXPECT_EQ(Old(*log, "k", 1).kind, model::VersionKind::kDeletion);
}

TEST_P(CommitLogTest, HistoriesOfKeysThatContainEachOtherDoNotMix) {
  const auto log = Make(writer_);
  const std::vector<std::string> keys = {"a"s, "a\0"s, "a\0\0"s, "a\0\x01"s, "a\0\xFF"s, "a\xFF"s};
  for (const std::string& key : keys)
    log->Append(CommitOf(key, TextVersion(1, ""), TextVersion(0, key)));
  Write(*log);
  for (const std::string& key : keys) EXPECT_EQ(Old(*log, key, 0).value.bytes, key);
}

TEST_P(CommitLogTest, AVersionAnswersFromItsTimeUntilTheNext) {
  const auto log = Make(writer_);
  AppendVersions(*log, "k", 100);
  EXPECT_EQ(AsOf(*log, "k", 999), "absent");
  for (int i = 0; i <= 100; ++i) EXPECT_EQ(AsOf(*log, "k", 1000 + i), std::to_string(i));
  EXPECT_EQ(AsOf(*log, "k", 5000), "100");
  EXPECT_EQ(AsOf(*log, "nobody", 5000), "absent");
}

TEST_P(CommitLogTest, ReadingAsOfATimeSkipsWhatHistoryDoesNotKeep) {
  const auto log = Make(writer_);
  log->Append(CommitOf("k", TextVersion(0, "norev")));
  log->Append(CommitOf("k", TextVersion(10, "ten")));
  log->Append(CommitOf("k", DeletionVersion(20), TextVersion(10, "ten")));
  log->Append(CommitOf("k", TextVersion(21, "norev"), DeletionVersion(20)));
  log->Append(CommitOf("k", TextVersion(50, "head")));
  Write(*log);
  EXPECT_EQ(AsOf(*log, "k", 1009), "absent");
  EXPECT_EQ(AsOf(*log, "k", 1019), "ten");
  EXPECT_EQ(AsOf(*log, "k", 1020), "deleted");
  EXPECT_EQ(AsOf(*log, "k", 1049), "deleted") << "the next older kept one";
  EXPECT_EQ(AsOf(*log, "k", 1050), "head");
}

TEST_P(CommitLogTest, AnExtendedHeadKeepsItsTime) {
  const auto log = Make(writer_);
  AppendVersions(*log, "k", 1);
  model::Version head = TextVersion(1, "1");
  head.expires_ms = 99'000;
  log->Append(CommitOf("k", head));
  Write(*log);
  EXPECT_EQ(AsOf(*log, "k", 1001), "1");
  EXPECT_EQ(AsOf(*log, "k", 1000), "0");
}

TEST_P(CommitLogTest, AsOfOneKeyIsNoNeighboursAnswer) {
  const auto log = Make(writer_);
  const std::vector<std::string> keys = {"a"s, "a\0"s, "a\0\0"s, "a\0\xFF"s, "a\xFF"s, "\xFF\xFF"s};
  for (const std::string& key : keys) {
    log->Append(CommitOf(key, TextVersion(9, "head"), TextVersion(5, key)));
  }
  Write(*log);
  for (const std::string& key : keys) {
    EXPECT_EQ(AsOf(*log, key, 1004), "absent");
    EXPECT_EQ(AsOf(*log, key, 1008), key);
  }
}

TEST_P(CommitLogTest, ABucketHoldsTheKeysDirectlyInIt) {
  const auto log = Make(writer_);
  AppendKeys(*log, {"a", "b", "b!", "b/", "b/1", "b/1/x", "b/1/y/z", "b/2", "b//", "b//x", "b0",
                    "b/1/", "b/3/x", "c/1"});
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "b"), ElementsAre("b/", "b/1", "b/2"));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "b/1"), ElementsAre("b/1/", "b/1/x"));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "b/"), ElementsAre("b//", "b//x"));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "c"), ElementsAre("c/1"));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, ""), IsEmpty());
}

TEST_P(CommitLogTest, TheBucketWithoutANameHoldsWhatBeginsWithASlash) {
  const auto log = Make(writer_);
  AppendKeys(*log, {"/", "//", "/a", "/a/b", "a/b", "a"});
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, ""), ElementsAre("/", "/a"));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "/"), ElementsAre("//"));
}

TEST_P(CommitLogTest, APrefixReachesIntoEveryDepth) {
  const auto log = Make(writer_);
  AppendKeys(*log, {"a", "b", "b/1/x", "b0", "c"});
  EXPECT_THAT(KeysIn(*log, RangeKind::kPrefix, "b"), ElementsAre("b", "b/1/x", "b0"));
  EXPECT_THAT(KeysIn(*log, RangeKind::kPrefix, ""), ElementsAre("a", "b", "b/1/x", "b0", "c"));
  EXPECT_THAT(KeysIn(*log, RangeKind::kPrefix, "d"), IsEmpty());
}

TEST_P(CommitLogTest, RangesTakeKeysAndTextsOfAnyBytes) {
  const auto log = Make(writer_);
  AppendKeys(*log, {"\0"s, "\0/\0"s, "\xFE"s, "\xFF"s, "\xFF/\xFF"s, "\xFF\xFF"s, "\xFF\xFF/"s});
  EXPECT_THAT(KeysIn(*log, RangeKind::kPrefix, "\xFF"),
              ElementsAre("\xFF/\xFF"s.substr(0, 1), "\xFF/\xFF"s, "\xFF\xFF"s, "\xFF\xFF/"s));
  EXPECT_THAT(KeysIn(*log, RangeKind::kPrefix, "\0"s), ElementsAre("\0"s, "\0/\0"s));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "\0"s), ElementsAre("\0/\0"s));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "\xFF"), ElementsAre("\xFF/\xFF"s));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "\xFF\xFF"), ElementsAre("\xFF\xFF/"s));
}

TEST_P(CommitLogTest, ARangeIsReadInPieces) {
  const auto log = Make(writer_);
  AppendKeys(*log, {"a/1", "b/1", "b/2", "b/2/x", "b/3", "c/1"});
  for (const RangeKind kind : {RangeKind::kBucket, RangeKind::kPrefix}) {
    std::vector<std::string> keys;
    std::string after;
    for (;;) {
      const auto piece = KeysIn(*log, kind, kind == RangeKind::kBucket ? "b" : "b/", after, 2);
      keys.insert(keys.end(), piece.begin(), piece.end());
      if (piece.size() < 2) break;
      after = piece.back();
    }
    EXPECT_EQ(keys, KeysIn(*log, kind, kind == RangeKind::kBucket ? "b" : "b/"));
    EXPECT_THAT(keys, SizeIs(kind == RangeKind::kBucket ? 3 : 4));
  }
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "b", "b/3"), IsEmpty());
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "b", "b/2/x"), ElementsAre("b/3"));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "b", "a"), SizeIs(3));
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "b", "c"), IsEmpty());
  EXPECT_THAT(KeysIn(*log, RangeKind::kBucket, "b", "", 0), IsEmpty());
}

TEST_P(CommitLogTest, ARangeShowsDeletionMarksAndTheExpiredAndNothingPending) {
  const auto log = Make(writer_);
  model::Version expired = TextVersion(0, "b/1");
  expired.expires_ms = 1;
  log->Append(CommitOf("b/1", expired));
  log->Append(CommitOf("b/2", DeletionVersion(1)));
  Write(*log);
  log->Append(CommitOf("b/3", TextVersion(0, "b/3")));
  const model::KeyRange range{model::Durability::kPersistent, RangeKind::kBucket, "b"};
  const auto found = log->ReadRange(range, "", 10).value();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].version.expires_ms, 1);
  EXPECT_EQ(found[1].version.kind, model::VersionKind::kDeletion);
}

TEST_P(CommitLogTest, RangesOfRandomKeysAnswerAsAWalkOverAllDoes) {
  const auto log = Make(writer_);
  std::mt19937_64 random(3);
  const auto word = [&random](std::size_t bytes_max) {
    static constexpr std::string_view kLetters{"ab//\0\xFF.0", 8};
    std::string text(random() % (bytes_max + 1), '/');
    for (char& letter : text) letter = kLetters[random() % kLetters.size()];
    return text;
  };
  std::set<std::string> plain;
  while (plain.size() < 2000) plain.insert(word(6) + "ab/0"[random() % 4]);
  AppendKeys(*log, {plain.begin(), plain.end()});
  for (int i = 0; i < 1000; ++i) {
    const std::string text = word(4);
    const auto kind = i % 2 == 0 ? RangeKind::kBucket : RangeKind::kPrefix;
    const std::string after = i % 3 == 0 ? word(6) : "";
    std::vector<std::string> expected;
    for (const std::string& key : plain) {
      const model::KeyRange range{model::Durability::kPersistent, kind, text};
      if (range.Contains(key) && (after.empty() || key > after)) expected.push_back(key);
    }
    ASSERT_EQ(KeysIn(*log, kind, text, after, 5000), expected) << "text " << text;
  }
}

TEST_P(CommitLogTest, OneCommitChangesAllItsKeys) {
  const auto log = Make(writer_);
  model::Commit commit = CommitOf("a", TextVersion(0, "1"));
  commit.effects.push_back(CommitOf("b", TextVersion(0, "2")).effects[0]);
  log->Append(std::move(commit));
  Write(*log);
  EXPECT_EQ(Head(*log, "a").value, model::Value::Bytes("1"));
  EXPECT_EQ(Head(*log, "b").value, model::Value::Bytes("2"));
}

TEST_P(CommitLogTest, AClockBoundAloneMakesABatch) {
  const auto log = Make(writer_);
  log->RenewClockBound({500});
  writer_.RunReady();
  EXPECT_THAT(listener_.durable(), ElementsAre(Durable{0, {500}}));
  EXPECT_EQ(log->stats().commits, 0u);
}

TEST_P(CommitLogTest, ABatchCarriesTheHighestBoundAskedFor) {
  const auto log = Make(writer_);
  const auto bound = hlc::HybridTime::FromMs(9000);
  log->RenewClockBound(bound);
  log->RenewClockBound({500});
  log->Append(CommitOf("k", TextVersion(0, "v")));
  Write(*log);
  EXPECT_THAT(listener_.durable(), ElementsAre(Durable{1, bound}));
}

TEST_P(CommitLogTest, TheClockBoundNeverFalls) {
  const auto log = Make(writer_);
  const auto bound = hlc::HybridTime::FromMs(9000);
  log->RenewClockBound(bound);
  writer_.RunReady();
  log->RenewClockBound({500});
  EXPECT_FALSE(writer_.RunReady()) << "nothing to do";
  log->Append(CommitOf("k", TextVersion(0, "v")));
  Write(*log);
  EXPECT_EQ(listener_.durable().back(), (Durable{1, bound}));
}

TEST_P(CommitLogTest, TheClockBoundCoversTheStampsInTheBatch) {
  const auto log = Make(writer_);
  model::Commit commit = CommitOf("k", TextVersion(0, "v"));
  commit.stamp.time = hlc::HybridTime::FromMs(7000);
  log->Append(std::move(commit));
  Write(*log);
  EXPECT_EQ(listener_.durable().back().clock_bound, hlc::HybridTime::FromMs(7000));
}

TEST_P(CommitLogTest, ClosingWritesWhatIsQueued) {
  auto log = Make(writer_);
  log->Append(CommitOf("k", TextVersion(0, "v")));
  log.reset();
  ASSERT_THAT(listener_.durable(), SizeIs(1));
  writer_.RunReady();
  EXPECT_THAT(listener_.durable(), SizeIs(1)) << "the task left behind does nothing";
}

TEST_P(CommitLogTest, ClosingWaitsForTheWriterThread) {
  base::SystemClock clock;
  base::ThreadExecutor writer(clock, "writer");
  auto log = Make(writer);
  for (int i = 0; i < 100; ++i) log->Append(CommitOf("k", TextVersion(i, "v")));
  log.reset();
  EXPECT_EQ(listener_.durable().back().sequence, 100u);
  EXPECT_THAT(listener_.failures(), IsEmpty());
}

TEST_P(CommitLogTest, CommitsOfManyThreadsShareBatchesAndKeepTheirOrder) {
  constexpr int kThreads = 4;
  constexpr int kCommits = 200;
  base::SystemClock clock;
  base::ThreadExecutor writer(clock, "writer");
  const auto log = Make(writer);
  listener_.StartWhenDurable(*log);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&log, t] {
      Sequence last = 0;
      for (int i = 0; i < kCommits; ++i) {
        const Sequence given = log->Append(CommitOf("k" + std::to_string(t), TextVersion(i, "v")));
        EXPECT_GT(given, last);
        last = given;
        log->Start();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  listener_.WaitForSequence(kThreads * kCommits);

  for (int t = 0; t < kThreads; ++t) {
    EXPECT_EQ(Head(*log, "k" + std::to_string(t)).revision, kCommits - 1);
  }
  const std::vector<Durable> durable = listener_.durable();
  EXPECT_TRUE(
      std::is_sorted(durable.begin(), durable.end(),
                     [](const Durable& a, const Durable& b) { return a.sequence < b.sequence; }));
  EXPECT_EQ(log->stats().commits, std::uint64_t{kThreads} * kCommits);
  EXPECT_EQ(log->stats().batches, durable.size());
}

INSTANTIATE_TEST_SUITE_P(Logs, CommitLogTest,
                         ::testing::Values(Implementation{"Memory", MakeMemory},
                                           Implementation{"Rocks", MakeRocks}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace palena::store
