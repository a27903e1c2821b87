#pragma once

// How long, and how often: a short round in `make test`, and rounds with other seeds and other
// options until ISOLATION_SECONDS are over (scripts/dev/isolation.sh).

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "base/hostile.h"
#include "base/temp_dir.h"
#include "isolation/load.h"

namespace palena::isolation {

#ifdef __SANITIZE_THREAD__
constexpr bool kIsThreadSanitized = true;
#else
constexpr bool kIsThreadSanitized = false;
#endif

// Seconds of each test; 0: the short form.
inline std::chrono::seconds LongForm() {
  const char* const text = std::getenv("ISOLATION_SECONDS");
  return std::chrono::seconds(text == nullptr ? 0 : std::atoi(text));
}

// Low where everything is slow on purpose, and where ten suites share two cores.
inline Floors FloorsOf(const Setting& setting) {
  const bool is_slow = kIsThreadSanitized || base::IsHostile();
  const auto seconds = static_cast<std::size_t>(setting.duration.count() / 1'000);
  return is_slow ? Floors{50 * seconds, 10 * seconds} : Floors{1'000 * seconds, 200 * seconds};
}

// Every other round is on disk; fast path and number of shards change less often.
inline Setting SettingOf(Setting setting, int round) {
  setting.seed = static_cast<std::uint64_t>(round) + 1;
  setting.on_disk = round % 2 == 0;
  setting.fast_path = round % 4 < 2;
  if (setting.shards > 1 && round % 8 >= 4) setting.shards = 2;
  setting.steps_min = 3 * FloorsOf(setting).commits;  // reads, and what is not applied, are steps
  return setting;
}

// play(setting, node) on a fresh node, once or, in the long form, until the time is up; ends at the
// first round that fails.
inline void ForEachRound(const Setting& first,
                         const std::function<void(const Setting&, Node&)>& play) {
  const auto end = std::chrono::steady_clock::now() + LongForm();
  int round = 0;
  do {
    const Setting setting = SettingOf(first, round);
    SCOPED_TRACE("round " + std::to_string(round) + ", " + std::to_string(setting.shards) +
                 " shards, fast path " + (setting.fast_path ? "on" : "off"));
    const base::TempDir directory;
    play(setting, *OpenNode(setting, directory / "data"));
    ++round;
  } while (!testing::Test::HasFailure() && std::chrono::steady_clock::now() < end);
}

// In the test's output, so that a run shows what it was worth.
inline void Tell(const Weight& weight) {
  std::cout << "             " << weight.commits << " commits, " << weight.overlaps
            << " overlaps\n";
}

}  // namespace palena::isolation
