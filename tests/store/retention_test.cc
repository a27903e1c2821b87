// What a retention lets go of the history on disk, and what is answered afterwards.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/inline_executor.h"
#include "base/temp_dir.h"
#include "store/commit_log_fixture.h"
#include "store/rocks_commit_log.h"

namespace palena::store {
namespace {

constexpr std::int64_t kLongAfter = 1'000'000'000;

class RetentionTest : public ::testing::Test {
 protected:
  void Open(const Retention& retention, std::size_t per_step = 512) {
    log_.reset();
    log_ = OpenRocksCommitLog(
               {.directory = dir_ / "data", .retention = retention, .trimmed_per_step = per_step},
               writer_)
               .value();
    log_->SetListener(&listener_);
  }
  // The next version of a key, written at `time_ms`.
  void Put(const std::string& key, std::int64_t time_ms, bool norev = false) {
    model::Version head = TextVersion(heads_.contains(key) ? heads_[key].revision + 1 : 0, "");
    head.value = model::Value::Bytes(key + std::to_string(head.revision));
    Install(key, std::move(head), time_ms, norev);
  }
  void Delete(const std::string& key, std::int64_t time_ms) {
    Install(key, DeletionVersion(heads_[key].revision + 1), time_ms, /*norev=*/false);
  }
  // Versions 0 to `last` of a key, written at ten times that.
  void PutAll(const std::string& key, std::int64_t last) {
    for (std::int64_t i = 0; i <= last; ++i) Put(key, 10 * i);
  }
  // One whole pass; the number of its steps.
  int Trim(std::int64_t now_ms) {
    Write();
    int steps = 1;
    while (log_->TrimHistory(now_ms).value()) ++steps;
    return steps;
  }
  std::string AsOf(const std::string& key, std::int64_t time_ms) {
    return Shown(log_->ReadAsOf(key, time_ms).value());
  }
  std::string At(const std::string& key, std::int64_t revision) {
    return Shown(log_->ReadVersion(key, revision).value());
  }
  static std::string Shown(const model::Version& version) {
    if (version.kind == model::VersionKind::kAbsent) return "absent";
    if (version.kind == model::VersionKind::kTrimmed) return "trimmed";
    return version.kind == model::VersionKind::kDeletion ? "deleted" : version.value.bytes;
  }
  void Write() {
    log_->Start();
    writer_.RunReady();
  }

 private:
  void Install(const std::string& key, model::Version head, std::int64_t time_ms, bool norev) {
    head.stamp = hlc::HybridTime::FromMs(time_ms);
    head.norev = norev;
    const model::Version before = heads_[key];
    log_->Append(CommitOf(key, head, before.norev ? model::Version{} : before));
    heads_[key] = head;
  }

  base::TempDir dir_;
  base::ManualClock clock_;
  RecordingListener listener_;
  base::InlineExecutor writer_{clock_};
  std::map<std::string, model::Version> heads_;

 protected:
  std::unique_ptr<CommitLog> log_;  // goes before what it writes on
};

TEST_F(RetentionTest, KeepsEverythingUnlessTold) {
  Open({});
  PutAll("k", 50);
  EXPECT_EQ(Trim(kLongAfter), 1);
  EXPECT_EQ(At("k", 0), "k0");
  EXPECT_EQ(log_->stats().versions_trimmed, 0U);
}

TEST_F(RetentionTest, OfEachKeyTheNewestStayTheHeadIncluded) {
  Open({.revisions_max = 3});
  PutAll("many", 9);
  PutAll("few", 2);
  PutAll("one", 0);
  Trim(kLongAfter);
  EXPECT_EQ(log_->stats().versions_trimmed, 7U);
  EXPECT_EQ(At("many", 6), "absent");
  EXPECT_EQ(At("many", 7), "many7");
  EXPECT_EQ(At("many", 8), "many8");
  EXPECT_EQ(log_->ReadHead("many")->revision, 9);
  EXPECT_EQ(At("few", 0), "few0");
}

TEST_F(RetentionTest, TheTimeOfATrimmedVersionIsNoOlderOnes) {
  Open({.revisions_max = 3});
  PutAll("k", 9);
  Trim(kLongAfter);
  EXPECT_EQ(AsOf("k", 90), "k9");
  EXPECT_EQ(AsOf("k", 89), "k8");
  EXPECT_EQ(AsOf("k", 70), "k7");
  EXPECT_EQ(AsOf("k", 69), "trimmed");
  EXPECT_EQ(AsOf("k", 0), "trimmed");
  EXPECT_EQ(AsOf("k", -1), "absent") << "there was none yet";
}

TEST_F(RetentionTest, AVersionGoesByAgeOnceItsSuccessorIsOld) {
  Open({.age_ms = 100});
  PutAll("k", 5);
  Trim(130);  // what was superseded before 30
  EXPECT_EQ(At("k", 1), "absent");
  EXPECT_EQ(At("k", 2), "k2") << "it was the newest until 30";
  EXPECT_EQ(AsOf("k", 25), "k2");
  EXPECT_EQ(AsOf("k", 15), "trimmed");
  Trim(kLongAfter);
  EXPECT_EQ(At("k", 4), "absent");
  EXPECT_EQ(log_->ReadHead("k")->revision, 5) << "the head stays, however old";
  EXPECT_EQ(AsOf("k", 45), "trimmed");
  EXPECT_EQ(AsOf("k", 50), "k5");
}

TEST_F(RetentionTest, WhateverOfTheTwoLetsGoGoes) {
  Open({.revisions_max = 3, .age_ms = 100});
  PutAll("k", 9);
  Trim(0);
  EXPECT_EQ(At("k", 6), "absent");
  EXPECT_EQ(At("k", 7), "k7");
  Trim(185);
  EXPECT_EQ(At("k", 7), "absent");
  EXPECT_EQ(At("k", 8), "k8");
}

TEST_F(RetentionTest, RevisionsThatWereNeverKeptDoNotCount) {
  Open({.revisions_max = 3});
  for (int i = 0; i < 20; ++i) Put("k", 10 * i, /*norev=*/i % 5 != 0);
  Put("k", 200);
  Trim(kLongAfter);  // kept: 0, 5, 10, 15, 20
  EXPECT_EQ(At("k", 5), "absent");
  EXPECT_EQ(At("k", 10), "k10");
  EXPECT_EQ(At("k", 15), "k15");
  EXPECT_EQ(AsOf("k", 149), "k10");
  EXPECT_EQ(AsOf("k", 99), "trimmed");
}

TEST_F(RetentionTest, ADeletionMarkIsAVersion) {
  Open({.revisions_max = 2});
  Put("k", 0);
  Delete("k", 10);
  Put("k", 20);
  Trim(kLongAfter);
  EXPECT_EQ(At("k", 1), "deleted");
  EXPECT_EQ(AsOf("k", 15), "deleted");
  EXPECT_EQ(AsOf("k", 5), "trimmed");
  Put("k", 30);
  Trim(kLongAfter);
  EXPECT_EQ(AsOf("k", 15), "trimmed");
}

TEST_F(RetentionTest, LaterPassesGoOnWhereTheStubStands) {
  Open({.revisions_max = 2});
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 7; ++i) Put("k", 100 + 10 * (7 * round + i));
    Trim(kLongAfter);
    const std::int64_t head = log_->ReadHead("k")->revision;
    EXPECT_EQ(At("k", head - 1), "k" + std::to_string(head - 1));
    EXPECT_EQ(At("k", head - 2), "absent");
    EXPECT_EQ(AsOf("k", 100), "trimmed");
    EXPECT_EQ(AsOf("k", 99), "absent");
  }
  EXPECT_EQ(log_->stats().versions_trimmed, 68U);
}

TEST_F(RetentionTest, NoRevisionNamesTheStub) {
  Open({.revisions_max = 1});
  PutAll("k", 9);
  Trim(kLongAfter);
  for (int revision = -3; revision < 9; ++revision) EXPECT_EQ(At("k", revision), "absent");
}

TEST_F(RetentionTest, AReopenedLogKnowsWhatWasTrimmed) {
  Open({.revisions_max = 3});
  PutAll("k", 9);
  Trim(kLongAfter);
  Open({});
  EXPECT_EQ(AsOf("k", 75), "k7");
  EXPECT_EQ(AsOf("k", 65), "trimmed");
  EXPECT_EQ(AsOf("k", -1), "absent");
  EXPECT_EQ(At("k", 6), "absent");
}

TEST_F(RetentionTest, OldHistoryIsTrimmedWhenARetentionIsSetLater) {
  Open({});
  PutAll("k", 9);
  Write();
  Open({.revisions_max = 3});
  Trim(kLongAfter);
  EXPECT_EQ(AsOf("k", 65), "trimmed");
  EXPECT_EQ(AsOf("k", 75), "k7");
}

TEST_F(RetentionTest, AStepIsBoundedAndThePassStillEnds) {
  Open({.revisions_max = 5}, /*per_step=*/10);
  PutAll("a", 300);
  for (int i = 0; i < 50; ++i) PutAll("b" + std::to_string(i), 2);
  Write();
  ASSERT_TRUE(log_->TrimHistory(0).value());
  EXPECT_LE(log_->stats().versions_trimmed, 10U);
  EXPECT_GE(Trim(0), 30);
  EXPECT_EQ(log_->stats().versions_trimmed, 296U);
}

TEST_F(RetentionTest, WhatIsWrittenDuringAPassIsNotLost) {
  Open({.revisions_max = 4}, /*per_step=*/3);
  PutAll("k", 20);
  Write();
  for (int i = 21; i < 60; ++i) {
    ASSERT_TRUE(log_->TrimHistory(0).ok());
    Put("k", 10 * i);
    Write();
    EXPECT_EQ(AsOf("k", 10 * (i - 2) + 5), "k" + std::to_string(i - 2));
  }
  Trim(0);
  Trim(0);
  EXPECT_EQ(At("k", 55), "absent");
  EXPECT_EQ(At("k", 56), "k56");
  EXPECT_EQ(AsOf("k", 555), "trimmed");
}

TEST_F(RetentionTest, KeysThatContainEachOtherAreTrimmedApart) {
  using std::string_literals::operator""s;
  const std::vector<std::string> keys = {"a"s, "a\0"s, "a\0\0"s, "a\0\x01"s, "a\xFF"s, "\xFF"s};
  Open({.revisions_max = 2}, /*per_step=*/1);
  for (const std::string& key : keys) PutAll(key, 5);
  Trim(0);
  for (const std::string& key : keys) {
    EXPECT_EQ(At(key, 3), "absent");
    EXPECT_EQ(At(key, 4), key + "4");
    EXPECT_EQ(AsOf(key, 30), "trimmed");
  }
}

// The whole of it against versions in plain vectors.
class PlainHistories {
 public:
  void Put(const std::string& key, std::int64_t time_ms, bool norev) {
    Key& of_key = keys_[key];
    if (of_key.revision >= 0 && of_key.norev) of_key.kept.pop_back();
    of_key.norev = norev;
    of_key.kept.push_back({++of_key.revision, time_ms});
  }
  void Trim(std::uint64_t revisions_max, std::int64_t old_before_ms) {
    for (auto& [name, key] : keys_) {
      std::vector<Version>& kept = key.kept;
      while (kept.size() > revisions_max || (kept.size() > 1 && kept[1].time_ms < old_before_ms)) {
        if (key.trimmed_from < 0) key.trimmed_from = kept.front().time_ms;
        kept.erase(kept.begin());
      }
    }
  }
  std::string AsOf(const std::string& name, std::int64_t time_ms) {
    const Key& key = keys_[name];
    for (auto it = key.kept.rbegin(); it != key.kept.rend(); ++it) {
      if (it->time_ms <= time_ms) return name + std::to_string(it->revision);
    }
    return key.trimmed_from >= 0 && key.trimmed_from <= time_ms ? "trimmed" : "absent";
  }

 private:
  struct Version {
    std::int64_t revision;
    std::int64_t time_ms;
  };
  struct Key {
    std::vector<Version> kept;  // oldest first, the head last
    std::int64_t revision = -1;
    bool norev = false;
    std::int64_t trimmed_from = -1;
  };
  std::map<std::string, Key> keys_;
};

TEST_F(RetentionTest, AnswersAsPlainVectorsOfVersionsDo) {
  for (const std::size_t per_step : {1, 7, 512}) {
    std::mt19937_64 random(per_step);
    const std::string tag = std::to_string(per_step) + "/";
    Open({.revisions_max = 6, .age_ms = 400}, per_step);
    PlainHistories plain;
    std::int64_t now_ms = 1;
    for (int step = 0; step < 3000; ++step) {
      const std::string key = tag + std::string(1, static_cast<char>('a' + random() % 8)) + ".";
      const bool norev = random() % 4 == 0;
      now_ms += 1 + static_cast<std::int64_t>(random() % 20);
      Put(key, now_ms, norev);
      plain.Put(key, now_ms, norev);
      if (step % 50 != 49) continue;
      Trim(now_ms);
      plain.Trim(6, now_ms - 400);
      for (int ask = 0; ask < 40; ++ask) {
        const std::int64_t time_ms = now_ms - static_cast<std::int64_t>(random() % 2000);
        ASSERT_EQ(AsOf(key, time_ms), plain.AsOf(key, time_ms)) << "step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace palena::store
