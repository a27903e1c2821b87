#include "isolation/bank_checker.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

namespace palena::isolation {
namespace {

constexpr std::size_t kFindingsMax = 20;

std::int64_t Sum(const std::vector<std::int64_t>& balances) {
  return std::accumulate(balances.begin(), balances.end(), std::int64_t{0});
}

std::string Shown(const std::vector<std::int64_t>& balances) {
  std::string text;
  for (const std::int64_t balance : balances) text += " " + std::to_string(balance);
  return text;
}

std::optional<std::string> Fault(const BankRead& read, const BankHistory& history) {
  const std::string what = "read " + read.how + " of" + Shown(read.balances) + ": ";
  if (read.balances.size() != history.opening.size()) {
    return what + "there are " + std::to_string(history.opening.size()) + " accounts";
  }
  if (Sum(read.balances) != Sum(history.opening)) {
    return what + "the sum is " + std::to_string(Sum(read.balances)) + ", not " +
           std::to_string(Sum(history.opening));
  }
  if (std::ranges::min(read.balances) < 0) return what + "a balance below zero";
  return std::nullopt;
}

void CheckClosing(const BankHistory& history, Findings& findings) {
  std::vector<std::int64_t> expected = history.opening;
  for (const Transfer& transfer : history.transfers) {
    if (transfer.fate != Fate::kCommitted) continue;
    expected[transfer.from] -= transfer.amount;
    expected[transfer.to] += transfer.amount;
  }
  if (expected == history.closing) return;
  findings.push_back("closing balances" + Shown(history.closing) + ", but the transfers make" +
                     Shown(expected));
}

}  // namespace

Findings CheckBank(const BankHistory& history) {
  Findings findings;
  std::map<std::int64_t, const BankRead*> past;
  for (const BankRead& read : history.reads) {
    if (findings.size() >= kFindingsMax) return findings;
    if (std::optional<std::string> fault = Fault(read, history)) {
      findings.push_back(*std::move(fault));
    }
    // Within the millisecond of T a run may still commit at T, so only what was past is fixed.
    if (!read.as_of_ms || *read.as_of_ms >= read.stamp_ms) continue;
    const auto [first, is_first] = past.emplace(*read.as_of_ms, &read);
    if (is_first || first->second->balances == read.balances) continue;
    findings.push_back("two answers as of " + std::to_string(*read.as_of_ms) + ":" +
                       Shown(first->second->balances) + " and" + Shown(read.balances));
  }
  CheckClosing(history, findings);
  return findings;
}

Weight Weigh(const BankHistory& history) {
  Weighing weighing;
  for (const Transfer& transfer : history.transfers) {
    if (transfer.fate != Fate::kCommitted) continue;
    weighing.AddCommit();
    weighing.AddTouch(transfer.from, transfer.time);
    weighing.AddTouch(transfer.to, transfer.time);
  }
  return weighing.Weigh();
}

}  // namespace palena::isolation
