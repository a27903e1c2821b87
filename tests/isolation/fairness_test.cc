// Who waits for a hot key gets it: no client, and no kind of run, is left behind by the others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "isolation/rounds.h"

namespace palena::isolation {
namespace {

using testing::Each;
using testing::Ge;

constexpr std::size_t kManyClients = 64;

Setting FairSetting(unsigned shards) {
  Setting setting{.shards = shards, .on_disk = false, .duration = std::chrono::seconds(3)};
  if (LongForm().count() > 0) setting.duration = std::chrono::seconds(20);
  setting.steps_min = (kIsThreadSanitized || base::IsHostile() ? 10 : 100) * kManyClients;
  return setting;
}

// How often each client's run was applied. A client ends the load with a run that was not.
class Shares {
 public:
  explicit Shares(std::size_t clients) : of_(clients) {}

  bool Note(std::size_t client, const Result& result) {
    EXPECT_TRUE(result.ok()) << Unexpected("run", result);
    of_[client] += result.ok() ? 1 : 0;
    return result.ok();
  }
  std::int64_t Sum() const { return std::accumulate(of_.begin(), of_.end(), std::int64_t{0}); }
  const std::vector<std::int64_t>& of() const { return of_; }

 private:
  std::vector<std::int64_t> of_;  // each written by its client's thread
};

// What came of 64 clients who run `script`, each with a key @own besides the hot one.
void ExpectFairShares(const std::string& script) {
  const Setting setting = FairSetting(4);
  const std::unique_ptr<Node> node = OpenNode(setting, "");
  Shares shares(kManyClients);
  RunClients(setting, kManyClients, [&](std::size_t client, Random&) {
    return shares.Note(client, node->Execute(script, {{"own", "own" + std::to_string(client)}}));
  });
  EXPECT_EQ(node->Execute("eget hot").text(), std::to_string(shares.Sum()));
  EXPECT_GE(static_cast<std::size_t>(shares.Sum()), setting.steps_min) << "no verdict";
  EXPECT_THAT(shares.of(), Each(Ge(shares.Sum() / static_cast<std::int64_t>(kManyClients) / 10)));
  std::cout << "             " << shares.Sum() << " commits, the least of a client "
            << std::ranges::min(shares.of()) << ", the most " << std::ranges::max(shares.of())
            << "\n";
}

TEST(Fairness, EachOf64ClientsOfAHotKeyGetsAtLeastATenthOfItsShare) {
  ExpectFairShares("let n = eget hot  eset hot to_int(to_str(n)) + 1");
}

// The clients' own keys lie on any shard.
TEST(Fairness, EachOf64ClientsWhoseTransactionsShareAKeyGetsAtLeastATenthOfItsShare) {
  ExpectFairShares(
      "begin\n"
      "let n = eget hot  eset hot to_int(to_str(n)) + 1\n"
      "let m = eget @own  eset @own to_int(to_str(m)) + 1\n"
      "commit end");
}

// Eight keys on four shards: that all lie on one happens once in 16,384 nodes.
constexpr int kKeys = 8;

std::string DrawKey(Random& random) {
  return "k" + std::to_string(Draw(random, kKeys));
}

Result AddToTwo(Node& node, Random& random) {
  const int first = Draw(random, kKeys);
  const int second = (first + 1 + Draw(random, kKeys - 1)) % kKeys;
  return node.Execute(
      "begin\n"
      "let a = eget @a  eset @a to_int(to_str(a)) + 1\n"
      "let b = eget @b  eset @b to_int(to_str(b)) + 1\n"
      "commit end",
      {{"a", "k" + std::to_string(first)}, {"b", "k" + std::to_string(second)}});
}

TEST(Fairness, TransactionsOverShardsAndSingleKeyScriptsBothGoOn) {
  const std::unique_ptr<Node> node = OpenNode(FairSetting(4), "");
  Shares shares(kClients);
  RunClients(FairSetting(4), kClients, [&](std::size_t client, Random& random) {
    if (client % 2 == 0) return shares.Note(client, AddToTwo(*node, random));
    return shares.Note(client, node->Execute("let n = eget @k  eset @k to_int(to_str(n)) + 1",
                                             {{"k", DrawKey(random)}}));
  });
  std::int64_t transactions = 0, scripts = 0, sum = 0;
  for (std::size_t i = 0; i < kClients; ++i) {
    (i % 2 == 0 ? transactions : scripts) += shares.of()[i];
  }
  for (int key = 0; key < kKeys; ++key) {
    sum += std::stoll(
        "0" + std::string(node->Execute("eget @k", {{"k", "k" + std::to_string(key)}}).text()));
  }
  std::cout << "             " << transactions << " transactions, " << scripts << " scripts\n";
  EXPECT_EQ(sum, 2 * transactions + scripts);
  EXPECT_GE(transactions, (transactions + scripts) / 50);
  EXPECT_GE(scripts, (transactions + scripts) / 50);
}

}  // namespace
}  // namespace palena::isolation
