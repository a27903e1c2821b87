// Requests out of bytes, whole and one byte at a time.

#include "server/http_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace palena::server {
namespace {

using Step = HttpParser::Step;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::string kHost = "Host: palena\r\n";

// What a parser says of `input` at once, and when it grows byte by byte: it must be the same.
struct Parsed {
  Step step = Step::kNeedMore;
  HttpRequest request;
  std::size_t consumed_bytes = 0;
  HttpFailure failure;
};

Parsed ParseInSteps(std::string_view input, std::size_t step_bytes) {
  HttpParser parser;
  Parsed parsed;
  for (std::size_t size = 0; size < input.size() && parsed.step == Step::kNeedMore;) {
    size = std::min(size + step_bytes, input.size());
    parsed.step = parser.Parse(input.substr(0, size));
  }
  if (parsed.step == Step::kRequest) {
    parsed.request = parser.request();
    parsed.consumed_bytes = parser.consumed_bytes();
  } else if (parsed.step == Step::kRefused) {
    parsed.failure = parser.failure();
  }
  return parsed;
}

Parsed Parse(std::string_view input) {
  const Parsed whole = ParseInSteps(input, input.size());
  const Parsed bytes = ParseInSteps(input, 1);
  EXPECT_EQ(whole.step, bytes.step) << input;
  EXPECT_EQ(whole.request.body, bytes.request.body);
  EXPECT_EQ(whole.request.target, bytes.request.target);
  EXPECT_EQ(whole.consumed_bytes, bytes.consumed_bytes);
  EXPECT_EQ(whole.failure.message, bytes.failure.message);
  return whole;
}

void ExpectRefuses(std::string_view input, HttpError error, const std::string& reason) {
  const Parsed parsed = Parse(input);
  EXPECT_EQ(parsed.step, Step::kRefused) << input;
  EXPECT_EQ(HttpErrorName(parsed.failure.error), HttpErrorName(error)) << input;
  EXPECT_THAT(parsed.failure.message, HasSubstr(reason));
}

TEST(HttpParserTest, ReadsARequestWithoutABody) {
  const std::string text = "GET /v1/limits/login/take?subject=a HTTP/1.1\r\n" + kHost + "\r\n";
  const Parsed parsed = Parse(text + "GET /next");
  EXPECT_EQ(parsed.step, Step::kRequest);
  EXPECT_EQ(parsed.request.method, "GET");
  EXPECT_EQ(parsed.request.target, "/v1/limits/login/take?subject=a");
  EXPECT_TRUE(parsed.request.keeps_alive);
  EXPECT_EQ(parsed.consumed_bytes, text.size());
}

TEST(HttpParserTest, ReadsABodyOfALengthThatIsTold) {
  const Parsed parsed = Parse("POST / HTTP/1.1\r\n" + kHost + "Content-Length: 5\r\n\r\nhelloPOST");
  EXPECT_EQ(parsed.request.body, "hello");
}

TEST(HttpParserTest, ReadsABodyInChunksWithExtensionsAndTrailers) {
  const Parsed parsed =
      Parse("POST / HTTP/1.1\r\n" + kHost +
            "Transfer-Encoding: Chunked\r\n\r\n"
            "3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nHost: other\r\nOrigin: x\r\n\r\nGET");
  EXPECT_EQ(parsed.step, Step::kRequest) << parsed.failure.message;
  EXPECT_EQ(parsed.request.body, "hello");
  EXPECT_FALSE(parsed.request.has_origin);
}

TEST(HttpParserTest, KnowsWhetherTheConnectionGoesOn) {
  EXPECT_FALSE(
      Parse("GET / HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n").request.keeps_alive);
  EXPECT_FALSE(Parse("GET / HTTP/1.0\r\n\r\n").request.keeps_alive);
  const Parsed kept = Parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(kept.request.keeps_alive);
  EXPECT_TRUE(kept.request.is_http_1_0);
}

TEST(HttpParserTest, SkipsAFewEmptyLinesInFront) {
  EXPECT_EQ(Parse("\r\n\r\nGET / HTTP/1.1\r\n" + kHost + "\r\n").step, Step::kRequest);
  EXPECT_EQ(Parse("\r\n\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\n" + kHost + "\r\n").step,
            Step::kRefused);
}

TEST(HttpParserTest, GathersPartHeadersAndOrigin) {
  const Parsed parsed = Parse("GET / HTTP/1.1\r\n" + kHost +
                              "Palena-Part-Subject: a&b=c%20\r\nORIGIN: http://evil\r\n"
                              "palena-part-user_type: x\r\nPalena-Parts: y\r\n\r\n");
  EXPECT_THAT(parsed.request.part_headers,
              ElementsAre(Pair("subject", "a&b=c%20"), Pair("user_type", "x")));
  EXPECT_TRUE(parsed.request.has_origin);
}

TEST(HttpParserTest, SaysOnceThatThePeerWaitsForLeaveToSendTheBody) {
  HttpParser parser;
  const std::string head =
      "POST / HTTP/1.1\r\n" + kHost + "Expect: 100-Continue\r\nContent-Length: 2\r\n";
  EXPECT_EQ(parser.Parse(head), Step::kNeedMore);
  EXPECT_FALSE(parser.TakeContinue());
  EXPECT_EQ(parser.Parse(head + "\r\n"), Step::kNeedMore);
  EXPECT_EQ(parser.needed_bytes(), head.size() + 4);
  EXPECT_TRUE(parser.TakeContinue());
  EXPECT_FALSE(parser.TakeContinue());
  EXPECT_EQ(parser.Parse(head + "\r\nok"), Step::kRequest);
}

TEST(HttpParserTest, NobodyWaitsWhoHasNoBodyOrHasSentIt) {
  HttpParser parser;
  const std::string head = "POST / HTTP/1.1\r\n" + kHost + "Expect: 100-continue\r\n";
  EXPECT_EQ(parser.Parse(head + "\r\n"), Step::kRequest);
  EXPECT_FALSE(parser.TakeContinue());
}

TEST(HttpParserTest, ReadsOneRequestAfterTheOther) {
  HttpParser parser;
  const std::string one = "GET /1 HTTP/1.1\r\n" + kHost + "\r\n";
  const std::string two = "GET /2 HTTP/1.1\r\n" + kHost + "\r\n";
  const std::string both = one + two;
  EXPECT_EQ(parser.Parse(both), Step::kRequest);
  parser.Next();
  EXPECT_EQ(parser.Parse(std::string_view(both).substr(one.size())), Step::kRequest);
  EXPECT_EQ(parser.request().target, "/2");
}

TEST(HttpParserTest, RefusesWhatIsNoHttp) {
  ExpectRefuses("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", HttpError::kMalformed, "");
  ExpectRefuses("GET\r\n\r\n", HttpError::kMalformed, "Malformed request: ");
  ExpectRefuses("GET / HTTP/1.1\r\nHost palena\r\n\r\n", HttpError::kMalformed, "");
  ExpectRefuses("GET / HTTP/1.1\r\nHost : palena\r\n\r\n", HttpError::kMalformed, "");
  ExpectRefuses("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", HttpError::kUnknownVersion, "HTTP/1.1");
}

TEST(HttpParserTest, RefusesARequestWithoutOneHost) {
  ExpectRefuses("GET / HTTP/1.1\r\n\r\n", HttpError::kMalformed, "Host header is missing");
  ExpectRefuses("GET / HTTP/1.1\r\n" + kHost + kHost + "\r\n", HttpError::kMalformed,
                "there twice");
}

// What one server takes for a body and the next one for a request.
TEST(HttpParserTest, RefusesABodyWhoseEndIsInDoubt) {
  const std::string post = "POST / HTTP/1.1\r\n" + kHost;
  ExpectRefuses(post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", HttpError::kMalformed, "");
  ExpectRefuses(post + "Content-Length: -1\r\n\r\n", HttpError::kMalformed, "");
  ExpectRefuses(post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
                HttpError::kMalformed, "");
  ExpectRefuses(post + "Transfer-Encoding: gzip, chunked\r\n\r\n",
                HttpError::kUnknownTransferCoding, "Transfer-Encoding: gzip, chunked");
  ExpectRefuses(post + "Transfer-Encoding: chunked, identity\r\n\r\n",
                HttpError::kUnknownTransferCoding, "");
  ExpectRefuses("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                HttpError::kUnknownTransferCoding, "in HTTP/1.1");
  ExpectRefuses(post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", HttpError::kMalformed, "chunk");
}

TEST(HttpParserTest, RefusesAnExpectationThatItCannotMeet) {
  ExpectRefuses("GET / HTTP/1.1\r\n" + kHost + "Expect: miracles\r\n\r\n",
                HttpError::kExpectationFailed, "Expect: miracles");
}

TEST(HttpParserTest, RefusesTargetsAboveTheLimit) {
  const auto get = [](std::size_t bytes) {
    return "GET /" + std::string(bytes - 1, 'a') + " HTTP/1.1\r\n" + kHost + "\r\n";
  };
  EXPECT_EQ(Parse(get(base::kHttpTargetBytesMax)).step, Step::kRequest);
  ExpectRefuses(get(base::kHttpTargetBytesMax + 1), HttpError::kTargetTooLong, "8193 bytes");
}

TEST(HttpParserTest, RefusesHeadersAboveTheLimit) {
  const std::string head = "GET / HTTP/1.1\r\n" + kHost;
  EXPECT_EQ(Parse(head + "X: " + std::string(base::kHttpHeaderBytesMax / 2, 'x') + "\r\n\r\n").step,
            Step::kRequest);
  ExpectRefuses(head + "X: " + std::string(base::kHttpHeaderBytesMax, 'x') + "\r\n\r\n",
                HttpError::kHeadersTooLarge, "at most 32768 bytes");
  ExpectRefuses(std::string(base::kHttpHeaderBytesMax + 1, 'G'), HttpError::kHeadersTooLarge, "");
}

TEST(HttpParserTest, RefusesBodiesAboveTheLimitBeforeTheyAreThere) {
  const std::string post = "POST / HTTP/1.1\r\n" + kHost;
  ExpectRefuses(post + "Content-Length: 1179649\r\n\r\n", HttpError::kBodyTooLarge,
                "at most 1179648 bytes");
  ExpectRefuses(post + "Content-Length: 18446744073709551615\r\n\r\n", HttpError::kBodyTooLarge,
                "");
  ExpectRefuses(post + "Transfer-Encoding: chunked\r\n\r\n120001\r\n", HttpError::kBodyTooLarge,
                "");
}

TEST(HttpParserTest, BoundsWhatIsSentAroundTheDataOfChunks) {
  HttpParser parser;
  std::string text = "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n0\r\n";
  text += "X: " + std::string(std::size_t{2} << 20, 'x');
  EXPECT_EQ(parser.Parse(text), Step::kRefused);
  EXPECT_EQ(HttpErrorName(parser.failure().error), "BODY_TOO_LARGE");
}

}  // namespace
}  // namespace palena::server
