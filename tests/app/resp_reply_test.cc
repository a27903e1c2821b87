#include "app/resp_reply.h"

#include <gtest/gtest.h>

#include <string>

namespace palena::app {
namespace {

using Kind = RespReply::Kind;
using namespace std::string_literals;

constexpr std::size_t kBytesMax = 1000;

RespReply Decoded(std::string_view input) {
  return DecodeRespReply(input, kBytesMax);
}

void ExpectReply(std::string_view input, Kind kind, std::string_view text) {
  const RespReply reply = Decoded(input);
  EXPECT_EQ(reply.kind, kind) << input << ": " << reply.text;
  EXPECT_EQ(reply.text, text) << input;
  EXPECT_EQ(reply.consumed_bytes, input.size()) << input;
}

TEST(RespReplyTest, ReadsEveryTypeOfReply) {
  ExpectReply("+OK\r\n", Kind::kSimple, "OK");
  ExpectReply("+\r\n", Kind::kSimple, "");
  ExpectReply("-NOSCRIPT No matching script.\r\n", Kind::kError, "NOSCRIPT No matching script.");
  ExpectReply(":-9223372036854775808\r\n", Kind::kInteger, "-9223372036854775808");
  ExpectReply("$5\r\na\r\nbc\r\n", Kind::kBulk, "a\r\nbc");
  ExpectReply("$0\r\n\r\n", Kind::kBulk, "");
  ExpectReply("$-1\r\n", Kind::kNil, "");
  ExpectReply("*-1\r\n", Kind::kNil, "");
}

TEST(RespReplyTest, SkipsAnArrayAsAWhole) {
  ExpectReply("*0\r\n", Kind::kArray, "");
  ExpectReply("*3\r\n:1\r\n$-1\r\n-ERR inside\r\n", Kind::kArray, "");
  ExpectReply("*2\r\n*2\r\n:1\r\n*0\r\n$1\r\nx\r\n", Kind::kArray, "");
}

TEST(RespReplyTest, SkipsNestingOfAnyDepth) {
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "*1\r\n";
  ExpectReply(deep + ":1\r\n", Kind::kArray, "");
}

TEST(RespReplyTest, TakesOneReplyAndLeavesTheNext) {
  const RespReply reply = Decoded(":1\r\n:2\r\n");
  EXPECT_EQ(reply.text, "1");
  EXPECT_EQ(reply.consumed_bytes, 4u);
}

// Cut anywhere, a reply is one that needs more, never another one and never a bad one.
TEST(RespReplyTest, WaitsForTheRestWhereverItIsCut) {
  for (const std::string& whole : {"+OK\r\n"s, "-ERR no\r\n"s, ":12\r\n"s, "$3\r\na\r\n\r\n"s,
                                   "$-1\r\n"s, "*2\r\n$1\r\nx\r\n*1\r\n:7\r\n"s}) {
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      const RespReply reply = Decoded(std::string_view(whole).substr(0, cut));
      EXPECT_EQ(reply.kind, Kind::kNeedMore) << whole << " cut at " << cut;
      EXPECT_GT(reply.needed_bytes, cut) << whole << " cut at " << cut;
      EXPECT_LE(reply.needed_bytes, whole.size()) << whole << " cut at " << cut;
    }
  }
}

TEST(RespReplyTest, RefusesWhatIsNotResp2) {
  for (const std::string_view bad :
       {"OK\r\n", "\r\n", "%1\r\n", "_\r\n", "+a\rb\r\n", ":\r\n", ":1x\r\n", ":+1\r\n", ": 1\r\n",
        ":9223372036854775808\r\n", "$a\r\n", "$1\r\nxy\r\n", "*1\r\n?\r\n"}) {
    EXPECT_EQ(Decoded(bad).kind, Kind::kBad) << bad;
  }
}

TEST(RespReplyTest, RefusesHostileLengthsAtOnce) {
  for (const std::string_view bad :
       {"$-2\r\n", "*-2\r\n", "$1001\r\n", "$995\r\n", "*1001\r\n", "$9223372036854775807\r\n",
        "*9223372036854775807\r\n", "$1844674407370955161599999", "*00000000000000000000001"}) {
    EXPECT_EQ(Decoded(bad).kind, Kind::kBad) << bad;
  }
  EXPECT_EQ(Decoded("$990\r\n").needed_bytes, 998u);
}

TEST(RespReplyTest, RefusesALineWithoutEnd) {
  EXPECT_EQ(Decoded("+" + std::string(998, 'x')).kind, Kind::kNeedMore);
  EXPECT_EQ(Decoded("+" + std::string(999, 'x')).kind, Kind::kBad);
}

TEST(RespReplyTest, RefusesAnArrayThatGrowsBeyondTheLimit) {
  std::string bomb;
  for (int i = 0; i < 300; ++i) bomb += "*100\r\n";
  EXPECT_EQ(Decoded(bomb).kind, Kind::kBad);
}

}  // namespace
}  // namespace palena::app
