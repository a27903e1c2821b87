// The table against the plainest store that can be written: a map of keys to all their versions.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/limits.h"
#include "store/table.h"
#include "store/table_fixture.h"

namespace palena::store {
namespace {

constexpr std::int64_t kStart = 1'750'000'000'000;
constexpr int kKeys = 300;

class PlainStore {
 public:
  struct Key {
    std::vector<model::Version> kept;  // superseded, oldest first
    model::Version head;
  };

  Key* Find(const std::string& name) {
    const auto found = keys_.find(name);
    return found == keys_.end() ? nullptr : &found->second;
  }
  void Put(const std::string& name, const model::VersionView& head) {
    Key* key = Find(name);
    if (key != nullptr && !key->head.norev && key->head.revision != head.revision) {
      key->kept.push_back(key->head);
    }
    keys_[name].head = model::Version::Copy(head);
  }
  model::Version At(const Key& key, std::int64_t revision) const {
    if (key.head.revision == revision) return OrAbsent(key.head);
    const std::size_t reach = base::kVersionsInMemoryMax - 1;
    for (std::size_t i = 0; i < key.kept.size() && i < reach; ++i) {
      const model::Version& version = key.kept[key.kept.size() - 1 - i];
      if (version.revision == revision) return OrAbsent(version);
    }
    return {};
  }
  model::Version AsOf(const Key& key, std::int64_t time_ms) const {
    if (key.head.stamp.ms() <= time_ms) return key.head;
    model::Version trimmed;
    trimmed.kind = model::VersionKind::kTrimmed;
    for (std::size_t i = 0; i < key.kept.size(); ++i) {
      if (i == base::kVersionsInMemoryMax - 1) return trimmed;
      const model::Version& version = key.kept[key.kept.size() - 1 - i];
      if (version.stamp.ms() <= time_ms) return version;
    }
    return {};
  }
  void Sweep(std::int64_t now_ms) {
    std::erase_if(keys_, [&](const auto& item) { return IsDead(item.second.head, now_ms); });
  }
  std::size_t size() const { return keys_.size(); }

 private:
  static model::Version OrAbsent(const model::Version& version) {
    return version.kind == model::VersionKind::kValue ? version : model::Version{};
  }
  static bool IsDead(const model::Version& head, std::int64_t now_ms) {
    if (head.kind == model::VersionKind::kDeletion) {
      return now_ms - head.stamp.ms() > Table::kDeletionKeptMs;
    }
    return !head.view().IsLive(now_ms);
  }

  std::map<std::string, Key> keys_;
};

// One seeded run of both, compared at every step.
class Comparison {
 public:
  explicit Comparison(std::uint64_t seed) : random_(seed) {}

  void Step() {
    const std::string name = Name();
    switch (Below(10)) {
      case 0:
        return Advance();
      case 1:
        return Delete(name);
      case 2:
        return Extend(name);
      case 3:
      case 4:
        return CompareVersions(name);
      default:
        return Set(name);
    }
  }
  void Finish() {
    for (int i = 0; i < kKeys; ++i) CompareVersions(std::to_string(i) + Padding(i));
    now_ms_ += 1'000'000'000;
    Sweep();
  }

 private:
  std::uint64_t Below(std::uint64_t end) { return random_() % end; }
  static std::string Padding(int i) { return std::string(static_cast<std::size_t>(i % 90), 'p'); }
  std::string Name() {
    const int i = static_cast<int>(Below(kKeys));
    return std::to_string(i) + Padding(i);
  }
  HeadOptions NextHead(const std::string& name) {
    const auto* key = plain_.Find(name);
    const std::int64_t before = key == nullptr ? -1 : key->head.revision;
    const bool expires = Below(2) == 0;
    return {.revision = before + 1 + (Below(8) == 0 ? 1 : 0),
            .expires_ms = expires ? now_ms_ + static_cast<std::int64_t>(Below(100'000)) : 0,
            .stamp_ms = now_ms_,
            .norev = Below(5) == 0};
  }
  void PutBoth(const std::string& name, const model::VersionView& head) {
    plain_.Put(name, head);
    table_.Put(name, head);
    Compare(name);
  }
  void Set(const std::string& name) {
    const HeadOptions options = NextHead(name);
    const std::string text(Below(2) * Below(400), static_cast<char>('a' + Below(26)));
    const bool is_integer = Below(2) == 0;
    PutBoth(name, is_integer ? Number(static_cast<std::int64_t>(random_()), options)
                             : Text(text, options));
  }
  void Delete(const std::string& name) {
    if (plain_.Find(name) == nullptr) return;
    HeadOptions options = NextHead(name);
    options.expires_ms = 0;
    PutBoth(name, DeletionMark(options));
  }
  void Extend(const std::string& name) {
    const Entry* entry = table_.Find(KeyOf(name));
    if (entry == nullptr || !HeadOf(*entry).IsLive(now_ms_)) return;
    model::VersionView head = HeadOf(*entry);
    head.expires_ms = now_ms_ + static_cast<std::int64_t>(Below(200'000));
    PutBoth(name, model::Version::Copy(head).view());
  }
  void Advance() {
    now_ms_ += static_cast<std::int64_t>(random_() >> (44 + Below(20)));
    Sweep();
  }
  void Sweep() {
    table_.SweepAll(now_ms_);
    plain_.Sweep(now_ms_);
    ASSERT_EQ(table_.stats().entries, plain_.size());
  }
  void Compare(const std::string& name) {
    const auto* key = plain_.Find(name);
    const Entry* entry = table_.Find(KeyOf(name));
    ASSERT_EQ(entry != nullptr, key != nullptr) << name;
    if (key != nullptr) ExpectSame(HeadOf(*entry), key->head);
  }
  void CompareVersions(const std::string& name) {
    Compare(name);
    const auto* key = plain_.Find(name);
    if (key == nullptr) return;
    const Entry* entry = table_.Find(KeyOf(name));
    for (std::int64_t back = -1; back < 40; ++back) {
      const std::int64_t revision = key->head.revision - back;
      ExpectSame(table_.table().VersionAt(*entry, revision), plain_.At(*key, revision));
    }
    for (std::int64_t back = 0; back < 1'000'000; back = back * 3 + 1) {
      const std::int64_t time_ms = now_ms_ - back;
      ExpectSame(table_.table().VersionAsOf(*entry, time_ms), plain_.AsOf(*key, time_ms));
    }
  }
  static void ExpectSame(const model::VersionView& actual, const model::Version& expected) {
    ASSERT_EQ(actual.kind, expected.kind);
    ASSERT_EQ(actual.revision, expected.revision);
    ASSERT_EQ(actual.expires_ms, expected.expires_ms);
    ASSERT_EQ(actual.stamp, expected.stamp);
    ASSERT_EQ(actual.value.is_integer, expected.value.is_integer);
    ASSERT_EQ(model::Value::Copy(actual.value), expected.value);
  }

  std::mt19937_64 random_;
  std::int64_t now_ms_ = kStart;
  PlainStore plain_;
  TableFixture table_;
};

TEST(TableModelTest, AnswersAsAPlainMapOfVersionsDoes) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    Comparison comparison(seed);
    for (int i = 0; i < 50'000; ++i) {
      comparison.Step();
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", step " << i;
    }
    comparison.Finish();
  }
}

}  // namespace
}  // namespace palena::store
