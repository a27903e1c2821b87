// What only the log on disk promises: recovery, refusals, and the end after a failed sync.

#include "store/rocks_commit_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "base/inline_executor.h"
#include "base/temp_dir.h"
#include "base/thread_executor.h"
#include "rocksdb/db.h"
#include "store/commit_log_fixture.h"
#include "store/faulty_disk.h"
#include "store/rocks_format.h"
#include "store/rocks_internals.h"

namespace palena::store {
namespace {

namespace fs = std::filesystem;
using base::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class RocksCommitLogTest : public ::testing::Test {
 protected:
  base::StatusOr<std::unique_ptr<CommitLog>> TryOpen(const RocksInternals& internals = {}) {
    auto log = OpenRocksCommitLog({.directory = directory_}, writer_, internals);
    if (log.ok()) (*log)->SetListener(&listener_);
    return log;
  }
  std::unique_ptr<CommitLog> Open(const RocksInternals& internals = {}) {
    return TryOpen(internals).value();
  }
  // What is queued becomes durable; false when there is nothing.
  bool Write(CommitLog& log) {
    log.Start();
    return writer_.RunReady();
  }
  // A directory with one durable commit, closed.
  void WriteOneCommit() {
    const auto log = Open();
    log->Append(CommitOf("k", TextVersion(0, "v")));
  }
  // Every refusal is one line that names the directory.
  void ExpectRefusal(StatusCode code, const std::string& reason) {
    const base::Status status = TryOpen().status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(directory_), HasSubstr(reason), Not(HasSubstr("\n"))));
  }
  void Overwrite(const std::string& file, const std::string& bytes) {
    std::ofstream(directory_ + "/" + file, std::ios::trunc | std::ios::binary) << bytes;
  }
  std::string FindFile(const std::string& part) const {
    for (const auto& file : fs::directory_iterator(directory_)) {
      const std::string name = file.path().filename().string();
      if (name.find(part) != std::string::npos) return name;
    }
    return "";
  }

  base::TempDir dir_;
  std::string directory_ = dir_ / "data";
  base::ManualClock clock_;
  RecordingListener listener_;
  base::InlineExecutor writer_{clock_};
};

TEST_F(RocksCommitLogTest, RefusesADirectoryOfSomebodyElse) {
  fs::create_directory(directory_);
  Overwrite("app.log", "of another program");
  ExpectRefusal(StatusCode::kInvalidArgument, "holds no data of a node, but other files: app.log");
  EXPECT_THAT(FindFile("MANIFEST"), IsEmpty());
}

TEST_F(RocksCommitLogTest, TakesADirectoryWhereAFirstStartEnded) {
  fs::create_directory(directory_);
  fs::create_directory(directory_ + "/lost+found");
  for (const std::string file : {"LOCK", "LOG", "LOG.old.1", "IDENTITY", "000001.dbtmp"}) {
    Overwrite(file, "");
  }
  EXPECT_TRUE(TryOpen().ok()) << TryOpen().status();
}

TEST_F(RocksCommitLogTest, ReopeningKeepsEverything) {
  {
    const auto log = Open();
    log->Append(CommitOf("k", TextVersion(0, "a")));
    log->Append(CommitOf("k", DeletionVersion(1), TextVersion(0, "a")));
    log->Append(CommitOf("n", ValueVersion(5, model::Value::Integer(42))));
    log->RenewClockBound(hlc::HybridTime::FromMs(9000));
  }
  const auto log = Open();
  EXPECT_EQ(log->recovered_sequence(), 3u);
  EXPECT_EQ(log->recovered_clock_bound(), hlc::HybridTime::FromMs(9000));
  EXPECT_EQ(log->ReadHead("k")->kind, model::VersionKind::kDeletion);
  EXPECT_EQ(log->ReadVersion("k", 0)->value, model::Value::Bytes("a"));
  EXPECT_TRUE(log->ReadHead("n")->value.is_integer);
  EXPECT_EQ(log->ReadHead("n")->value.integer, 42);
}

TEST_F(RocksCommitLogTest, PeekingReadsNoFile) {
  const auto disk = std::make_shared<FaultyDisk>(".sst");
  const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(disk);
  WriteOneCommit();
  const auto log = Open(RocksInternals{env.get()});
  const int reads = disk->reads();
  EXPECT_EQ(log->PeekHead("k"), std::nullopt);
  EXPECT_EQ(disk->reads(), reads);
  EXPECT_EQ(log->ReadHead("k")->value, model::Value::Bytes("v"));
  EXPECT_GT(disk->reads(), reads);
  EXPECT_EQ(log->PeekHead("k")->value, model::Value::Bytes("v")) << "its block is in memory now";
}

TEST_F(RocksCommitLogTest, NumbersGoOnAfterReopening) {
  WriteOneCommit();
  const auto log = Open();
  EXPECT_EQ(log->Append(CommitOf("k", TextVersion(1, "b"))), 2u);
}

TEST_F(RocksCommitLogTest, TheClockBoundHoldsAfterReopening) {
  {
    const auto log = Open();
    log->RenewClockBound(hlc::HybridTime::FromMs(9000));
    writer_.RunReady();
  }
  const auto log = Open();
  log->RenewClockBound(hlc::HybridTime::FromMs(8000));
  EXPECT_FALSE(writer_.RunReady()) << "nothing to do";
  EXPECT_EQ(log->stats().batches, 0u);
}

TEST_F(RocksCommitLogTest, TheDirectoryIsItsOwnersAlone) {
  Open();
  struct stat found = {};
  ASSERT_EQ(stat(directory_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700u);
}

TEST_F(RocksCommitLogTest, ASecondLogOnOneDirectoryIsRefused) {
  const auto log = Open();
  ExpectRefusal(StatusCode::kFailedPrecondition, "in use");
}

TEST_F(RocksCommitLogTest, AFileIsNoDirectory) {
  std::ofstream(directory_) << "text";
  ExpectRefusal(StatusCode::kInvalidArgument, "not a directory");
}

TEST_F(RocksCommitLogTest, AMissingParentIsRefused) {
  directory_ = dir_ / "missing/data";
  ExpectRefusal(StatusCode::kInvalidArgument, "parent");
}

TEST_F(RocksCommitLogTest, ADirectoryThatNobodyMayWriteIsRefused) {
  directory_ = "/sys/palena-data";  // not even root makes one there
  ExpectRefusal(StatusCode::kPermissionDenied, "cannot be created");
}

TEST_F(RocksCommitLogTest, ADamagedCurrentFileIsRefused) {
  WriteOneCommit();
  for (const std::string bytes : {"", "garbage", "MANIFEST-999999\n", "\n\n"}) {
    Overwrite("CURRENT", bytes);
    ExpectRefusal(StatusCode::kDataLoss, "damaged");
  }
}

TEST_F(RocksCommitLogTest, AMissingCurrentFileIsNoEmptyDatabase) {
  WriteOneCommit();
  fs::remove(directory_ + "/CURRENT");
  ExpectRefusal(StatusCode::kDataLoss, "CURRENT is missing");
}

TEST_F(RocksCommitLogTest, ADamagedManifestIsRefused) {
  WriteOneCommit();
  Overwrite(FindFile("MANIFEST"), std::string(200, 'x'));
  ExpectRefusal(StatusCode::kDataLoss, "damaged");
}

TEST_F(RocksCommitLogTest, MissingAcknowledgedCommitsAreRefusedUnlessAccepted) {
  WriteOneCommit();
  fs::remove(directory_ + "/" + FindFile(".log"));
  ExpectRefusal(StatusCode::kDataLoss, "commits up to 1 were acknowledged");

  auto log = OpenRocksCommitLog({.directory = directory_, .accept_data_loss = true}, writer_);
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_EQ((*log)->recovered_sequence(), 0u);
  log->reset();
  EXPECT_TRUE(TryOpen().ok()) << "accepted once and for all";
}

TEST_F(RocksCommitLogTest, ACutLogIsRefusedFromASecondAfterTheCommit) {
  const auto log = Open();
  log->Append(CommitOf("k", TextVersion(0, "v")));
  Write(*log);
  const std::string copy = dir_ / "copy";
  fs::copy(directory_, copy);
  clock_.AdvanceMs(1000);
  writer_.RunReady();
  fs::copy(directory_ + "/ACKED", copy + "/ACKED", fs::copy_options::overwrite_existing);
  directory_ = copy;
  fs::resize_file(directory_ + "/" + FindFile(".log"), 10);
  ExpectRefusal(StatusCode::kDataLoss, "are missing");
}

// Changes a family behind the log's back.
void PutRaw(const std::string& directory, std::string_view family, const std::string& key,
            const std::string& value) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families = {{rocksdb::kDefaultColumnFamilyName, {}}};
  for (const auto name : {kLatestFamily, kHistoryFamily, kMetaFamily}) {
    families.emplace_back(std::string(name), rocksdb::ColumnFamilyOptions());
  }
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open({}, directory, families, &handles, &opened).ok());
  const std::unique_ptr<rocksdb::DB> database(opened);
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    if (handle->GetName() == family) {
      EXPECT_TRUE(database->Put(rocksdb::WriteOptions(), handle, key, value).ok());
    }
    database->DestroyColumnFamilyHandle(handle);
  }
}

TEST_F(RocksCommitLogTest, AnotherFormatIsRefused) {
  WriteOneCommit();
  PutRaw(directory_, kMetaFamily, std::string(kFormatKey), EncodeMeta(kDataFormat + 1));
  ExpectRefusal(StatusCode::kInvalidArgument, "format 2");
}

TEST_F(RocksCommitLogTest, SomebodyElsesDatabaseIsRefused) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, directory_, &opened).ok());
  ASSERT_TRUE(opened->Put(rocksdb::WriteOptions(), "theirs", "data").ok());
  delete opened;
  ExpectRefusal(StatusCode::kInvalidArgument, "format 0");
}

TEST_F(RocksCommitLogTest, AFirstStartThatEndedEarlyIsCompleted) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, directory_, &opened).ok());
  delete opened;
  EXPECT_TRUE(TryOpen().ok());
}

TEST_F(RocksCommitLogTest, AVersionThatCannotBeDecodedIsNamed) {
  WriteOneCommit();
  PutRaw(directory_, kLatestFamily, "k\n", "nonsense");
  const auto log = Open();
  const base::Status status = log->ReadHead("k\n").status();
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("latest"), HasSubstr("'k\\n'")));
}

class RocksFaultTest : public RocksCommitLogTest,
                       public ::testing::WithParamInterface<FaultyDisk::Fault> {
 protected:
  void Commit(CommitLog& log, std::int64_t revision) {
    log.Append(CommitOf("k", TextVersion(revision, "v")));
    Write(log);
  }

  std::shared_ptr<FaultyDisk> disk_ = std::make_shared<FaultyDisk>(".log");
  std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(disk_);
};

TEST_P(RocksFaultTest, AFailedWriteIsToldOnceAndNothingIsDurableAfterwards) {
  const auto log = Open({env_.get()});
  Commit(*log, 0);
  disk_->Break(GetParam(), rocksdb::IOStatus::IOError("the disk is gone"));
  for (int revision = 1; revision < 4; ++revision) Commit(*log, revision);
  disk_->Break(FaultyDisk::Fault::kNone, {});
  for (int revision = 4; revision < 6; ++revision) Commit(*log, revision);
  log->RenewClockBound(hlc::HybridTime::FromMs(1'000'000));
  writer_.RunReady();

  EXPECT_THAT(listener_.durable(), SizeIs(1));
  ASSERT_THAT(listener_.failures(), SizeIs(1));
  EXPECT_EQ(listener_.failures()[0].code(), StatusCode::kUnavailable);
  EXPECT_THAT(std::string(listener_.failures()[0].message()), HasSubstr("the disk is gone"));
}

TEST_P(RocksFaultTest, WhatWasAcknowledgedOutlivesTheFailure) {
  {
    const auto log = Open({env_.get()});
    Commit(*log, 0);
    disk_->Break(GetParam(), rocksdb::IOStatus::IOError("the disk is gone"));
    Commit(*log, 1);
  }
  const auto log = Open();
  EXPECT_GE(log->recovered_sequence(), 1u);
  EXPECT_EQ(log->ReadHead("k")->kind, model::VersionKind::kValue);
}

TEST_P(RocksFaultTest, AFullDiskIsTold) {
  const auto log = Open({env_.get()});
  disk_->Break(GetParam(), rocksdb::IOStatus::NoSpace("full"));
  Commit(*log, 0);
  ASSERT_THAT(listener_.failures(), SizeIs(1));
  EXPECT_EQ(listener_.failures()[0].code(), StatusCode::kResourceExhausted);
}

TEST_P(RocksFaultTest, CommitsAfterAFailureStillGetSequences) {
  const auto log = Open({env_.get()});
  disk_->Break(GetParam(), rocksdb::IOStatus::IOError("the disk is gone"));
  Commit(*log, 0);
  EXPECT_EQ(log->Append(CommitOf("k", TextVersion(1, "v"))), 2u);
  EXPECT_FALSE(Write(*log));
}

// A table that cannot be written fails on a thread of the database, not in a commit.
TEST_F(RocksCommitLogTest, AFailureInTheBackgroundIsTold) {
  const auto disk = std::make_shared<FaultyDisk>(".sst");
  const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(disk);
  base::SystemClock clock;
  base::ThreadExecutor writer(clock, "writer");
  const auto log =
      OpenRocksCommitLog({.directory = directory_}, writer, RocksInternals{env.get()}).value();
  log->SetListener(&listener_);
  disk->Break(FaultyDisk::Fault::kAppend, rocksdb::IOStatus::IOError("the disk is gone"));
  const std::string large(std::size_t{1} << 20, 'v');
  // One by one: the write buffer must be found full by a later batch than the one that filled it.
  for (int i = 0; i < 40; ++i) {
    const Sequence sequence = log->Append(CommitOf("k", TextVersion(i, large)));
    log->Start();
    listener_.WaitForSequenceOrFailure(sequence);
  }
  log->Append(CommitOf("k", TextVersion(40, "small")));  // finds the write buffer full
  log->Start();
  listener_.WaitForFailure();
  EXPECT_THAT(listener_.failures(), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(Faults, RocksFaultTest,
                         ::testing::Values(FaultyDisk::Fault::kSync, FaultyDisk::Fault::kAppend),
                         [](const auto& each) {
                           return each.param == FaultyDisk::Fault::kSync ? "Sync" : "Append";
                         });

}  // namespace
}  // namespace palena::store
