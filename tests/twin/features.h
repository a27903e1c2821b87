#pragma once

// Parts of the language that the generator may use. The twin knows them all; what the engine does
// not run yet is left out of kGenerated.

#include <cstdint>
#include <span>
#include <string_view>

#include "twin/fault.h"

namespace palena::twin {

using Features = std::uint32_t;

inline constexpr Features kCore = 0;
inline constexpr Features kLists = 1 << 0;          // by bucket, by prefix
inline constexpr Features kAsOf = 1 << 1;           // as of T
inline constexpr Features kSleep = 1 << 2;          // sleep MS
inline constexpr Features kEnds = 1 << 3;           // commit and rollback in plain scripts
inline constexpr Features kTransactions = 1 << 4;   // begin … end and its options
inline constexpr Features kDurable = 1 << 5;        // decisionDurability=durable
inline constexpr Features kNotRequired = 1U << 31;  // of messages: known, but need not be reached

inline constexpr Features kGenerated = kLists | kAsOf | kSleep | kEnds | kTransactions | kDurable;

struct PlantedFault {
  Fault fault;
  std::string_view name;
  Features needs;
};

inline constexpr PlantedFault kPlantedFaults[] = {
#define X(name, text, feature) {Fault::name, text, feature},
    PALENA_TWIN_FAULTS(X)
#undef X
};

}  // namespace palena::twin
