#pragma once

// Hostile mode (docs/testing.md): the same tests, run by ctest a second time with PALENA_HOSTILE
// set, on tiny internal capacities.

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/capacities.h"

namespace palena::base {

inline bool IsHostile() {
  return std::getenv("PALENA_HOSTILE") != nullptr;
}

// What a fixture builds its node, server or client with.
inline Capacities TestCapacities() {
  return IsHostile() ? Capacities::Hostile() : Capacities{};
}

}  // namespace palena::base

// First thing in a test that claims what holds at the usual capacities only; says why.
#define PALENA_SKIP_IF_HOSTILE(reason) \
  if (palena::base::IsHostile()) GTEST_SKIP() << "not in hostile mode: " << (reason)
