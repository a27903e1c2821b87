#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace palena::app {

enum class LimitsAction { kList, kCheck, kTake, kPeek, kRenew, kRelease, kReset };

// What stands behind `palena limits`.
struct LimitsOptions {
  LimitsAction action = LimitsAction::kList;
  std::string file;  // check
  std::string name;  // of a limit: all but list and check
  std::vector<std::pair<std::string, std::string>> parts;
  std::int64_t cost = 1;
  std::string owner;
};

// Adds `limits` and what stands behind it. `options`, `json` and `chosen` outlive the parse;
// `chosen` is called when it was asked for.
void AddLimitsCommand(CLI::App& app, LimitsOptions& options, bool& json,
                      std::function<void()> chosen);

}  // namespace palena::app
