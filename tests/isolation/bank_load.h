#pragma once

// Random transfers, and reads of the whole bank in every way there is, recorded for CheckBank.

#include "isolation/bank_checker.h"
#include "isolation/load.h"

namespace palena::isolation {

struct BankRecord {
  BankHistory history;
  Findings unexpected;  // answers that no run may give
};

// Runs the load and waits for its end; ends early at an answer that is not to be.
BankRecord RecordBank(const Setting& setting, Node& node);

}  // namespace palena::isolation
