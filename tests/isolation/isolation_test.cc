// Random load on few keys by many clients; what they saw must have a serial order that agrees with
// real time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "isolation/bank_load.h"
#include "isolation/list_load.h"
#include "isolation/revision_load.h"
#include "isolation/rounds.h"

namespace palena::isolation {
namespace {

using testing::IsEmpty;
using testing::Not;

class IsolationTest : public testing::TestWithParam<Setting> {};

INSTANTIATE_TEST_SUITE_P(Isolation, IsolationTest,
                         testing::Values(Setting{.shards = 1, .transactions = false},
                                         Setting{.shards = 4}),
                         [](const testing::TestParamInfo<Setting>& setting) {
                           return setting.param.transactions ? "FourShards"
                                                             : "PlainScriptsOnOneShard";
                         });

TEST_P(IsolationTest, EveryReadOfTheBankSeesTheSameSum) {
  ForEachRound(GetParam(), [](const Setting& setting, Node& node) {
    const BankRecord record = RecordBank(setting, node);
    EXPECT_THAT(record.unexpected, IsEmpty());
    EXPECT_THAT(CheckBank(record.history), IsEmpty());
    EXPECT_THAT(FloorFindings(Weigh(record.history), FloorsOf(setting)), IsEmpty());
    const auto is_past = [](const BankRead& read) { return read.as_of_ms.has_value(); };
    const auto past = std::ranges::count_if(record.history.reads, is_past);
    EXPECT_GE(past, setting.transactions ? 10 : 0) << "no verdict";
    Tell(Weigh(record.history));
    std::cout << "             " << record.history.reads.size() << " reads, " << past
              << " of them of the past\n";
  });
}

TEST_P(IsolationTest, ListsHaveASerialOrderThatAgreesWithRealTime) {
  ForEachRound(GetParam(), [](const Setting& setting, Node& node) {
    const ListHistory history = RecordLists(setting, node);
    EXPECT_THAT(history.unexpected, IsEmpty());
    EXPECT_THAT(CheckLists(history.runs), IsEmpty());
    EXPECT_THAT(FloorFindings(Weigh(history.runs), FloorsOf(setting)), IsEmpty());
    Tell(Weigh(history.runs));
  });
}

TEST_P(IsolationTest, RevisionsAndStampsRiseWithRealTime) {
  ForEachRound(GetParam(), [](const Setting& setting, Node& node) {
    const RevisionRecord record = RecordRevisions(setting, node);
    EXPECT_THAT(record.unexpected, IsEmpty());
    EXPECT_THAT(CheckRevisions(record.touches), IsEmpty());
    EXPECT_THAT(FloorFindings(Weigh(record.touches), FloorsOf(setting)), IsEmpty());
    Tell(Weigh(record.touches));
  });
}

// Reads a list in one call, and appends to what it read in the next: what a script is there to
// avoid.
ListRun AppendInTwoCalls(Node& node, RunId id) {
  const Answer read = Ask(node, "eget k", {});
  const std::string text(read.result.text());
  const std::string appended = text + std::to_string(id) + ",";
  const Answer write = Ask(node, "eset k @list", {{"list", appended}});
  return {id,
          Fate::kCommitted,
          {read.time.began_ns, write.time.answered_ns},
          {{0, true, ParseList(text)}}};
}

TEST(IsolationCanary, AppendsInTwoCallsAreRefused) {
  const Setting setting{.shards = 1, .on_disk = false, .duration = std::chrono::milliseconds(200)};
  const std::unique_ptr<Node> node = OpenNode(setting, "");
  std::vector<std::vector<ListRun>> runs(kClients);
  std::atomic<RunId> last_id = 0;
  RunClients(setting, kClients, [&](std::size_t client, Random&) {
    runs[client].push_back(AppendInTwoCalls(*node, ++last_id));
    return runs[client].size() < 100;
  });
  std::vector<ListRun> all;
  for (const auto& of_client : runs) all.insert(all.end(), of_client.begin(), of_client.end());
  // A lost append, an appender in between, a read that is no prefix: which of them is chance.
  EXPECT_THAT(CheckLists(all), Not(IsEmpty()));
}

}  // namespace
}  // namespace palena::isolation
