#include "store/rocks_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "store/commit_log_fixture.h"

namespace palena::store {
namespace {

std::string Encoded(const model::Version& version) {
  std::string out;
  AppendVersion(version.view(), out);
  return out;
}

std::string Place(std::string_view key, std::int64_t revision) {
  std::string out;
  AppendHistoryKey(key, revision, out);
  return out;
}

TEST(RocksFormatTest, RefusesEveryTruncationOfAnInteger) {
  const std::string whole = Encoded(ValueVersion(3, model::Value::Integer(-9)));
  model::Version version;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(DecodeVersion(whole.substr(0, size), version)) << size;
  }
  EXPECT_FALSE(DecodeVersion(whole + "x", version));
  EXPECT_TRUE(DecodeVersion(whole, version));
}

TEST(RocksFormatTest, RefusesLayoutsAndFlagsItDoesNotKnow) {
  std::string bytes = Encoded(TextVersion(0, "v"));
  model::Version version;
  bytes[1] = 8;
  EXPECT_FALSE(DecodeVersion(bytes, version));
  bytes[1] = 0;
  bytes[0] = 2;
  EXPECT_FALSE(DecodeVersion(bytes, version));
}

TEST(RocksFormatTest, RefusesADeletionWithAValue) {
  model::Version version;
  EXPECT_FALSE(DecodeVersion(Encoded(DeletionVersion(1)) + "v", version));
}

TEST(RocksFormatTest, HistoryIsOrderedByKeyThenRevision) {
  using std::string_literals::operator""s;
  const std::vector<std::string> places = {
      Place("", 0),         Place("\0"s, 0),    Place("a"s, 0),      Place("a"s, 1),
      Place("a"s, 256),     Place("a"s, 65536), Place("a\0"s, 0),    Place("a\0\0"s, 0),
      Place("a\0\x01"s, 0), Place("a\x01"s, 0), Place("a\x01b"s, 2), Place("b"s, 0)};
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
}

TEST(RocksFormatTest, AKeyInAMessageIsEscapedAndCut) {
  EXPECT_EQ(PrintableKey(std::string_view("a\0\n", 3)), "a\\x00\\n");
  EXPECT_LT(PrintableKey(std::string(1000, 'k')).size(), 80u);
}

}  // namespace
}  // namespace palena::store
