#include "app/cli_batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <utility>
#include <vector>

namespace palena::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result Echo(const BatchRequest& request) {
  Result result;
  result.values.push_back({"", request.script, -1, 0, 0});
  return result;
}

const StartRequest kEcho = [](const BatchRequest& request, std::function<void(Answer)> done) {
  done(Echo(request));
};

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Outcome {
  BatchEnd end;
  std::vector<std::string> lines;
};

Outcome RunOn(const StartRequest& start, const std::string& input, std::size_t open_max) {
  std::istringstream in(input);
  std::ostringstream out;
  const BatchEnd end = RunBatch(start, in, out, open_max);
  return {end, Lines(out.str())};
}

TEST(BatchTest, AnswersEveryLineInOrder) {
  const Outcome outcome = RunOn(kEcho, "{\"script\":\"a\"}\n{\"script\":\"b\"}", 1);
  EXPECT_EQ(outcome.end, BatchEnd::kAnswered);
  EXPECT_THAT(outcome.lines, ElementsAre(HasSubstr(R"("value":"a")"), HasSubstr(R"("value":"b")")));
}

TEST(BatchTest, AnswersALineThatIsNoRequestAndGoesOn) {
  const Outcome outcome = RunOn(kEcho, "nonsense\n\n{\"script\":\"a\"}\n", 1);
  EXPECT_EQ(outcome.end, BatchEnd::kAnswered);
  EXPECT_THAT(outcome.lines, ElementsAre(HasSubstr(R"("type":"invalid_input","code":"MALFORMED")"),
                                         HasSubstr("MALFORMED"), HasSubstr(R"("value":"a")")));
}

TEST(BatchTest, RefusesALineWithoutEnd) {
  const Outcome outcome =
      RunOn(kEcho, std::string((std::size_t{16} << 20) + 1, 'x') + "\n{\"script\":\"a\"}\n", 1);
  EXPECT_THAT(outcome.lines,
              ElementsAre(HasSubstr("longer than 16777216 bytes"), HasSubstr(R"("value":"a")")));
}

TEST(BatchTest, PutsAnswersBackIntoOrder) {
  std::vector<std::pair<BatchRequest, std::function<void(Answer)>>> open;
  const StartRequest in_reverse = [&](const BatchRequest& request,
                                      std::function<void(Answer)> done) {
    open.emplace_back(request, std::move(done));
    if (open.size() < 3) return;
    for (; !open.empty(); open.pop_back()) open.back().second(Echo(open.back().first));
  };
  const Outcome outcome =
      RunOn(in_reverse, "{\"script\":\"a\"}\n{\"script\":\"b\"}\n{\"script\":\"c\"}\n", 3);
  EXPECT_THAT(outcome.lines, ElementsAre(HasSubstr(R"("value":"a")"), HasSubstr(R"("value":"b")"),
                                         HasSubstr(R"("value":"c")")));
}

TEST(BatchTest, SaysThatABrokenCallIsUnknownAndGoesOn) {
  bool is_first = true;
  const StartRequest breaks_once = [&](const BatchRequest& request,
                                       std::function<void(Answer)> done) {
    if (std::exchange(is_first, false)) return done(Status(StatusCode::kUnavailable, "broke"));
    done(Echo(request));
  };
  const Outcome outcome = RunOn(breaks_once, "{\"script\":\"a\"}\n{\"script\":\"b\"}\n", 1);
  EXPECT_EQ(outcome.end, BatchEnd::kNoConnection);
  EXPECT_THAT(outcome.lines,
              ElementsAre(HasSubstr(R"("applied":"unknown")"), HasSubstr(R"("value":"b")")));
}

TEST(BatchTest, EndsWhenNobodyAnswersInTime) {
  const StartRequest silent = [](const BatchRequest&, const std::function<void(Answer)>& done) {
    done(Status(StatusCode::kDeadlineExceeded, "no connection within 30000 ms"));
  };
  std::string input;
  for (int i = 0; i < 1000; ++i) input += "{\"script\":\"a\"}\n";
  const Outcome outcome = RunOn(silent, input, 1);
  EXPECT_EQ(outcome.end, BatchEnd::kNoConnection);
  EXPECT_LE(outcome.lines.size(), 3u);
}

}  // namespace
}  // namespace palena::app
