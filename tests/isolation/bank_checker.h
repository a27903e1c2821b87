#pragma once

// Histories of transfers between accounts. Whoever reads all accounts at one instant finds the sum
// that they began with.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isolation/history.h"

namespace palena::isolation {

struct Transfer {
  Interval time;
  Fate fate = Fate::kCommitted;
  int from = 0;
  int to = 0;
  std::int64_t amount = 0;  // 0 when it found too little and moved nothing
};

struct BankRead {
  std::string how;                       // "by bucket", …; for the finding
  std::optional<std::int64_t> as_of_ms;  // a read of the past
  std::int64_t stamp_ms = 0;             // of the run that read
  std::vector<std::int64_t> balances;    // of every account, in order
};

struct BankHistory {
  std::vector<std::int64_t> opening;
  std::vector<Transfer> transfers;
  std::vector<BankRead> reads;
  std::vector<std::int64_t> closing;
};

// Refuses: a read whose sum is another than that of `opening`, that misses an account or shows a
// balance below zero; two reads as of one past instant that differ; a closing balance that the
// committed transfers do not explain.
Findings CheckBank(const BankHistory& history);

// Of its transfers.
Weight Weigh(const BankHistory& history);

}  // namespace palena::isolation
